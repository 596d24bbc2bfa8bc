import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decide } from '../../../src/schedule/decide.ts'
import { countBetween, isSlot, latestSlot, nextSlot } from '../../../src/schedule/slots.ts'
import type { Action, Grid, Instant, ScheduleState } from '../../../src/schedule/state.ts'
import { aScheduleState, handled } from '../../support/schedule-state.ts'

/** What holds of `decide` for every schedule, whenever it is asked. */

const hourMs = 3_600_000
/** New York's clocks are changed in the middle of the hours that follow. */
const creations = ['2027-03-14T06:50:00Z', '2027-11-07T05:20:00Z', '2027-06-01T12:00:00Z'].map(Date.parse)
const texts = ['* * * * * *', '*/7 * * * * *', '0 */5 * * * *', '30 10,40 * * * *', '0 30 1-3 * * *', '0 0 0 29 2 *']

const creation = fc.constantFrom(...creations)
const grids: fc.Arbitrary<Grid> = fc.oneof(
  fc.record({
    kind: fc.constant('interval' as const),
    anchor: creation,
    intervalMs: fc.integer({ min: 1, max: 4_000 }).map((seconds) => seconds * 1_000),
    firstIndex: fc.constantFrom<0 | 1>(0, 1),
  }),
  fc.record({
    kind: fc.constant('cron' as const),
    anchor: creation,
    text: fc.constantFrom(...texts),
    timeZone: fc.constantFrom('America/New_York', 'UTC'),
  }),
)
const offset = fc.integer({ min: -hourMs, max: 3 * hourMs })
const states = fc
  .record({
    grid: grids,
    since: fc.integer({ min: 0, max: 7_200 }),
    handledUntil: fc.option(offset),
    first: fc.boolean(),
    startingDeadlineMs: fc.option(fc.integer({ min: 1, max: 600 }).map((seconds) => seconds * 1_000)),
  })
  .map(({ grid, since, handledUntil, ...rest }) => {
    const known = handledUntil === null ? null : (latestSlot(grid, grid.anchor + handledUntil) ?? null)
    return aScheduleState(grid, { since: grid.anchor + since * 1_000, handledUntil: known, ...rest })
  })
const ticks = fc.array(offset, { minLength: 1, maxLength: 40 })

/** Ticks in any order, each decision remembered as the scheduler does it. */
function run(state: ScheduleState, times: readonly Instant[]): { actions: Action[]; end: ScheduleState } {
  const actions: Action[] = []
  let end = state
  for (const now of times) {
    const action = decide(now, end)
    if (action === null) continue
    actions.push(action)
    end = handled(end, action.slot)
  }
  return { actions, end }
}

const instants = (state: ScheduleState, times: readonly number[]) => times.map((time) => state.grid.anchor + time)

test('never early, never before since, never on or before what is handled, always on the grid', () => {
  fc.assert(
    fc.property(states, offset, (state, time) => {
      const now = state.grid.anchor + time
      const action = decide(now, state)
      if (action === null) return
      assert.ok(action.slot <= now && action.slot >= state.since && isSlot(state.grid, action.slot))
      assert.ok(state.handledUntil === null || action.slot > state.handledUntil)
      assert.equal(action.slot, latestSlot(state.grid, now), 'it is the newest one')
    }),
  )
})

test('whatever the ticks, also back and forth: no slot twice, and slots only rise', () => {
  fc.assert(
    fc.property(states, ticks, (state, times) => {
      const slots = run(state, instants(state, times)).actions.map(({ slot }) => slot)
      for (const [index, slot] of slots.entries()) assert.ok(index === 0 || slot > Number(slots[index - 1]))
    }),
  )
})

test('asked again at once: nothing; asked twice about the same: the same', () => {
  fc.assert(
    fc.property(states, offset, (state, time) => {
      const now = state.grid.anchor + time
      const action = decide(now, state)
      assert.deepEqual(decide(now, structuredClone(state)), action)
      if (action !== null) assert.equal(decide(now, handled(state, action.slot)), null)
    }),
  )
})

test('after a gap of any length: one run, and the others are counted', () => {
  fc.assert(
    fc.property(states, offset, (state, time) => {
      const now = state.grid.anchor + time
      const seen = { ...state, first: false }
      const { actions } = run(seen, [now, now, now + 1])
      const onTime = nextSlot(state.grid, now) === now + 1 ? 1 : 0
      assert.ok(actions.length <= 1 + onTime)
      const [action] = actions
      if (action === undefined) return
      const before = Math.max(seen.since - 1, seen.handledUntil ?? -Infinity)
      assert.equal(action.missed, countBetween(state.grid, before, action.slot))
    }),
  )
})

test('slots are not lost to the choice of ticks: launched, missed and counted ones are all that there are', () => {
  fc.assert(
    fc.property(states, ticks, (state, times) => {
      const seen = { ...state, first: false }
      const rising = instants(seen, times).sort((a, b) => a - b)
      const { actions, end } = run(seen, rising)
      if (end.handledUntil === seen.handledUntil) return
      const before = Math.max(seen.since - 1, seen.handledUntil ?? -Infinity)
      const accounted = actions.reduce((sum, { missed }) => sum + missed + 1, 0)
      assert.equal(accounted, countBetween(seen.grid, before, Number(end.handledUntil)) + 1)
    }),
  )
})

test('where it stands in the end goes by the last tick alone, whatever ticks came before', () => {
  fc.assert(
    fc.property(states, ticks, offset, (state, times, last) => {
      const now = state.grid.anchor + last
      const earlier = instants(state, times).filter((time) => time <= now)
      assert.equal(run(state, [...earlier, now]).end.handledUntil, run(state, [now]).end.handledUntil)
    }),
  )
})

test('two replicas that see the same objects decide the same, whatever each was asked before', () => {
  fc.assert(
    fc.property(states, ticks, offset, (state, times, time) => {
      const now = state.grid.anchor + time
      const fresh = decide(now, state)
      // The memory of the core is shared: what was asked of other moments must not show.
      for (const other of instants(state, times)) decide(other, state)
      assert.deepEqual(decide(now, structuredClone(state)), fresh)
    }),
  )
})

test('every second a tick: every slot is launched in its second', () => {
  fc.assert(
    fc.property(grids, fc.integer({ min: 0, max: 7_200 }), fc.integer({ min: 0, max: 999 }), (grid, start, ms) => {
      const from = grid.anchor + start * 1_000
      const state = handled(aScheduleState(grid), from)
      const times = Array.from({ length: 300 }, (_, n) => from + n * 1_000 + ms)
      const { actions } = run(state, times)
      assert.equal(actions.length, countBetween(grid, from, from + 300_000))
      for (const action of actions) assert.deepEqual([action.kind, action.missed], ['launch', 0])
    }),
  )
})
