import type { SecondCronJob } from '../api/secondcronjob.ts'
import { observedScheduleOf } from '../api/observed-schedule.ts'
import { parseTime } from '../api/time.ts'
import type { Activity, Grid, Instant, Pause, ScheduleState, SkipReason } from '../schedule/state.ts'
import type { Books } from './books.ts'
import type { RefusalReason } from './refusal.ts'

/**
 * What the scheduler remembers of one SecondCronJob. Everything in it that matters after a crash is in the status, or in
 * the names of the Jobs; the functions here are the only ones that make a new one out of an old one.
 */
export interface Track extends Books {
  readonly generation: number
  /** `observedSchedule` of what was seen last. */
  readonly schedule: string
  /** `scheduleSince`. */
  readonly since: Instant
  /** Newest slot decided here or known to be handled elsewhere. */
  readonly decided: Instant | null
  /** Newest slot launched. */
  readonly launched: Instant | null
  /** No decision was ever made for this object. */
  readonly first: boolean
  readonly failing: Failure | null
  /** Why the last slot was skipped, until one is launched again. */
  readonly skipping: SkipReason | null
  /** Why slots that are due are not decided, or null while they are. */
  readonly held: HeldReason | null
  /** The user has been told of the first launch after the creation or the last edit. */
  readonly announced: boolean
}

export interface Failure {
  readonly reason: RefusalReason | 'PodsRefused' | 'UnexpectedJob'
  readonly message: string
}

/** As `Missed` tells it of the slots that passed meanwhile. */
export type HeldReason = Extract<Pause, 'NotAccepted' | 'NotReady'> | 'Unavailable'

/** The schedule of an object whose spec does not parse: mending it is a change of schedule. */
export const invalid = 'invalid'

export function scheduleText(object: SecondCronJob): string {
  return object.spec.valid ? observedScheduleOf(object.spec) : invalid
}

/** A later look: an edit of the schedule moves `since`, any other edit moves nothing. */
export function observe(now: Instant, track: Track, object: SecondCronJob): Track {
  const schedule = scheduleText(object)
  const handledUntil = parseTime(object.status.handledUntil)
  const settled = latest(track.settled, handledUntil)
  const decided = latest(track.decided, latest(handledUntil, parseTime(object.status.lastScheduleTime)))
  const same = decided === track.decided && settled === track.settled
  const seen = same ? track : { ...track, decided, settled }
  if (object.generation === track.generation && schedule === track.schedule) return seen
  return {
    ...seen,
    generation: object.generation,
    schedule,
    since: hasChanged(schedule, object.generation, track) ? wholeSecondFrom(now) : track.since,
    announced: false,
    // Of a spec that is no more.
    failing: object.generation === track.generation ? track.failing : null,
  }
}

/** What else than the object decides about it. */
export interface Circumstances {
  readonly pause: Pause | null
  readonly activity: Activity
}

/** Everything that the pure core needs to know of one object. */
export function scheduleState(object: SecondCronJob, track: Track, of: Circumstances): ScheduleState | null {
  if (!object.spec.valid) return null
  const { startingDeadlineSeconds, concurrencyPolicy, activeJobsLimit } = object.spec
  return {
    grid: gridOf(object),
    since: track.since,
    handledUntil: track.decided,
    first: track.first,
    paused: of.pause,
    concurrencyPolicy,
    activeJobsLimit,
    activity: of.activity,
    startingDeadlineMs: startingDeadlineSeconds === null ? null : startingDeadlineSeconds * 1_000,
  }
}

/** The grid is counted from the creation and never from the last run, so that every replica finds the same slots. */
export function gridOf(object: SecondCronJob): Grid {
  if (!object.spec.valid) throw new TypeError('the grid of an object whose spec does not parse')
  const { schedule } = object.spec
  const anchor = object.createdAt
  if (schedule.kind === 'cron') return { kind: 'cron', anchor, text: schedule.text, timeZone: schedule.timeZone }
  return {
    kind: 'interval',
    anchor,
    intervalMs: schedule.intervalSeconds * 1_000,
    firstIndex: schedule.firstRun === 'AtCreation' ? 0 : 1,
  }
}

export function latest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  return b === null ? a : Math.max(a, b)
}

/** Two generations at once may have been a suspend and a resume while nobody looked. */
export function hasChanged(
  schedule: string,
  generation: number,
  seen: { readonly schedule: string; readonly generation: number },
): boolean {
  return schedule !== seen.schedule || generation - seen.generation >= 2
}

export function wholeSecondFrom(now: Instant): Instant {
  return Math.ceil(now / 1_000) * 1_000
}

/** Whether the status tells of the difference; what was only decided is not in it. */
export function isShown(before: Track, after: Track): boolean {
  return (
    before.settled !== after.settled ||
    before.launched !== after.launched ||
    before.failing !== after.failing ||
    before.missed !== after.missed ||
    before.skipped !== after.skipped ||
    before.generation !== after.generation ||
    before.since !== after.since
  )
}

/** Nothing was decided: why not, as long as a slot that is due may have to wait for it. */
export function holdBack(track: Track, { paused, concurrencyPolicy, activity }: ScheduleState): Track {
  const waits = paused === null && concurrencyPolicy !== 'Allow' && activity.unsettled > 0 ? 'Unavailable' : null
  const held = paused === 'NotAccepted' || paused === 'NotReady' ? paused : waits
  if (held === null ? track.held === null : track.held !== null) return track
  return { ...track, held }
}
