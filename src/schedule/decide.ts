import { countBetween, isSlot, latestSlot } from './slots.ts'
import type { Action, Instant, ScheduleState } from './state.ts'

/**
 * What to do now for one SecondCronJob, or null.
 *
 * Guarantees: same inputs, same answer; too early or twice is harmless; never a slot in the future, never one at or
 * before `handledUntil`, never one before `since`. However long nobody looked, at most one slot is launched: the newest.
 */
export function decide(now: Instant, state: ScheduleState): Action | null {
  if (state.paused !== null) return null

  const slot = latestSlot(state.grid, now)
  if (slot === null || slot < state.since) return null
  if (state.handledUntil !== null && slot <= state.handledUntil) return null

  const missed = state.first ? 0 : countBetween(state.grid, lastUncounted(state), slot)
  return isTooLate(now, slot, state)
    ? { kind: 'miss', slot, missed, reason: 'DeadlineExceeded' }
    : { kind: 'launch', slot, missed }
}

/** Whether a slot that was decided earlier may still be launched, now that the resource may have been changed. */
export function isStillWanted(now: Instant, slot: Instant, state: ScheduleState): boolean {
  return state.paused === null && slot >= state.since && isSlot(state.grid, slot) && !isTooLate(now, slot, state)
}

function isTooLate(now: Instant, slot: Instant, state: ScheduleState): boolean {
  return state.startingDeadlineMs !== null && now - slot > state.startingDeadlineMs
}

/** `since` itself may be a slot and counts, hence the millisecond before it. */
function lastUncounted(state: ScheduleState): Instant {
  const beforeSince = state.since - 1
  return state.handledUntil === null ? beforeSince : Math.max(state.handledUntil, beforeSince)
}
