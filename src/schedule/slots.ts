import type { Grid, Instant } from './state.ts'

/** The newest slot at or before `now`, or null when the first one is still to come. */
export function latestSlot(grid: Grid, now: Instant): Instant | null {
  const index = Math.floor((now - grid.anchor) / grid.intervalMs)
  return index < grid.firstIndex ? null : grid.anchor + index * grid.intervalMs
}

/** The first slot strictly after `after`. */
export function nextSlot(grid: Grid, after: Instant): Instant {
  const index = Math.floor((after - grid.anchor) / grid.intervalMs) + 1
  return grid.anchor + Math.max(index, grid.firstIndex) * grid.intervalMs
}

/** How many slots lie strictly between the two. Arithmetic, not iteration: a day of seconds costs the same as one. */
export function countBetween(grid: Grid, after: Instant, before: Instant): number {
  const first = nextSlot(grid, after)
  return first >= before ? 0 : Math.ceil((before - first) / grid.intervalMs)
}

/** Whether `instant` is a slot of this grid: an edit may have moved the grid since the slot was decided. */
export function isSlot(grid: Grid, instant: Instant): boolean {
  return latestSlot(grid, instant) === instant
}
