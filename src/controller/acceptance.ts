import PQueue from 'p-queue'
import { type ApiError, asApiError } from '../api/api-error.ts'
import { cut, longestSentence } from '../api/cut.ts'
import { conditionOf, type ParsedSpec, type SecondCronJob } from '../api/secondcronjob.ts'
import { backoffMs, type Clock, type Monotonic } from '../clock.ts'
import { isTtlRaised, shortestTtlSeconds } from './job-manifest.ts'
import type { Manifests } from './manifests.ts'
import { NamespaceLanes } from './namespace-lanes.ts'
import type { JobControl } from './ports.ts'
import { refusalOf } from './refusal.ts'
import { slowAfterMs } from './standing.ts'

/** What is known of whether Jobs can be made of a resource, and of which generation of it. */
export interface Verdict {
  readonly generation: number
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

interface Tried {
  readonly verdict: Verdict
  /** When an Unknown verdict is worth another try. */
  readonly again: Monotonic
  readonly failures: number
}

/** Trials that never had an answer, and trials that are made again; a hanging webhook must not hold up the others. */
const first = { atOnce: 12, ofNamespace: 8 }
const further = { atOnce: 2 }
const trialTimeoutMs = 5_000

export interface AcceptanceParts {
  readonly clock: Clock
  readonly jobs: JobControl
  readonly manifests: Pick<Manifests, 'ofTrial'>
  readonly changed: (uid: string) => void
  /** The API server has answered a trial soon, or not: told before `changed`. */
  readonly answered: (uid: string, isSoon: boolean) => void
}

/** Tries the template of each generation once, by a dry run of the real create; the one owner of the verdicts. */
export class Acceptance {
  readonly #parts: AcceptanceParts
  readonly #tried = new Map<string, Tried>()
  readonly #underway = new Map<string, number>()
  readonly #first = new PQueue({ concurrency: first.atOnce })
  readonly #firstOf = new NamespaceLanes({ first: first.ofNamespace, most: first.atOnce })
  #isStopping = false
  readonly #further = new PQueue({ concurrency: further.atOnce })

  constructor(parts: AcceptanceParts) {
    this.#parts = parts
  }

  /**
   * null while nothing is known. While a new generation is being tried, one that was accepted before counts as Unknown:
   * its launches are tried, so that an edit of the image loses no slot.
   */
  verdict(object: SecondCronJob): Verdict | null {
    if (!object.spec.valid) return invalidSpec(object.generation, object.spec)
    const known = this.#tried.get(object.uid)?.verdict ?? storedVerdict(object)
    if (known === null) return null
    if (known.generation === object.generation) return known
    return known.status === 'False' ? null : { ...known, status: 'Unknown' }
  }

  isPending(object: SecondCronJob): boolean {
    return this.#underway.get(object.uid) === object.generation
  }

  /** Starts a trial unless there is a verdict, or one is under way; answers when to ask again, or null. */
  request(object: SecondCronJob): Monotonic | null {
    if (!object.spec.valid || this.isPending(object) || this.#isSettled(object)) return null
    const known = this.#tried.get(object.uid)
    const again = known !== undefined && known.verdict.generation === object.generation
    if (again && known.again > this.#parts.clock.monotonic()) return known.again
    this.#underway.set(object.uid, object.generation)
    if (again) void this.#further.add(() => this.#try(object))
    else void this.#firstOf.of(object.namespace).add(() => this.#first.add(() => this.#try(object)))
    return null
  }

  #isSettled(object: SecondCronJob): boolean {
    const verdict = this.#tried.get(object.uid)?.verdict ?? storedVerdict(object)
    return verdict !== null && verdict.generation === object.generation && verdict.status !== 'Unknown'
  }

  forget(uid: string): void {
    this.#tried.delete(uid)
    this.#underway.delete(uid)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all([this.#first.onIdle(), this.#further.onIdle()])
  }

  async #try(object: SecondCronJob): Promise<void> {
    if (this.#isStopping) return
    const askedAt = this.#parts.clock.monotonic()
    const verdict = await this.#ask(object)
    const isSoon = this.#parts.clock.monotonic() - askedAt < slowAfterMs
    if (isSoon && verdict?.status === 'True') this.#firstOf.widen(object.namespace)
    if (this.#underway.get(object.uid) !== object.generation) return
    this.#underway.delete(object.uid)
    // null: another object by now, the next turn tries that one.
    if (verdict !== null) this.#keep(object, verdict, isSoon)
    this.#parts.changed(object.uid)
  }

  #keep(object: SecondCronJob, verdict: Verdict, isSoon: boolean): void {
    const before = this.#tried.get(object.uid)
    const failures = before?.verdict.generation === object.generation ? before.failures + 1 : 1
    // One that was answered at once may be met as soon as the API server is itself again; one that hangs takes a place.
    const longestMs = isSoon && verdict.reason === 'Unavailable' ? 10_000 : 60_000
    const pauseMs = backoffMs(failures, 1_000, longestMs)
    this.#tried.set(object.uid, { verdict, failures, again: this.#parts.clock.monotonic() + pauseMs })
    if (isSoon ? verdict.reason !== 'Unavailable' : verdict.status === 'Unknown')
      this.#parts.answered(object.uid, isSoon)
  }

  async #ask(object: SecondCronJob): Promise<Verdict | null> {
    const { spec, generation } = object
    if (!spec.valid) return invalidSpec(generation, spec)
    try {
      const { manifests, jobs } = this.#parts
      const manifest = await manifests.ofTrial(object)
      if (manifest === null) return null
      const { warnings } = await jobs.create(object.namespace, manifest, { dryRun: true, timeoutMs: trialTimeoutMs })
      return accepted(generation, isTtlRaised(spec) ? [...warnings, raisedTtl] : warnings)
    } catch (thrown) {
      return verdictOnError(generation, asApiError(thrown))
    }
  }
}

const raisedTtl = `ttlSecondsAfterFinished is raised to ${shortestTtlSeconds}, so that no slot can run twice`

/** False only when the template itself is at fault; a refusal by the cluster's present state is Unknown. */
export function verdictOnError(generation: number, error: ApiError): Verdict {
  if (error.kind === 'AlreadyExists') return accepted(generation, [])
  const { reason, message } = refusalOf(error)
  if (reason === 'Invalid') return { generation, status: 'False', reason: 'InvalidTemplate', message }
  return {
    generation,
    status: 'Unknown',
    reason,
    message: cut(`The template could not be tried: ${message}`, longestSentence),
  }
}

function accepted(generation: number, warnings: readonly string[]): Verdict {
  const message = cut(['The API server takes the Job', ...warnings].join('; '), longestSentence)
  return { generation, status: 'True', reason: 'Accepted', message }
}

type InvalidSpec = ParsedSpec & { readonly valid: false }

function invalidSpec(generation: number, { reason, problems }: InvalidSpec): Verdict {
  return { generation, status: 'False', reason, message: cut(problems.join('; '), longestSentence) }
}

function storedVerdict(object: SecondCronJob): Verdict | null {
  const stored = conditionOf(object.status, 'Accepted')
  if (stored === undefined || isAboutSpec(stored.reason)) return null
  const { observedGeneration: generation, status, reason, message } = stored
  return { generation, status, reason, message }
}

/** Said of a spec that did not parse: it is no verdict on a template, and says nothing of a spec that now does. */
function isAboutSpec(reason: string): boolean {
  return reason === 'InvalidSpec' || reason === 'InvalidSchedule' || reason === 'UnknownTimeZone'
}
