import type { ConcurrencyPolicy, Instant } from '../schedule/state.ts'
import type { HeldTemplate } from './template.ts'

/** A SecondCronJob as the inside of the operator sees it: parsed once at the door, then true by type. */
export interface SecondCronJob {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
  readonly generation: number
  /** metadata.creationTimestamp, a whole second. */
  readonly createdAt: Instant
  /** metadata.deletionTimestamp, or null while the object is not being deleted. */
  readonly deletingSince: Instant | null
  readonly finalizers: readonly string[]
  /** The annotation that asks for one extra Job for each new token, or null. */
  readonly runNow: string | null
  readonly spec: ParsedSpec
  /** The status as it is stored; a field that does not parse is absent. */
  readonly status: Status
}

/** An object that a schema older than ours let in may be wrong in any way; it is kept and shown, never launched. */
export type ParsedSpec =
  | ({ readonly valid: true } & Spec)
  | {
      readonly valid: false
      /** What is wrong with it, in one word. */
      readonly reason: InvalidReason
      /** One sentence a problem, each naming the field and what to write there. */
      readonly problems: readonly string[]
    }

/** `InvalidSpec` when more than the schedule is wrong. */
export type InvalidReason = 'InvalidSpec' | 'InvalidSchedule' | 'UnknownTimeZone'

/** When the slots are. */
export type Schedule =
  | {
      readonly kind: 'interval'
      readonly intervalSeconds: number
      readonly firstRun: 'AtCreation' | 'AfterInterval'
    }
  /** The text with single blanks, and the zone as it was written. */
  | { readonly kind: 'cron'; readonly text: string; readonly timeZone: string }

export interface Spec {
  readonly schedule: Schedule
  readonly suspend: boolean
  readonly startingDeadlineSeconds: number | null
  readonly concurrencyPolicy: ConcurrencyPolicy
  readonly activeJobsLimit: number
  readonly successfulJobsHistoryLimit: number
  readonly failedJobsHistoryLimit: number
  readonly jobTemplate: HeldTemplate
}

export type ConditionType = 'Accepted' | 'Ready' | 'Failing'

export interface Condition {
  readonly type: ConditionType
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  readonly observedGeneration: number
  readonly lastTransitionTime: string
}

export interface JobReference {
  readonly kind: 'Job'
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export interface RecentSlot {
  readonly slot: string
  readonly outcome: 'Skipped' | 'Missed' | 'Refused'
  readonly reason: string
}

/** The wire form of the status; times are RFC 3339, UTC, whole seconds. */
export interface Status {
  readonly observedGeneration?: number | undefined
  /** `every 10s`, `0 30 2 * * * (Europe/Berlin)`, or `suspended`. A difference to the spec's own is how a change of schedule is seen. */
  readonly observedSchedule?: string | undefined
  /** No slot before this is ever launched. */
  readonly scheduleSince?: string | undefined
  /** Newest slot launched, skipped or missed: never run again. */
  readonly handledUntil?: string | undefined
  readonly lastScheduleTime?: string | undefined
  readonly lastSuccessfulTime?: string | undefined
  readonly lastFailedTime?: string | undefined
  readonly nextScheduleTime?: string | undefined
  readonly active?: readonly JobReference[] | undefined
  readonly activeCount?: number | undefined
  readonly missedCount?: number | undefined
  readonly skippedCount?: number | undefined
  readonly recent?: readonly RecentSlot[] | undefined
  readonly lastManualRun?: string | undefined
  /** How many run-now tokens were served, ever; written with the last of them. */
  readonly manualRunCount?: number | undefined
  readonly conditions?: readonly Condition[] | undefined
}

/** The condition of this type, as it is stored. */
export function conditionOf({ conditions }: Status, type: Condition['type']): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}
