import { asApiError } from '../api/api-error.ts'
import type { Job } from '../api/job.ts'
import { finalizer } from '../api/names.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { Clock, Monotonic } from '../clock.ts'
import type { JobControl, SecondCronJobControl } from './ports.ts'

export interface FinalizerParts {
  readonly clock: Clock
  readonly jobs: JobControl
  readonly objects: SecondCronJobControl
  /** No create of this uid is on its way. */
  readonly isIdle: (uid: string) => boolean
}

/** What has to happen next to an object that is being deleted. */
export type Step =
  /** Our finalizer is gone: the object as it is now, or null when it went with it. */
  | { readonly kind: 'done'; readonly object: SecondCronJob | null }
  /** Somebody else is at work; a change of the object will bring it back. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'again'; readonly inMs: number }

/** The garbage collector's own finalizers: it decides about the Jobs while one of them is there. */
const collectors = ['orphan', 'foregroundDeletion']
/** The finalizer goes after this time, whatever became of the Jobs: their owner reference has them collected. */
const patienceMs = 3_000
const retryMs = 500
const deletesAtOnce = 4

/**
 * Clears up behind a resource that is being deleted:
 * 1. launching has stopped before this is called; creates on their way are waited for;
 * 2. while `orphan` or `foregroundDeletion` is on the object, its Jobs are the garbage collector's;
 * 3. a fresh list of the Jobs; what is still owned is deleted, guarded by uid and resourceVersion (a Job that is being
 *    released in this moment has another version);
 * 4. our finalizer is taken off.
 *
 * Guarantees: each call is bounded; step 4 happens about `patienceMs` after the first call even if 1 or 3 never succeed or
 * there are thousands of Jobs (the garbage collector has the rest), so a terminating namespace never waits for us; only Jobs whose controller is this very uid are deleted.
 */
export class Finalizer {
  readonly #parts: FinalizerParts
  readonly #since = new Map<string, Monotonic>()

  constructor(parts: FinalizerParts) {
    this.#parts = parts
  }

  async run(object: SecondCronJob): Promise<Step> {
    if (!object.finalizers.includes(finalizer)) return { kind: 'done', object }
    if (collectors.some((name) => object.finalizers.includes(name))) return { kind: 'wait' }
    if (!this.#isOutOfPatience(object.uid)) {
      if (!this.#parts.isIdle(object.uid)) return { kind: 'again', inMs: retryMs }
      if (!(await this.#deleteJobs(object))) return { kind: 'again', inMs: retryMs }
    }
    return { kind: 'done', object: await this.#parts.objects.removeFinalizer(object) }
  }

  forget(uid: string): void {
    this.#since.delete(uid)
  }

  #isOutOfPatience(uid: string): boolean {
    const now = this.#parts.clock.monotonic()
    const since = this.#since.get(uid) ?? now
    this.#since.set(uid, since)
    return now - since >= patienceMs
  }

  /** Whether there is nothing left to try: all of them are gone or on their way out, or there are too many for us. */
  async #deleteJobs(object: SecondCronJob): Promise<boolean> {
    try {
      const listed = await this.#parts.jobs.list(object.namespace, object.name)
      const owned = listed.filter((job) => job.ownerUid === object.uid && !job.deleting)
      for (let at = 0; at < owned.length && !this.#isOutOfPatience(object.uid); at += deletesAtOnce)
        await Promise.all(owned.slice(at, at + deletesAtOnce).map((job: Job) => this.#parts.jobs.delete(job)))
      return true
    } catch (thrown) {
      asApiError(thrown)
      return false
    }
  }
}
