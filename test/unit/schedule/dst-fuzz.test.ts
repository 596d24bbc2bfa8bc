import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCron } from '../../../src/schedule/cron-fields.ts'
import { countBetween, isSlot, latestSlot, nextSlot } from '../../../src/schedule/slots.ts'
import type { CronGrid } from '../../../src/schedule/state.ts'
import { allSlots, patterns, type Window, windowOf } from '../../support/cron-oracle.ts'

/** `DST_FUZZ=10000 npm run test:unit` looks longer. */
const numRuns = Number(process.env['DST_FUZZ'] ?? 500)

/** A zone, and a moment near which its clocks are changed; the last ones are not. */
const changes: readonly (readonly [zone: string, around: string])[] = [
  ['America/New_York', '2027-03-14T07:00:00Z'],
  ['America/New_York', '2027-11-07T06:00:00Z'],
  ['Europe/Berlin', '2027-03-28T01:00:00Z'],
  ['Europe/Berlin', '2027-10-31T01:00:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00:00Z'],
  ['Australia/Lord_Howe', '2027-10-02T15:30:00Z'],
  ['America/Havana', '2027-03-14T05:00:00Z'],
  ['America/Havana', '2027-11-07T05:00:00Z'],
  ['America/Nuuk', '2027-03-28T01:00:00Z'],
  ['America/Nuuk', '2027-10-31T01:00:00Z'],
  ['Africa/Cairo', '2027-04-29T22:00:00Z'],
  ['Africa/Casablanca', '2026-02-15T02:00:00Z'],
  ['Antarctica/Troll', '2027-03-28T01:00:00Z'],
  ['Asia/Beirut', '2027-03-27T22:00:00Z'],
  ['America/Santiago', '2027-09-05T04:00:00Z'],
  ['Pacific/Chatham', '2027-04-03T14:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['America/Caracas', '2016-05-01T07:00:00Z'],
  ['Asia/Kolkata', '2027-06-01T00:00:00Z'],
  ['UTC', '2028-02-29T00:00:00Z'],
]
const windows = new Map<number, Window>()
function windowAt(index: number): Window {
  const [zone, around] = changes[index] ?? ['UTC', '2027-01-01T00:00:00Z']
  const held = windows.get(index) ?? windowOf(zone, Date.parse(around))
  windows.set(index, held)
  return held
}

const cases = fc.record({
  pattern: patterns.filter(({ text }) => readCron(text).valid),
  change: fc.integer({ min: 0, max: changes.length - 1 }),
  moment: fc.double({ min: 0, max: 1, noNaN: true }),
  other: fc.double({ min: 0, max: 1, noNaN: true }),
})

const name = `${numRuns} times a random schedule, zone and moment: the slots are those that Intl's clock shows`
test(name, { timeout: 30_000 + 20 * numRuns }, (t) => {
  let compared = 0
  fc.assert(
    fc.property(cases, ({ pattern, change, moment, other }) => {
      const window = windowAt(change)
      const slots = allSlots(pattern, window)
      const first = window.minutes[0]?.at ?? NaN
      // Two days from the edges, so that what was shown before the window does not count.
      const at = (share: number) => Math.floor(first + 86_400_000 * (1.5 + 4 * share))
      const [now, later] = [Math.min(at(moment), at(other)), Math.max(at(moment), at(other))]
      const grid: CronGrid = { kind: 'cron', anchor: 0, text: pattern.text, timeZone: window.zone }
      const latest = slots.findLast((slot) => slot <= now)
      const next = slots.find((slot) => slot > now)
      const between = slots.filter((slot) => slot > now && slot < later).length
      if (latest === undefined) assert.ok((latestSlot(grid, now) ?? -Infinity) < first)
      else assert.equal(latestSlot(grid, now), latest)
      if (next === undefined) assert.ok((nextSlot(grid, now) ?? Infinity) >= first + 6 * 86_400_000)
      else assert.equal(nextSlot(grid, now), next)
      assert.equal(countBetween(grid, now, later), between)
      if (next !== undefined) assert.ok(isSlot(grid, next))
      compared += latest !== undefined && next !== undefined ? 1 : 0
    }),
    { numRuns },
  )
  t.diagnostic(`${compared} of ${numRuns} had slots on both sides`)
  assert.ok(compared > numRuns / 2)
})
