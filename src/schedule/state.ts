/**
 * The vocabulary of the schedule core.
 *
 * slot: the whole second a run is due · launch: creating the Job of a slot · skip: a slot that is due and deliberately
 * not launched · missed: a slot that passed while nobody could launch it.
 */

/** Epoch milliseconds of the wall clock. Only a Clock makes one out of thin air; everything else is handed one. */
export type Instant = number

/** Where the slots of a resource lie. */
export type Grid = IntervalGrid | CronGrid

export interface IntervalGrid {
  readonly kind: 'interval'
  /** k = 0: the creation of the resource, a whole second. */
  readonly anchor: Instant
  readonly intervalMs: number
  /** The first k that is a slot: 0 for `firstRun: AtCreation`, 1 for `AfterInterval`. */
  readonly firstIndex: 0 | 1
}

export interface CronGrid {
  readonly kind: 'cron'
  /** The creation of the resource, a whole second: every slot is later. */
  readonly anchor: Instant
  /** A text that `readCron` takes, and a name that `isTimeZone` knows. */
  readonly text: string
  readonly timeZone: string
}

/** Why no slot of a resource is launched for now. */
export type Pause = 'Suspended' | 'Deleting' | 'NotAccepted' | 'NotReady'

/** What to do when a slot is due and a Job of the resource has not finished: as CronJob has it. */
export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace'

/** What of a resource runs already. */
export interface Activity {
  /** Jobs known to be active. */
  readonly active: number
  /** Creates of other slots whose answer is not known: each of them may have made a Job that nobody has seen. */
  readonly unsettled: number
  /** When the newest Job that has finished did so, or null. */
  readonly busyUntil: Instant | null
}

/** Why a due slot is deliberately not launched. */
export type SkipReason = 'JobAlreadyActive' | 'TooManyActiveJobs'

/** All that the schedule of one SecondCronJob depends on, already validated. */
export interface ScheduleState {
  readonly grid: Grid
  /** No slot before this is ever launched or counted: the creation, or the last change of the schedule. */
  readonly since: Instant
  /** Newest slot launched, skipped or missed as far as anybody knows; null when there is none. Never run again. */
  readonly handledUntil: Instant | null
  /** Nothing was ever decided for this object: slots that passed before are not counted as missed. */
  readonly first: boolean
  readonly paused: Pause | null
  readonly startingDeadlineMs: number | null
  readonly concurrencyPolicy: ConcurrencyPolicy
  /** At so many active Jobs a slot is skipped; at least 1. */
  readonly activeJobsLimit: number
  readonly activity: Activity
}

/** What is to be done about the newest due slot. `missed` counts the older slots that passed unhandled before it. */
export type Action =
  | { readonly kind: 'launch'; readonly slot: Instant; readonly missed: number }
  | { readonly kind: 'skip'; readonly slot: Instant; readonly missed: number; readonly reason: SkipReason }
  | { readonly kind: 'miss'; readonly slot: Instant; readonly missed: number; readonly reason: 'DeadlineExceeded' }

/** What is to be done about a slot that was decided earlier, now that the world may be another one. */
export type Review =
  | { readonly kind: 'go' }
  /** The starting deadline has passed. */
  | { readonly kind: 'late' }
  /** A newer slot is due, and only one of them may have a Job. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'skip'; readonly reason: SkipReason }
  /** Suspended, deleted, edited: the slot is no slot any more. */
  | { readonly kind: 'unwanted' }
