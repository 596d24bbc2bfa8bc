import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countBetween, isSlot, latestSlot, nextSlot } from '../../../src/schedule/slots.ts'
import type { CronGrid, Instant } from '../../../src/schedule/state.ts'

/**
 * What happens when the clocks change, frozen: docs/schedules.md says it in words. Times are UTC, since the wall clock
 * is what is ambiguous. A change of one of these is a change that users see.
 */
interface Case {
  readonly text: string
  readonly zone: string
  /** A stretch of time, UTC, and every slot in it. */
  readonly from: string
  readonly slots: string
  readonly to: string
}

const newYorkSpring = { zone: 'America/New_York', from: '2027-03-14T05:00:00Z', to: '2027-03-14T09:00:00Z' }
const newYorkAutumn = { zone: 'America/New_York', from: '2027-11-07T04:00:00Z', to: '2027-11-07T08:00:00Z' }
const berlinSpring = { zone: 'Europe/Berlin', from: '2027-03-27T23:00:00Z', to: '2027-03-28T03:00:00Z' }
const berlinAutumn = { zone: 'Europe/Berlin', from: '2027-10-30T22:00:00Z', to: '2027-10-31T03:00:00Z' }
const lordHoweSpring = { zone: 'Australia/Lord_Howe', from: '2027-10-02T14:00:00Z', to: '2027-10-02T17:00:00Z' }
const lordHoweAutumn = { zone: 'Australia/Lord_Howe', from: '2027-04-03T13:00:00Z', to: '2027-04-03T17:00:00Z' }
const havanaSpring = { zone: 'America/Havana', from: '2027-03-14T03:00:00Z', to: '2027-03-14T07:00:00Z' }
const nuukSpring = { zone: 'America/Nuuk', from: '2027-03-27T23:00:00Z', to: '2027-03-28T03:00:00Z' }
const nuukAutumn = { zone: 'America/Nuuk', from: '2027-10-30T23:00:00Z', to: '2027-10-31T04:00:00Z' }
const apia = { zone: 'Pacific/Apia', from: '2011-12-29T00:00:00Z', to: '2012-01-01T00:00:00Z' }

const cases: Record<string, Case> = {
  // New York, 14 March 2027: 2:00 EST (7:00 UTC) is 3:00 EDT.
  'a fixed time in the gap: once, at the jump': { ...newYorkSpring, text: '0 30 2 * * *', slots: '07:00' },
  'the first second of the gap': { ...newYorkSpring, text: '0 0 2 * * *', slots: '07:00' },
  'its last second': { ...newYorkSpring, text: '59 59 2 * * *', slots: '07:00' },
  'several fixed times in the gap: once for all': { ...newYorkSpring, text: '0 0,30,45 2 * * *', slots: '07:00' },
  'every quarter of a fixed hour in the gap: once': { ...newYorkSpring, text: '0 */15 2 * * *', slots: '07:00' },
  'every second of a fixed hour in the gap: once': { ...newYorkSpring, text: '* * 2 * * *', slots: '07:00' },
  'one in the gap, one at its end: once': { ...newYorkSpring, text: '0 0 2,3 * * *', slots: '07:00' },
  'one in the gap, one behind it: both': { ...newYorkSpring, text: '0 15 2,3 * * *', slots: '07:00 07:15' },
  'a range of hours across the gap': { ...newYorkSpring, text: '0 30 1-3 * * *', slots: '06:30 07:00 07:30' },
  'a fixed time before the gap': { ...newYorkSpring, text: '59 59 1 * * *', slots: '06:59:59' },
  'a fixed time on another weekday than that of the gap': { ...newYorkSpring, text: '0 30 2 * * MON', slots: '' },
  'every hour keeps its cadence': { ...newYorkSpring, text: '0 0 * * * *', slots: '06:00 07:00 08:00' },
  'every half hour keeps its cadence': {
    ...newYorkSpring,
    text: '0 15/30 * * * *',
    slots: '05:15 05:45 06:15 06:45 07:15 07:45 08:15 08:45',
  },
  'every second hour goes by the hours that there are': { ...newYorkSpring, text: '0 0 */2 * * *', slots: '08:00' },
  'all hours as a range are all hours': { ...newYorkSpring, text: '0 30 0-23 * * *', slots: '05:30 06:30 07:30 08:30' },
  // New York, 7 November 2027: 2:00 EDT (6:00 UTC) is 1:00 EST again.
  'a fixed time in the repeated hour: once, the first time': { ...newYorkAutumn, text: '0 30 1 * * *', slots: '05:30' },
  'the first second of the repeated hour': { ...newYorkAutumn, text: '0 0 1 * * *', slots: '05:00' },
  'its last second ': { ...newYorkAutumn, text: '59 59 1 * * *', slots: '05:59:59' },
  'the second after it': { ...newYorkAutumn, text: '0 0 2 * * *', slots: '07:00' },
  'every quarter of a fixed hour, repeated: once each': {
    ...newYorkAutumn,
    text: '0 */15 1 * * *',
    slots: '05:00 05:15 05:30 05:45',
  },
  'a range of hours across the repeated one': { ...newYorkAutumn, text: '0 30 0-2 * * *', slots: '04:30 05:30 07:30' },
  'every hour runs in both': { ...newYorkAutumn, text: '0 30 * * * *', slots: '04:30 05:30 06:30 07:30' },
  'every second hour goes by the clock': { ...newYorkAutumn, text: '0 30 1/2 * * *', slots: '05:30 06:30' },
  // Berlin: 28 March 2027, 2:00 CET (1:00 UTC) is 3:00; 31 October, 3:00 CEST (1:00 UTC) is 2:00 again.
  'Berlin, the gap': { ...berlinSpring, text: '0 30 2 * * *', slots: '01:00' },
  'Berlin, the repeated hour': { ...berlinAutumn, text: '0 30 2 * * *', slots: '00:30' },
  'Berlin, the hour after it': { ...berlinAutumn, text: '0 30 3 * * *', slots: '02:30' },
  // Lord Howe moves by half an hour.
  'half an hour of gap: in it': { ...lordHoweSpring, text: '0 15 2 * * *', slots: '15:30' },
  'half an hour of gap: behind it': { ...lordHoweSpring, text: '0 45 2 * * *', slots: '15:45' },
  'half an hour repeated: in it': { ...lordHoweAutumn, text: '0 45 1 * * *', slots: '14:45' },
  'half an hour repeated: before it': { ...lordHoweAutumn, text: '0 15 1 * * *', slots: '14:15' },
  'half an hour repeated: every half hour': {
    ...lordHoweAutumn,
    text: '0 15/30 * * * *',
    slots: '13:15 13:45 14:15 14:45 15:15 15:45 16:15 16:45',
  },
  // Havana has its gap at midnight.
  'a day that begins at 1:00': { ...havanaSpring, text: '@daily', slots: '05:00' },
  // Nuuk has it from 23:00 to midnight: the day of the fixed time is over at the jump.
  'a gap that ends with the day': { ...nuukSpring, text: '0 30 23 * * *', slots: '01:00' },
  'a gap that ends with the day, and midnight too: once': { ...nuukSpring, text: '0 0 23,0 * * *', slots: '01:00' },
  'a gap that ends with the day, the weekday is that before': {
    ...nuukSpring,
    text: '0 30 23 * * SAT',
    slots: '01:00',
  },
  'a gap that ends with the day, not on the day after': { ...nuukSpring, text: '0 30 23 * * SUN', slots: '' },
  'a gap that ends with the day: every hour keeps its cadence': {
    ...nuukSpring,
    text: '0 30 * * * *',
    slots: '23:30 00:30 01:30 02:30',
  },
  'the last hour of a day, twice': { ...nuukAutumn, text: '0 30 23 * * SAT', slots: '00:30' },
  'the midnight at which the clocks go back is put off': { ...nuukAutumn, text: '0 0 0 * * SUN', slots: '02:00' },
  // Samoa left out 30 December 2011; 31 December began at 10:00 UTC of the 30th.
  'a day that was left out: at its end': { ...apia, text: '0 0 12 30 12 *', slots: '30T10:00' },
  'a day that was left out, each day': { ...apia, text: '0 0 12 * * *', slots: '29T22:00 30T10:00 30T22:00 31T22:00' },
}

/** `07:00` is the first such time after `from`, `30T10:00` is that of the day. */
function instantOf(time: string, from: string): Instant {
  if (time.includes('T')) return Date.parse(`${from.slice(0, 8)}${time}Z`)
  const instant = Date.parse(`${from.slice(0, 11)}${time}Z`)
  return instant < Date.parse(from) ? instant + 86_400_000 : instant
}

for (const [name, { text, zone, from, to, slots }] of Object.entries(cases))
  test(`the clocks change: ${name}`, () => {
    const grid: CronGrid = { kind: 'cron', anchor: 0, text, timeZone: zone }
    const want = slots === '' ? [] : slots.split(' ').map((time) => instantOf(time, from))
    // First, while no slot is known yet: by fields and shifts, and not by slots that were walked to.
    assert.equal(countBetween(grid, Date.parse(from), Date.parse(to)), want.length)
    assert.deepEqual(shown(walkForward(grid, Date.parse(from), Date.parse(to))), shown(want))
    assert.deepEqual(shown(walkBack(grid, Date.parse(from), Date.parse(to))), shown(want))
    for (const slot of want) {
      assert.ok(isSlot(grid, slot))
      assert.equal(countBetween(grid, slot - 1, slot + 1), 1)
      assert.equal(countBetween(grid, slot, slot + 1), 0)
    }
  })

const shown = (instants: readonly Instant[]) => instants.map((instant) => new Date(instant).toISOString())

function walkForward(grid: CronGrid, from: Instant, to: Instant): readonly Instant[] {
  const found: Instant[] = []
  for (let slot = nextSlot(grid, from); slot !== null && slot < to; slot = nextSlot(grid, slot)) found.push(slot)
  return found
}

function walkBack(grid: CronGrid, from: Instant, to: Instant): readonly Instant[] {
  const found: Instant[] = []
  for (let slot = latestSlot(grid, to - 1); slot !== null && slot > from; slot = latestSlot(grid, slot - 1))
    found.unshift(slot)
  return found
}
