import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTicker } from '../../../src/controller/ticker.ts'
import { decide } from '../../../src/schedule/decide.ts'
import type { Grid, Instant } from '../../../src/schedule/state.ts'
import { aScheduleState, handled } from '../../support/schedule-state.ts'
import { ManualClock } from '../../support/manual-clock.ts'

/** Twenty-four hours of ticks, one a second, and what is launched in them. */

const secondMs = 1_000

const interval = (from: string, seconds: number): Grid => {
  return { kind: 'interval', anchor: Date.parse(from), intervalMs: seconds * secondMs, firstIndex: 0 }
}
const cron = (from: string, text: string, timeZone: string): Grid => {
  return { kind: 'cron', anchor: Date.parse(from), text, timeZone }
}

/** 24 hours from a moment on, with its edges in the middle: created a moment before the first tick. */
interface Day {
  readonly from: string
  readonly grids: Readonly<Record<string, { readonly grid: Grid; readonly want: readonly Instant[] }>>
}

function every(from: string, seconds: number, first = 0): readonly Instant[] {
  const count = Math.floor((86_400 - 1 - first) / seconds) + 1
  return Array.from({ length: count }, (_, k) => Date.parse(from) + (first + k * seconds) * secondMs)
}

function dayFrom(from: string, text: string, timeZone: string, want: readonly Instant[]): Day {
  return {
    from,
    grids: {
      'every second': { grid: interval(from, 1), want: every(from, 1) },
      'every seven seconds': { grid: interval(from, 7), want: every(from, 7) },
      [`${text} in ${timeZone}`]: { grid: cron(from, text, timeZone), want },
    },
  }
}

/** Its creation is no slot, the first one is ten seconds later. */
const tens = (from: string) => every(from, 10, 10)
const springInNewYork = '2027-03-13T20:00:00Z'
const autumnInNewYork = '2027-11-06T20:00:00Z'
const autumn = dayFrom(autumnInNewYork, '*/10 * * * * *', 'America/New_York', tens(autumnInNewYork))
const days: readonly Day[] = [
  dayFrom(springInNewYork, '*/10 * * * * *', 'America/New_York', tens(springInNewYork)),
  autumn,
  dayFrom('2027-03-27T12:00:00Z', '0 30 2 * * *', 'Europe/Berlin', [Date.parse('2027-03-28T01:00:00Z')]),
  dayFrom('2027-10-30T12:00:00Z', '0 30 2 * * *', 'Europe/Berlin', [Date.parse('2027-10-31T00:30:00Z')]),
]

/** Calls `tick` at every second of the day. */
type Walk = (from: Instant, tick: (now: Instant) => void) => Promise<void>

const bySeconds: Walk = async (from, tick) => {
  for (let now = from; now < from + 86_400_000; now += secondMs) tick(now)
}

/** As the operator does it; seconds of computing for each day. */
const byTicker: Walk = async (from, tick) => {
  const clock = new ManualClock(new Date(from).toISOString())
  const stop = new AbortController()
  const running = runTicker(clock, secondMs, tick, stop.signal)
  await clock.advanceTo(from + 86_400_000 - 1)
  stop.abort()
  await running
}

const walks: readonly (readonly [Day, Walk])[] = [...days.map((day) => [day, bySeconds] as const), [autumn, byTicker]]
for (const [{ from, grids }, walk] of walks)
  test(`24 hours from ${from}, ${walk.name}: every slot once, to the second, and none beside it`, async () => {
    const launched = await launchedInADay(from, Object.values(grids), walk)
    for (const [index, [name, { want }]] of Object.entries(grids).entries())
      assert.deepEqual(launched[index], want, name)
  })

async function launchedInADay(from: string, grids: readonly { readonly grid: Grid }[], walk: Walk) {
  const launched: Instant[][] = grids.map(() => [])
  const states = grids.map(({ grid }) => aScheduleState(grid))
  await walk(Date.parse(from), (now) => {
    for (const [index, state] of states.entries()) {
      const action = decide(now, state)
      if (action === null) continue
      assert.deepEqual(action, { kind: 'launch', slot: now, missed: 0 })
      launched[index]?.push(action.slot)
      states[index] = handled(state, action.slot)
    }
  })
  return launched
}
