import { countCronBetween, foreseeCron, slotsAround } from './cron.ts'
import type { Grid, Instant, IntervalGrid } from './state.ts'

/** The newest slot at or before `now`, or null when the first one is still to come. */
export function latestSlot(grid: Grid, now: Instant): Instant | null {
  if (grid.kind === 'interval') return latestOfInterval(grid, now)
  const { latest } = slotsAround(grid, now)
  return latest === null || latest <= grid.anchor ? null : latest
}

/** The first slot strictly after `after`; null when none is to come, which no schedule that was accepted runs into. */
export function nextSlot(grid: Grid, after: Instant): Instant | null {
  return grid.kind === 'interval' ? nextOfInterval(grid, after) : slotsAround(grid, Math.max(after, grid.anchor)).next
}

/** How many slots lie strictly between the two. Arithmetic, not iteration: a day of seconds costs the same as one. */
export function countBetween(grid: Grid, after: Instant, before: Instant): number {
  if (grid.kind === 'cron') return countCronBetween(grid, after, before)
  return Math.max(0, Math.ceil((before - nextOfInterval(grid, after)) / grid.intervalMs))
}

/**
 * Calculates ahead what is going to be asked when the next slots of this grid are due. It changes no answer; whoever has
 * a moment to spare calls it, and again after each slot.
 */
export function foresee(grid: Grid, now: Instant): void {
  if (grid.kind === 'cron') foreseeCron(grid, Math.max(now, grid.anchor))
}

/** Whether `instant` is a slot of this grid: an edit may have moved the grid since the slot was decided. */
export function isSlot(grid: Grid, instant: Instant): boolean {
  return latestSlot(grid, instant) === instant
}

function latestOfInterval(grid: IntervalGrid, now: Instant): Instant | null {
  const index = Math.floor((now - grid.anchor) / grid.intervalMs)
  return index < grid.firstIndex ? null : grid.anchor + index * grid.intervalMs
}

function nextOfInterval(grid: IntervalGrid, after: Instant): Instant {
  const index = Math.floor((after - grid.anchor) / grid.intervalMs) + 1
  return grid.anchor + Math.max(index, grid.firstIndex) * grid.intervalMs
}
