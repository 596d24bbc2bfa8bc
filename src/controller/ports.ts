import type { Job } from '../api/job.ts'
import type { SecondCronJob, Status } from '../api/secondcronjob.ts'
import type { JobTemplate } from '../api/template.ts'
import type { Instant } from '../schedule/state.ts'

/**
 * The API server as the controller sees it. `kube/` implements these; tests use fakes. Every call rejects with an
 * `ApiError` (api/api-error.ts) and with nothing else; every call is limited in time.
 */
export interface JobControl {
  /**
   * Creates the Job. `isWanted` is asked in the turn in which the request is written: false is the `NotSent` error.
   * A taken name is the `AlreadyExists` error: the caller finds out whose it is.
   */
  create(namespace: string, manifest: JobManifest, options: CreateOptions): Promise<Created>
  /** null when the server says that there is none. */
  get(namespace: string, name: string): Promise<Job | null>
  /** A fresh, consistent list of the Jobs that carry our label with this resource's name. */
  list(namespace: string, owner: string): Promise<readonly Job[]>
  /** With preconditions uid and resourceVersion, propagation Background. `Conflict` is an error, absence is not. */
  delete(job: Job): Promise<void>
}

export interface CreateOptions {
  readonly dryRun?: boolean
  /** Sent as `?timeout=`, so that the server gives up by itself; the client waits a little longer. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly isWanted?: () => boolean
}

export interface Created {
  /** The Job as the API server has it now; null for a dry run. */
  readonly job: Job | null
  /** The texts of the answer's `Warning` headers. */
  readonly warnings: readonly string[]
}

/** A batch/v1 Job as it is sent. */
export interface JobManifest {
  readonly apiVersion: 'batch/v1'
  readonly kind: 'Job'
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace: string }
  readonly spec: Readonly<Record<string, unknown>>
  /** The whole of it in JSON, of a large one: it is sent instead, and the rest tells only what the sender needs to know. */
  readonly json?: Uint8Array
}

/** An object as it is at the API server now, with what is not held of it; null when its spec is wrong. */
export interface WithTemplate {
  readonly object: SecondCronJob
  readonly template: JobTemplate | null
}

export interface SecondCronJobControl {
  /** null when the server says that there is none (a `NotFound` that names it); any other failure rejects. */
  get(namespace: string, name: string): Promise<SecondCronJob | null>
  /** The same, with the template, of any size. */
  getWithTemplate(namespace: string, name: string, signal: AbortSignal): Promise<WithTemplate | null>
  /** Guarded JSON patch; answers the object after it. Rejects with `Invalid` when a guard (uid) fails. */
  addFinalizer(object: SecondCronJob): Promise<SecondCronJob>
  /** Guarded JSON patch of our entry at its current index; answers null when the object went with it. */
  removeFinalizer(object: SecondCronJob): Promise<SecondCronJob | null>
  /** Replaces the status, with `test` of uid and of the old `handledUntil`. Rejects with `Invalid` when one fails. */
  patchStatus(object: SecondCronJob, status: Status): Promise<SecondCronJob>
}

export interface UserEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: EventReason
  readonly action: string
  /** At most 1,024 bytes arrive. */
  readonly note: string
}

export type EventReason =
  | 'SuccessfulCreate'
  | 'FailedCreate'
  | 'MissSchedule'
  | 'UnexpectedJob'
  | 'JobAlreadyActive'
  | 'TooManyActiveJobs'
  | 'InvalidSchedule'
  | 'UnknownTimeZone'
  | 'InvalidTemplate'
  | 'InvalidSpec'
  | 'Suspended'
  | 'Resumed'

/** Tells the user; never throws, never waits, drops what the rate limit does not let through. */
export interface EventRecorder {
  record(object: SecondCronJob, event: UserEvent, now: Instant): void
}

/** What came of a create. `unknown`: no clear answer. `withdrawn`: no byte of it was sent. */
export type LaunchResult = 'created' | 'exists' | 'rejected' | 'failed' | 'unknown' | 'withdrawn'

/** Counts what the controller does. */
export interface Tally {
  /** A create was written to its connection so long after its slot. */
  wrote(latenessMs: number): void
  answered(result: LaunchResult): void
  missed(reason: string, count: number): void
  skipped(reason: string): void
}

/** A read-only view of a store. */
export interface View<T> {
  get(uid: string): T | undefined
  values(): IterableIterator<T>
  readonly size: number
}
