import type { Logger } from 'pino'
import { type ApiError, asApiError } from '../api/api-error.ts'
import type { Job } from '../api/job.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import { parseTime } from '../api/time.ts'
import type { Clock, Monotonic } from '../clock.ts'
import { planHistory } from '../schedule/history.ts'
import type { JobControl } from './ports.ts'
import { laterPauseMs } from './refusal.ts'

export interface HistoryCleanerParts {
  readonly clock: Clock
  readonly log: Logger
  readonly jobs: Pick<JobControl, 'delete'>
  readonly owned: (uid: string) => readonly Job[]
  /** A manual run that the status does not tell of yet: its Job is the only proof. */
  readonly isProof: (object: SecondCronJob, job: Job) => boolean
  readonly buryJob: (uid: string) => void
}

interface Refused {
  readonly count: number
  readonly notBefore: Monotonic
}

const deletesPerTurn = 20
const againMs = 1_000

/**
 * Deletes the Jobs that are beyond the history limits. A Job that may not be deleted keeps back no other one, and nothing
 * else of its resource: it is tried again by itself, later each time.
 */
export class HistoryCleaner {
  readonly #parts: HistoryCleanerParts
  readonly #refused = new Map<string, Refused>()

  constructor(parts: HistoryCleanerParts) {
    this.#parts = parts
  }

  /** Never rejects because of the API server. When there is more to do; null when there is not. */
  async clean(object: SecondCronJob): Promise<Monotonic | null> {
    const { clock } = this.#parts
    const refused = this.#refused.get(object.uid)
    if (refused !== undefined && refused.notBefore > clock.monotonic()) return refused.notBefore
    const { remove, more } = this.#plan(object)
    const turn = remove.slice(0, deletesPerTurn)
    const failures: ApiError[] = []
    for (const job of turn) failures.push(...(await this.#delete(job)))
    if (failures.length > 0) return this.#backOff(object.uid, failures)
    this.#refused.delete(object.uid)
    return more || remove.length > turn.length ? clock.monotonic() + againMs : null
  }

  forget(uid: string): void {
    this.#refused.delete(uid)
  }

  #plan(object: SecondCronJob): { readonly remove: readonly Job[]; readonly more: boolean } {
    const { spec, status, uid } = object
    if (!spec.valid) return { remove: [], more: false }
    const mayGo = this.#parts.owned(uid).filter((job) => !this.#parts.isProof(object, job))
    const jobs = new Map(mayGo.map((job) => [job.uid, job]))
    const runs = mayGo.flatMap(({ uid: id, finished, deleting, slot, createdAt }) =>
      finished === null || deleting ? [] : [{ id, result: finished.result, slot, createdAt }],
    )
    const { remove, more } = planHistory(this.#parts.clock.now(), runs, {
      successful: spec.successfulJobsHistoryLimit,
      failed: spec.failedJobsHistoryLimit,
      persistedUntil: parseTime(status.handledUntil),
    })
    return { remove: remove.flatMap((id) => jobs.get(id) ?? []), more }
  }

  /** What stood in its way. */
  async #delete(job: Job): Promise<readonly ApiError[]> {
    try {
      await this.#parts.jobs.delete(job)
      this.#parts.buryJob(job.uid)
      return []
    } catch (thrown) {
      const { namespace, name } = job
      const err = asApiError(thrown)
      this.#parts.log.debug({ namespace, name, err }, 'a Job beyond the history limit stays')
      return [err]
    }
  }

  /** As soon as the first of them allows: one that may not be deleted keeps back none that only met a busy server. */
  #backOff(uid: string, failures: readonly ApiError[]): Monotonic {
    const count = (this.#refused.get(uid)?.count ?? 0) + 1
    const pauseMs = Math.min(...failures.map((error) => laterPauseMs(error, count, againMs)))
    const notBefore = this.#parts.clock.monotonic() + pauseMs
    this.#refused.set(uid, { count, notBefore })
    return notBefore
  }
}
