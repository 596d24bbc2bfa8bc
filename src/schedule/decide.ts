import { countBetween, isSlot, latestSlot } from './slots.ts'
import type { Action, Instant, Review, ScheduleState, SkipReason } from './state.ts'

const inTimeMs = 2_000

/**
 * What to do now for one SecondCronJob, or null.
 *
 * Guarantees: same inputs, same answer; too early or twice is harmless; never a slot in the future, never one at or
 * before `handledUntil`, never one before `since`. However long nobody looked, at most one slot is launched: the newest.
 * Under Forbid and Replace nothing is decided while a create of this resource is unsettled: it decides about the next.
 */
export function decide(now: Instant, state: ScheduleState): Action | null {
  const slot = state.paused === null ? newestDue(now, state) : null
  if (slot === null) return null

  const missed = state.first ? 0 : countBetween(state.grid, lastUncounted(state), slot)
  if (isTooLate(now, slot, state)) return { kind: 'miss', slot, missed, reason: 'DeadlineExceeded' }
  if (state.concurrencyPolicy !== 'Allow' && state.activity.unsettled > 0) return null
  const obstacle = wasBusy(now, slot, state) ? 'JobAlreadyActive' : obstacleOf(state)
  return obstacle === null ? { kind: 'launch', slot, missed } : { kind: 'skip', slot, missed, reason: obstacle }
}

/** Whether a slot that was decided earlier may still be launched: asked before its create is sent. */
export function review(now: Instant, slot: Instant, state: ScheduleState): Review {
  if (state.paused !== null || slot < state.since || !isSlot(state.grid, slot)) return { kind: 'unwanted' }
  if (isTooLate(now, slot, state)) return { kind: 'late' }
  const newest = latestSlot(state.grid, now) ?? slot
  if (state.concurrencyPolicy !== 'Allow' && newest > slot) return { kind: 'superseded' }
  const obstacle = obstacleOf(state)
  return obstacle === null ? { kind: 'go' } : { kind: 'skip', reason: obstacle }
}

/** The newest slot that nobody has handled, or null. */
function newestDue(now: Instant, { grid, since, handledUntil }: ScheduleState): Instant | null {
  const slot = latestSlot(grid, now) ?? -Infinity
  return slot < since || slot <= (handledUntil ?? -Infinity) ? null : slot
}

/** A create that is not settled counts as a Job: it may well be one. */
function obstacleOf({ concurrencyPolicy, activeJobsLimit, activity }: ScheduleState): SkipReason | null {
  const atMost = activity.active + activity.unsettled
  if (concurrencyPolicy === 'Forbid' && atMost > 0) return 'JobAlreadyActive'
  return concurrencyPolicy === 'Allow' && atMost >= activeJobsLimit ? 'TooManyActiveJobs' : null
}

/**
 * Whether Forbid has skipped a slot that nobody could decide when it was due: a Job ran then, and whoever led before does
 * not run it later. The time of an end is another machine's, so a decision in time does not go by it; nor does a look at a
 * slot that was decided: what has begun and ended since then (by run-now, while the slot was refused) is no obstacle.
 */
function wasBusy(now: Instant, slot: Instant, { concurrencyPolicy, activity: { busyUntil } }: ScheduleState): boolean {
  return concurrencyPolicy === 'Forbid' && (busyUntil ?? -Infinity) > slot && now - slot > inTimeMs
}

function isTooLate(now: Instant, slot: Instant, state: ScheduleState): boolean {
  return state.startingDeadlineMs !== null && now - slot > state.startingDeadlineMs
}

/** `since` itself may be a slot and counts, hence the millisecond before it. */
function lastUncounted(state: ScheduleState): Instant {
  const beforeSince = state.since - 1
  return Math.max(state.handledUntil ?? beforeSince, beforeSince)
}
