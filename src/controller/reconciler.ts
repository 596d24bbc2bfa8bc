import type { Logger } from 'pino'
import { type ApiError, asApiError } from '../api/api-error.ts'
import type { Job } from '../api/job.ts'
import { finalizer } from '../api/names.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { Clock, Monotonic } from '../clock.ts'
import type { Acceptance } from './acceptance.ts'
import type { Finalizer } from './finalizer.ts'
import { HistoryCleaner } from './history-cleaner.ts'
import { isProof } from './manual-ask.ts'
import type { ManualRuns } from './manual-runs.ts'
import type { JobControl, SecondCronJobControl } from './ports.ts'
import { laterPauseMs } from './refusal.ts'
import type { StatusWriter } from './status-writer.ts'
import { WorkQueue } from './work-queue.ts'

export interface ReconcilerParts {
  readonly clock: Clock
  readonly log: Logger
  readonly jobs: JobControl
  readonly objects: SecondCronJobControl
  readonly stored: (uid: string) => SecondCronJob | undefined
  readonly owned: (uid: string) => readonly Job[]
  readonly acceptance: Acceptance
  readonly finalizer: Finalizer
  readonly manualRuns: ManualRuns
  readonly status: StatusWriter
  /** An answer of the API server: the object as it is now. */
  readonly put: (object: SecondCronJob) => void
  /** The API server has said that this uid is no more. */
  readonly bury: (uid: string) => void
  readonly buryJob: (uid: string) => void
}

interface Failures {
  readonly count: number
  /** Of the object that it failed on; another one is worth a try at once. */
  readonly resourceVersion: string
  readonly notBefore: Monotonic
}

/**
 * To end a resource takes many requests: a hundred that are deleted at once must not hold up a new one. Nor may a new one, or
 * one that was edited, for which somebody waits, stand behind the statuses of a thousand, nor these behind their old Jobs.
 */
const atOnce = { ending: 4, beginning: 4, edited: 4, serving: 8, cleaning: 8 }
const firstBackoffMs = 250

/**
 * Brings one resource at a time to where it should be: finalizer, verdict, history, status, or its end.
 * Level-driven: a key says only that something may have changed; a turn that fails comes back by itself, later each time.
 */
export class Reconciler {
  readonly #parts: ReconcilerParts
  readonly #history: HistoryCleaner
  readonly #queue: WorkQueue
  /** Of those whose Jobs may be beyond the history limits. */
  readonly #cleaning: WorkQueue
  readonly #failures = new Map<string, Failures>()

  constructor(parts: ReconcilerParts) {
    this.#parts = parts
    this.#history = new HistoryCleaner({ ...parts, isProof })
    const isEnding = (uid: string) => parts.stored(uid)?.deletingSince != null
    const isNew = (uid: string) => parts.stored(uid)?.finalizers.includes(finalizer) === false
    const isEdited = (uid: string) => isUnobserved(parts.stored(uid))
    const ending = { concurrency: atOnce.ending, holds: isEnding }
    const beginning = { concurrency: atOnce.beginning, holds: isNew }
    const edited = { concurrency: atOnce.edited, holds: isEdited }
    const serving = { concurrency: atOnce.serving, holds: () => true }
    this.#queue = new WorkQueue([ending, beginning, edited, serving], (uid) => this.#turn(uid))
    const all = { concurrency: atOnce.cleaning, holds: () => true }
    this.#cleaning = new WorkQueue([all], (uid) => this.#clean(uid))
  }

  add(uid: string): void {
    this.#queue.add(uid)
  }

  tick(now: Monotonic): void {
    this.#queue.tick(now)
    this.#cleaning.tick(now)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#queue.stop(), this.#cleaning.stop()])
  }

  async #turn(uid: string): Promise<void> {
    const object = this.#parts.stored(uid)
    if (object === undefined) return this.#forget(uid)
    const failed = this.#failures.get(uid)
    if (failed?.resourceVersion === object.resourceVersion && failed.notBefore > this.#parts.clock.monotonic())
      return this.#later(uid, failed.notBefore)
    try {
      if (object.deletingSince === null) await this.#serve(object)
      else await this.#finalize(object)
      this.#failures.delete(uid)
    } catch (thrown) {
      await this.#recover(object, asApiError(thrown))
    }
  }

  async #serve(found: SecondCronJob): Promise<void> {
    this.#later(found.uid, this.#parts.acceptance.request(found))
    const object = await this.#withFinalizer(found)
    this.#later(object.uid, this.#parts.manualRuns.request(object))
    this.#cleaning.add(object.uid)
    const { object: written, again } = await this.#parts.status.write(object)
    this.#later(object.uid, again)
    if (written !== null) this.#parts.put(written)
  }

  async #clean(uid: string): Promise<void> {
    const object = this.#parts.stored(uid)
    if (object === undefined || object.deletingSince !== null) return
    const again = await this.#history.clean(object)
    if (again !== null) this.#cleaning.addLater(uid, again)
  }

  async #withFinalizer(object: SecondCronJob): Promise<SecondCronJob> {
    if (!object.spec.valid || object.finalizers.includes(finalizer)) return object
    const after = await this.#parts.objects.addFinalizer(object)
    this.#parts.put(after)
    return after
  }

  async #finalize(object: SecondCronJob): Promise<void> {
    const step = await this.#parts.finalizer.run(object)
    if (step.kind === 'done' && step.object === null) this.#parts.bury(object.uid)
    if (step.kind === 'done' && step.object !== null) this.#parts.put(step.object)
    if (step.kind === 'again') this.#later(object.uid, this.#parts.clock.monotonic() + step.inMs)
  }

  /** A guard of ours failed, or somebody was faster: look at the object afresh. The rest is tried again, later. */
  async #recover(object: SecondCronJob, error: ApiError): Promise<void> {
    const { uid, namespace, name } = object
    const count = (this.#failures.get(uid)?.count ?? 0) + 1
    const notBefore = this.#parts.clock.monotonic() + laterPauseMs(error, count, firstBackoffMs)
    this.#failures.set(uid, { count, resourceVersion: object.resourceVersion, notBefore })
    this.#later(uid, notBefore)
    this.#parts.log.debug({ namespace, name, uid, failures: count, err: error }, 'reconcile failed')
    if (error.kind !== 'Invalid' && error.kind !== 'Conflict' && error.kind !== 'NotFound') return
    try {
      const now = await this.#parts.objects.get(namespace, name)
      if (now?.uid === uid) this.#parts.put(now)
      else this.#parts.bury(uid)
    } catch (thrown) {
      asApiError(thrown)
    }
  }

  #later(uid: string, at: Monotonic | null): void {
    if (at !== null) this.#queue.addLater(uid, at)
  }

  #forget(uid: string): void {
    this.#failures.delete(uid)
    this.#history.forget(uid)
    this.#queue.forget(uid)
    this.#cleaning.forget(uid)
    this.#parts.acceptance.forget(uid)
    this.#parts.manualRuns.forget(uid)
    this.#parts.finalizer.forget(uid)
    this.#parts.status.forget(uid)
  }
}

function isUnobserved(object: SecondCronJob | undefined): boolean {
  return object !== undefined && object.generation !== object.status.observedGeneration
}
