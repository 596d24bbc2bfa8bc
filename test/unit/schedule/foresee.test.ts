import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCron } from '../../../src/schedule/cron-fields.ts'
import { decide } from '../../../src/schedule/decide.ts'
import { countBetween, foresee, latestSlot, nextSlot } from '../../../src/schedule/slots.ts'
import type { CronGrid, Instant } from '../../../src/schedule/state.ts'
import { calculations } from '../../support/calculations.ts'
import { patterns } from '../../support/cron-oracle.ts'
import { aScheduleState } from '../../support/schedule-state.ts'
import { at } from '../../support/times.ts'

const cron = (text: string, timeZone = 'UTC', anchor = at('12:00:00')): CronGrid => {
  return { kind: 'cron', anchor, text, timeZone }
}

test('a thousand different schedules, due in the same second: nothing is calculated when they are', (t) => {
  const texts = Array.from({ length: 1_000 }, (_, n) => `0,${1 + (n % 50)} *,${n % 60} *,${Math.floor(n / 60)} * * *`)
  assert.equal(new Set(texts).size, 1_000)
  const states = texts.map((text) => aScheduleState(cron(text), { first: false, handledUntil: at('12:00:59') }))
  const calculated = calculations(t)
  for (const { grid } of states) foresee(grid, at('12:00:59.500'))
  assert.ok(calculated() > 1_000)
  for (const state of states)
    assert.deepEqual(decide(at('12:01:00'), state), { kind: 'launch', slot: at('12:01:00'), missed: 0 })
  assert.equal(calculated(), 0)
})

test('foreseen after each slot, a schedule of each second is never calculated when it is due', (t) => {
  const grid = cron('* * * * * *', 'Asia/Tokyo')
  const calculated = calculations(t)
  foresee(grid, at('12:00:10.500'))
  const seldom = new Set<number>()
  for (let slot = at('12:00:11'); slot <= at('12:01:40'); slot += 1_000) {
    calculated()
    assert.deepEqual([latestSlot(grid, slot), nextSlot(grid, slot)], [slot, slot + 1_000])
    assert.equal(calculated(), 0)
    foresee(grid, slot + 500)
    seldom.add(calculated())
  }
  assert.deepEqual([...seldom], [0, 6], 'several at once, and not each second')
})

test('what lies far ahead is not calculated before it is of use', (t) => {
  const calculated = calculations(t)
  foresee(cron('0 30 2 1 1 *'), at('12:00:10'))
  assert.equal(calculated(), 3, 'the one before, the next, and its successor')
  foresee(cron('30 * * * * *'), at('12:00:10'))
  assert.equal(calculated(), 3)
  foresee(cron('*/20 * * * * *'), at('12:00:10'))
  assert.equal(calculated(), 5, 'all of a minute')
  foresee(cron('*/2 * * * * *'), at('12:00:10'))
  assert.equal(calculated(), 9, 'eight of them')
})

test('where nothing comes any more there is nothing to foresee', (t) => {
  const grid = cron('0 41 2 * * *', 'UTC', 0)
  const calculated = calculations(t)
  foresee(grid, Date.parse('2999-12-31T02:41:00Z'))
  assert.equal(nextSlot(grid, Date.parse('3001-01-01')), null)
  assert.ok(calculated() > 0)
  foresee(grid, Date.parse('3001-01-01'))
  assert.equal(calculated(), 0)
})

test('before its creation a schedule is foreseen from there on', (t) => {
  const grid = cron('*/7 * * * * *')
  const calculated = calculations(t)
  foresee(grid, at('11:00:00'))
  calculated()
  assert.equal(nextSlot(grid, at('11:00:00')), at('12:00:07'))
  assert.equal(calculated(), 0)
})

test('a grid of an interval needs no foresight', (t) => {
  const calculated = calculations(t)
  foresee({ kind: 'interval', anchor: 0, intervalMs: 1_000, firstIndex: 0 }, at('12:00:00'))
  assert.equal(calculated(), 0)
})

test('the last eight slots are remembered: a create that is tried again, a few that were missed', (t) => {
  const grid = cron('*/3 * * * * *')
  for (let second = 0; second <= 60; second += 1) foresee(grid, at('12:01:00') + second * 1_000)
  const calculated = calculations(t)
  const oldest = at('12:01:39')
  assert.deepEqual([latestSlot(grid, oldest), nextSlot(grid, oldest)], [oldest, oldest + 3_000])
  assert.equal(countBetween(grid, oldest, at('12:02:00')), 6)
  assert.equal(countBetween(grid, oldest + 1, at('12:02:00.001')), 7)
  assert.equal(calculated(), 0)
  assert.equal(latestSlot(grid, at('12:01:03')), at('12:01:03'))
  assert.ok(calculated() > 0, 'those of long ago are not')
})

let asked = 0
/** Of the same meaning, but never asked before. */
const anew = (grid: CronGrid): CronGrid => ({ ...grid, text: grid.text + ' '.repeat((asked += 1)) })

const answers = (of: () => CronGrid, now: Instant) => [
  latestSlot(of(), now),
  nextSlot(of(), now),
  countBetween(of(), now - 30_000, now + 30_000),
]

test('what was foreseen changes no answer, wherever the clock goes', () => {
  const seldom = patterns.filter(({ text }) => readCron(text).valid)
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Nuuk', 'Australia/Lord_Howe')
  const moment = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-01-01') })
  const step = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: -90_000_000, max: 90_000_000 }))
  fc.assert(
    fc.property(seldom, zone, moment, fc.array(step, { maxLength: 12 }), ({ text }, timeZone, start, steps) => {
      const grid = cron(text, timeZone, 0)
      let now = start
      for (const by of steps) {
        foresee(grid, now)
        now += by
        assert.deepEqual(
          answers(() => grid, now),
          answers(() => anew(grid), now),
        )
      }
    }),
    { numRuns: 200 },
  )
})
