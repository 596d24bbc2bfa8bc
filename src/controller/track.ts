import type { SecondCronJob, RecentSlot } from '../api/secondcronjob.ts'
import { observedScheduleOf } from '../api/observed-schedule.ts'
import { formatTime, parseTime } from '../api/time.ts'
import { countBetween } from '../schedule/slots.ts'
import type { Activity, Grid, Instant, Pause, ScheduleState, SkipReason } from '../schedule/state.ts'
import type { RefusalReason } from './refusal.ts'

/**
 * What the scheduler remembers of one SecondCronJob. Everything in it that matters after a crash is in the status, or in
 * the names of the Jobs; the functions here are the only ones that make a new one out of an old one.
 */
export interface Track {
  readonly generation: number
  /** `observedSchedule` of what was seen last. */
  readonly schedule: string
  /** `scheduleSince`. */
  readonly since: Instant
  /** Newest slot decided here or known to be handled elsewhere. */
  readonly decided: Instant | null
  /** Newest slot with a final outcome: what `handledUntil` may be stored as. */
  readonly settled: Instant | null
  /** Newest slot launched. */
  readonly launched: Instant | null
  /** No decision was ever made for this object. */
  readonly first: boolean
  readonly missed: number
  readonly skipped: number
  /** Newest first, at most ten. */
  readonly recent: readonly RecentSlot[]
  readonly failing: Failure | null
  /** Why the last slot was skipped, until one is launched again. */
  readonly skipping: SkipReason | null
  /** The user has been told of the first launch after the creation or the last edit. */
  readonly announced: boolean
}

export interface Failure {
  readonly reason: RefusalReason | 'PodsRefused' | 'UnexpectedJob'
  readonly message: string
}

const mostRecent = 10

/** The schedule of an object whose spec does not parse: mending it is a change of schedule. */
export const invalid = 'invalid'

export function scheduleText(object: SecondCronJob): string {
  return object.spec.valid ? observedScheduleOf(object.spec) : invalid
}

/** The first look of this process at an object. `slots` are those of its Jobs, the newest one ever seen among them. */
export function beginTrack(now: Instant, object: SecondCronJob, slots: readonly Instant[]): Track {
  const { status } = object
  const newestJobSlot = slots.reduce<Instant | null>(latest, null)
  const schedule = scheduleText(object)
  const stored = parseTime(status.scheduleSince)
  const handledUntil = latest(parseTime(status.handledUntil), parseTime(status.lastScheduleTime))
  const known = latest(handledUntil, newestJobSlot)
  const changed = hasChanged(schedule, object.generation, {
    schedule: status.observedSchedule ?? schedule,
    generation: status.observedGeneration ?? 0,
  })
  const { missedCount: told = 0, skippedCount: skipped = 0, recent = [] } = status
  return {
    generation: object.generation,
    schedule,
    since: changed ? wholeSecondFrom(now) : (stored ?? object.createdAt),
    decided: known,
    settled: known,
    launched: latest(parseTime(status.lastScheduleTime), newestJobSlot),
    first: stored === null && known === null,
    missed: changed ? told : told + untold(object, handledUntil, slots),
    skipped,
    recent,
    failing: storedFailure(object),
    skipping: null,
    announced: status.observedGeneration === object.generation,
  }
}

/**
 * Slots without a Job between what the status says and the newest Job: whoever launched that one was gone before it could
 * tell. Before anything was ever decided nothing counts.
 */
function untold(object: SecondCronJob, handledUntil: Instant | null, slots: readonly Instant[]): number {
  if (!object.spec.valid || slots.length === 0) return 0
  const since = parseTime(object.status.scheduleSince) ?? object.createdAt
  const from = Math.max(handledUntil ?? Math.min(...slots), since - 1)
  const newest = Math.max(...slots)
  const launched = new Set(slots.filter((slot) => slot > from && slot < newest))
  return Math.max(0, countBetween(gridOf(object), from, newest) - launched.size)
}

/** A later look: an edit of the schedule moves `since`, any other edit moves nothing. */
export function observe(now: Instant, track: Track, object: SecondCronJob): Track {
  const schedule = scheduleText(object)
  const stored = latest(parseTime(object.status.handledUntil), parseTime(object.status.lastScheduleTime))
  const decided = latest(track.decided, stored)
  const settled = latest(track.settled, stored)
  const same = decided === track.decided && settled === track.settled
  const seen = same ? track : { ...track, decided, settled }
  if (object.generation === track.generation && schedule === track.schedule) return seen
  return {
    ...seen,
    generation: object.generation,
    schedule,
    since: hasChanged(schedule, object.generation, track) ? wholeSecondFrom(now) : track.since,
    announced: false,
  }
}

export function addMissed(track: Track, count: number, slot: RecentSlot | null): Track {
  const recent = slot === null ? track.recent : [slot, ...track.recent].slice(0, mostRecent)
  return { ...track, missed: track.missed + count, recent }
}

/** A create that was given up for lost did arrive: its Job is there. */
export function forgiveMissed(track: Track, slot: Instant): Track {
  const text = formatTime(slot)
  const recent = track.recent.filter((entry) => entry.slot !== text || entry.outcome === 'Skipped')
  return recent.length === track.recent.length ? track : { ...track, recent, missed: Math.max(0, track.missed - 1) }
}

export function addSkipped(track: Track, slot: Instant, reason: SkipReason): Track {
  const recent = [{ slot: formatTime(slot), outcome: 'Skipped', reason } as const, ...track.recent].slice(0, mostRecent)
  return { ...track, skipped: track.skipped + 1, skipping: reason, recent }
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
function hasChanged(
  schedule: string,
  generation: number,
  seen: { readonly schedule: string; readonly generation: number },
): boolean {
  return schedule !== seen.schedule || generation - seen.generation >= 2
}

function wholeSecondFrom(now: Instant): Instant {
  return Math.ceil(now / 1_000) * 1_000
}

function storedFailure(object: SecondCronJob): Failure | null {
  const condition = object.status.conditions?.find(({ type }) => type === 'Failing')
  if (condition?.status !== 'True') return null
  return { reason: condition.reason as Failure['reason'], message: condition.message }
}
