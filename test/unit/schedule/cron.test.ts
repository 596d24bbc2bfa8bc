import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCron } from '../../../src/schedule/cron-fields.ts'
import { countBetween, isSlot, latestSlot, nextSlot } from '../../../src/schedule/slots.ts'
import type { CronGrid, Instant } from '../../../src/schedule/state.ts'
import { patterns } from '../../support/cron-oracle.ts'
import { at } from '../../support/times.ts'

const cron = (text: string, timeZone = 'UTC', anchor = at('12:00:00')): CronGrid => {
  return { kind: 'cron', anchor, text, timeZone }
}
const show = (instant: Instant | null) => (instant === null ? null : new Date(instant).toISOString().slice(0, 19))

test('the second of its creation is no slot, whatever part of that second it was created in', () => {
  const grid = cron('*/10 * * * * *')
  assert.equal(latestSlot(grid, at('12:00:09.999')), null)
  assert.equal(latestSlot(grid, at('12:00:10')), at('12:00:10'))
  assert.equal(nextSlot(grid, at('11:00:00')), at('12:00:10'))
  assert.equal(isSlot(grid, at('12:00:00')), false)
  assert.equal(isSlot(grid, at('12:00:10')), true)
  assert.equal(isSlot(grid, at('12:00:15')), false)
  assert.equal(countBetween(grid, at('11:00:00'), at('12:00:30')), 2)
})

const meanings: Record<string, readonly [text: string, zone: string, from: string, slots: readonly string[]]> = {
  'six fields: seconds first': [
    '15 30 2 * * *',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-01-01T02:30:15', '2027-01-02T02:30:15'],
  ],
  'five fields: minutes first': [
    '30 2 * * *',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-01-01T02:30:00', '2027-01-02T02:30:00'],
  ],
  'in a zone': ['30 2 * * *', 'Asia/Tokyo', '2027-01-01T00:00:00Z', ['2027-01-01T17:30:00', '2027-01-02T17:30:00']],
  'in a zone of odd minutes': ['0 0 * * *', 'Asia/Kathmandu', '2027-01-01T00:00:00Z', ['2027-01-01T18:15:00']],
  'a zone in small letters': ['30 2 * * *', 'asia/tokyo', '2027-01-01T00:00:00Z', ['2027-01-01T17:30:00']],
  'two days named: either': [
    '0 0 13 * FRI',
    'UTC',
    '2027-01-07T00:00:00Z',
    ['2027-01-08T00:00:00', '2027-01-13T00:00:00', '2027-01-15T00:00:00'],
  ],
  'a weekday and any day: the weekday': [
    '0 0 * * FRI',
    'UTC',
    '2027-01-07T00:00:00Z',
    ['2027-01-08T00:00:00', '2027-01-15T00:00:00'],
  ],
  'a weekday and each day: as the weekday': [
    '0 0 */1 * FRI',
    'UTC',
    '2027-01-07T00:00:00Z',
    ['2027-01-08T00:00:00', '2027-01-15T00:00:00'],
  ],
  'a weekday and every second day: either': [
    '0 0 */2 * FRI',
    'UTC',
    '2027-01-07T00:00:00Z',
    ['2027-01-08T00:00:00', '2027-01-09T00:00:00', '2027-01-11T00:00:00'],
  ],
  'a day and all weekdays by name: every day': [
    '0 0 1 * 0-6',
    'UTC',
    '2027-01-07T00:00:00Z',
    ['2027-01-08T00:00:00', '2027-01-09T00:00:00'],
  ],
  'all days by number and a weekday: every day': [
    '0 0 1-31 * FRI',
    'UTC',
    '2027-01-08T00:00:00Z',
    ['2027-01-09T00:00:00'],
  ],
  'a step from a value on': [
    '5/20 * * * *',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-01-01T00:05:00', '2027-01-01T00:25:00', '2027-01-01T00:45:00', '2027-01-01T01:05:00'],
  ],
  'the last of February of a leap year': [
    '0 0 29 2 *',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2028-02-29T00:00:00', '2032-02-29T00:00:00'],
  ],
  'eight years without one': ['0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', ['2104-02-29T00:00:00']],
  '31 of the months that have it': [
    '0 0 31 * *',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-01-31T00:00:00', '2027-03-31T00:00:00', '2027-05-31T00:00:00'],
  ],
  'the turn of the year': [
    '59 59 23 31 DEC ?',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-12-31T23:59:59', '2028-12-31T23:59:59'],
  ],
  '@hourly': ['@hourly', 'UTC', '2027-01-01T00:30:00Z', ['2027-01-01T01:00:00', '2027-01-01T02:00:00']],
  '@daily, by the day of the zone': ['@daily', 'Pacific/Auckland', '2027-06-01T00:30:00Z', ['2027-06-01T12:00:00']],
  '@weekly: Sunday': ['@weekly', 'UTC', '2027-01-01T00:30:00Z', ['2027-01-03T00:00:00', '2027-01-10T00:00:00']],
  '@monthly': ['@monthly', 'UTC', '2027-01-01T00:30:00Z', ['2027-02-01T00:00:00', '2027-03-01T00:00:00']],
  '@yearly': ['@yearly', 'UTC', '2027-01-01T00:30:00Z', ['2028-01-01T00:00:00', '2029-01-01T00:00:00']],
}
for (const [name, [text, zone, from, slots]] of Object.entries(meanings))
  test(`a cron text means: ${name}`, () => {
    const grid = cron(text, zone, 0)
    let last: Instant | null = Date.parse(from)
    for (const slot of slots) {
      const before: Instant = Number(last)
      last = nextSlot(grid, before)
      assert.equal(show(last), slot)
      assert.equal(show(latestSlot(grid, Number(last))), slot)
      assert.equal(countBetween(grid, before, Number(last)), 0)
    }
  })

test('ten years missed at every second, across twenty changes of the clocks', () => {
  const from = Date.parse('2027-01-01T00:00:00Z')
  const to = Date.parse('2037-01-01T00:00:00Z')
  assert.equal(countBetween(cron('* * * * * *', 'America/New_York', 0), from, to), (to - from) / 1_000 - 1)
  assert.equal(countBetween(cron('0 30 2 * * *', 'America/New_York', 0), from, to), 3_653)
  assert.equal(countBetween(cron('0 30 1 * * *', 'America/New_York', 0), from, to), 3_653)
  assert.equal(countBetween(cron('0 30 */1 * * *', 'America/New_York', 0), from, to), 3_653 * 24)
})

test('what is counted over weeks is what one finds by going from slot to slot', () => {
  const moment = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-01-01') })
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Nuuk', 'Australia/Lord_Howe')
  const length = fc.integer({ min: 0, max: 60 * 86_400_000 })
  const seldom = patterns.filter(({ text }) => readCron(text).valid)
  fc.assert(
    fc.property(seldom, zone, moment, length, ({ text }, timeZone, after, gap) => {
      const grid = cron(text, timeZone, 0)
      let count = 0
      let before = after
      for (let slot = nextSlot(grid, after); slot !== null && slot < after + gap && count < 50; count += 1) {
        before = slot + 1
        slot = nextSlot(grid, slot)
      }
      if (count < 50) before = after + gap
      assert.equal(countBetween(grid, after, before), count)
    }),
    { numRuns: 200 },
  )
})

test('asked for the first time at the very jump over a time of the day before: it is due', () => {
  const jump = Date.parse('2027-03-28T01:00:00Z')
  assert.equal(latestSlot(cron('0 31 23 * * *', 'America/Nuuk', 0), jump), jump)
  assert.equal(latestSlot(cron('0 32 23 * * *', 'America/Nuuk', 0), jump - 1), Date.parse('2027-03-27T01:32:00Z'))
})

test('at the ends of the calendar there is no slot, and no error', () => {
  const grid = cron('0 30 2 * * *', 'Europe/Berlin', Date.parse('0001-01-01'))
  assert.equal(nextSlot(grid, Date.parse('3001-01-01')), null)
  assert.equal(latestSlot(grid, Date.parse('0001-01-01')), null)
  assert.equal(show(nextSlot(grid, Date.parse('2027-01-01'))), '2027-01-01T01:30:00')
})

test('a text that nobody has checked is a mistake of ours, not a schedule', () => {
  assert.throws(() => nextSlot(cron('whenever'), 0), { name: 'TypeError', message: /not one: has 1 field/ })
})
