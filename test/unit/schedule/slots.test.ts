import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countBetween, isSlot, latestSlot, nextSlot } from '../../../src/schedule/slots.ts'
import type { IntervalGrid } from '../../../src/schedule/state.ts'

const grids: fc.Arbitrary<IntervalGrid> = fc.record({
  kind: fc.constant('interval' as const),
  anchor: fc.integer({ min: 0, max: 1_000 }).map((second) => second * 1_000),
  intervalMs: fc.integer({ min: 1, max: 50 }).map((seconds) => seconds * 1_000),
  firstIndex: fc.constantFrom<0 | 1>(0, 1),
})
const instants = fc.integer({ min: 0, max: 1_500_000 })

/** The definition, read aloud: creation + k·interval. Slow, and right by looking at it. */
function allSlots(grid: IntervalGrid): number[] {
  return Array.from({ length: 2_000 }, (_, k) => grid.anchor + k * grid.intervalMs).slice(grid.firstIndex)
}

test('the latest slot is the last of all slots that is not in the future', () => {
  fc.assert(
    fc.property(grids, instants, (grid, now) => {
      assert.equal(latestSlot(grid, now), allSlots(grid).findLast((slot) => slot <= now) ?? null)
    }),
  )
})

test('the next slot is the first of all slots that is later', () => {
  fc.assert(
    fc.property(grids, instants, (grid, after) => {
      assert.equal(
        nextSlot(grid, after),
        allSlots(grid).find((slot) => slot > after),
      )
    }),
  )
})

test('the count between two instants is the number of slots strictly between them', () => {
  fc.assert(
    fc.property(grids, instants, instants, (grid, after, before) => {
      const between = allSlots(grid).filter((slot) => slot > after && slot < before)
      assert.equal(countBetween(grid, after, before), between.length)
    }),
  )
})

test('an instant is a slot when it is one of them', () => {
  fc.assert(
    fc.property(grids, instants, (grid, instant) => {
      assert.equal(isSlot(grid, instant), allSlots(grid).includes(instant))
    }),
  )
})
