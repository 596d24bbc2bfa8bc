import PQueue from 'p-queue'
import { ApiError, asApiError } from '../api/api-error.ts'
import { type Job, manualJobName } from '../api/job.ts'
import { finalizer, longestRunNowToken } from '../api/names.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { Clock, Monotonic } from '../clock.ts'
import type { Manifests } from './manifests.ts'
import type { EventReason, EventRecorder, JobControl } from './ports.ts'
import { delayAfter, refusalOf } from './refusal.ts'

export interface ManualRunsParts {
  readonly clock: Clock
  readonly jobs: JobControl
  readonly manifests: Pick<Manifests, 'ofToken'>
  readonly createTimeoutMs: number
  readonly events: EventRecorder
  readonly stored: (uid: string) => SecondCronJob | undefined
  /** An answer of the API server: the Job as it is now. */
  readonly seen: (job: Job) => void
  readonly changed: (uid: string) => void
}

/** What became of one token. */
interface Tried {
  readonly token: string
  readonly isServed: boolean
  readonly failures: number
  readonly message: string
  /** When it is worth another attempt. */
  readonly again: Monotonic
}

const atOnce = 4

/**
 * The extra Jobs that the run-now annotation asks for: one for each new token, whatever the schedule, `suspend`, the
 * policy and the limit say. The name is a function of the token, and the token is stored in the status: so it runs once,
 * whatever crashes.
 */
export class ManualRuns {
  readonly #parts: ManualRunsParts
  readonly #tried = new Map<string, Tried>()
  readonly #underway = new Set<string>()
  readonly #queue = new PQueue({ concurrency: atOnce })

  constructor(parts: ManualRunsParts) {
    this.#parts = parts
  }

  /** The token that the status is to say was served last, or null. */
  served({ uid, status }: SecondCronJob): string | null {
    const tried = this.#tried.get(uid)
    return tried?.isServed === true ? tried.token : (status.lastManualRun ?? null)
  }

  /** Whether this Job is the only proof, so far, that its token was served. */
  isProof(object: SecondCronJob, job: Job): boolean {
    const { runNow, status, name } = object
    return runNow !== null && runNow !== status.lastManualRun && job.name === manualJobName(name, runNow)
  }

  /** Starts the run that is asked for, if there is one; answers when to ask again, or null. */
  request(object: SecondCronJob): Monotonic | null {
    const { uid, runNow } = object
    if (!this.#isWanted(object) || this.#underway.has(uid)) return null
    const tried = this.#tried.get(uid)
    const known = tried?.token === runNow ? tried : undefined
    if (known !== undefined && known.again > this.#parts.clock.monotonic()) return finite(known.again)
    this.#underway.add(uid)
    void this.#queue.add(() => this.#run(object, known?.failures ?? 0))
    return null
  }

  forget(uid: string): void {
    this.#tried.delete(uid)
  }

  async stop(): Promise<void> {
    this.#queue.clear()
    await this.#queue.onIdle()
  }

  #isWanted(object: SecondCronJob): boolean {
    const { runNow, deletingSince, finalizers, spec } = object
    if (runNow === null || runNow === this.served(object)) return false
    return deletingSince === null && spec.valid && finalizers.includes(finalizer)
  }

  async #run(object: SecondCronJob, failures: number): Promise<void> {
    const { uid } = object
    const token = object.runNow ?? ''
    const tried = await this.#attempt(object, token, failures)
    this.#underway.delete(uid)
    const before = this.#tried.get(uid)
    this.#tried.set(uid, tried)
    const isNews = before?.token !== token || before.message !== tried.message
    if (isNews && tried.message !== nothingToTell) this.#tell(object, tried)
    this.#parts.changed(uid)
  }

  async #attempt(object: SecondCronJob, token: string, failures: number): Promise<Tried> {
    const { clock, jobs, manifests, createTimeoutMs, seen } = this.#parts
    const name = manualJobName(object.name, token)
    const served = { token, isServed: true, failures, message: `Created Job ${name}, as run-now asked for`, again: 0 }
    if (!object.spec.valid || token.length > longestRunNowToken) return { ...served, isServed: false, ...tooLong }
    try {
      const manifest = await manifests.ofToken(object, clock.now())
      if (manifest === null) return { token, isServed: false, failures, message: nothingToTell, again: 0 }
      const isWanted = () => this.#isStillAsked(object)
      const options = { timeoutMs: createTimeoutMs, isWanted, inBackground: true }
      const { job } = await jobs.create(object.namespace, manifest, options)
      if (job !== null) seen(job)
      return served
    } catch (thrown) {
      const error = asApiError(thrown)
      if (error.kind === 'AlreadyExists') {
        const isForeign = await this.#isForeign(object, name)
        if (isForeign !== null) return isForeign ? { ...served, ...foreign(name) } : served
      }
      const refusal = refusalOf(error)
      const again = clock.monotonic() + delayAfter(refusal, failures + 1)
      const message = error.kind === 'NotSent' ? nothingToTell : `${refusal.reason}: ${refusal.message}`
      return { token, isServed: false, failures: failures + 1, message, again }
    }
  }

  /**
   * The name is taken: by the Job of an attempt whose answer was lost, or by one that somebody else has made; null when
   * nobody answers whose it is.
   */
  async #isForeign({ uid, namespace }: SecondCronJob, name: string): Promise<boolean | null> {
    const job = await this.#parts.jobs.get(namespace, name).catch((thrown: unknown) => asApiError(thrown))
    if (job instanceof ApiError) return null
    if (job !== null && job.ownerUid === uid) this.#parts.seen(job)
    return job !== null && job.ownerUid !== uid
  }

  /** Asked in the turn in which the create is written. */
  #isStillAsked({ uid, runNow, generation }: SecondCronJob): boolean {
    const now = this.#parts.stored(uid)
    return now?.runNow === runNow && now.generation === generation && this.#isWanted(now)
  }

  #tell(object: SecondCronJob, { isServed, message }: Tried): void {
    const reason: EventReason = isServed ? 'SuccessfulCreate' : 'FailedCreate'
    const type = isServed ? 'Normal' : 'Warning'
    this.#parts.events.record(object, { type, reason, action: 'RunNow', note: message }, this.#parts.clock.now())
  }
}

const nothingToTell = ''

function foreign(name: string) {
  const message = `a Job named ${name} exists and is not controlled by this resource; write another token`
  return { isServed: false, message, again: Number.POSITIVE_INFINITY }
}

const tooLong = {
  message: `the run-now token is longer than ${longestRunNowToken} characters; write a shorter one`,
  again: Number.POSITIVE_INFINITY,
}

function finite(at: Monotonic): Monotonic | null {
  return Number.isFinite(at) ? at : null
}
