import { ApiError, asApiError } from '../api/api-error.ts'
import { manualJobName } from '../api/job.ts'
import { longestRunNowToken } from '../api/names.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { Clock, Monotonic } from '../clock.ts'
import { foreignJob, type JobOfNameParts, whoseJob } from './job-of-name.ts'
import { type Ask, askOf } from './manual-ask.ts'
import type { Manifests } from './manifests.ts'
import type { JobControl } from './ports.ts'
import { delayAfter, refusalOf } from './refusal.ts'
import type { Answer } from './standing.ts'

export interface ManualAttemptParts extends JobOfNameParts {
  readonly clock: Clock
  readonly jobs: JobControl
  readonly manifests: Pick<Manifests, 'ofToken'>
  readonly createTimeoutMs: number
}

export interface ManualAttemptOf {
  readonly object: SecondCronJob
  /** Of this token, so far. */
  readonly failures: number
  /** The API server is given at most so long. */
  readonly limitMs: number
  readonly signal: AbortSignal
  /** Asked in the turn in which the create is written. */
  readonly isWanted: () => boolean
}

/** What became of one run that was asked for. */
export interface Tried extends Ask {
  readonly isServed: boolean
  readonly failures: number
  /** For the user; empty when there is nothing to tell. */
  readonly message: string
  /** When it is worth another attempt. */
  readonly again: Monotonic
}

interface Attempted {
  readonly tried: Tried
  readonly answer: Answer
}

/** One attempt at the run that the object asks for. Never rejects for anything that the API server or the way to it does. */
export async function attemptManualRun(parts: ManualAttemptParts, of: ManualAttemptOf): Promise<Attempted> {
  const { clock, jobs, manifests, createTimeoutMs, seen } = parts
  const { object, limitMs, signal, isWanted } = of
  if (askOf(object).token.length > longestRunNowToken) return refusedForEver(of, tooLong, 'unasked')
  try {
    const manifest = await manifests.ofToken(object, clock.now())
    if (manifest === null) return { tried: unserved(of, { failures: of.failures }), answer: 'unasked' }
    const options = { timeoutMs: Math.min(limitMs, createTimeoutMs), signal, isWanted }
    const { job } = await jobs.create(object.namespace, manifest, options)
    if (job !== null) seen(job)
    return served(of)
  } catch (thrown) {
    return failed(parts, of, asApiError(thrown))
  }
}

async function failed(parts: ManualAttemptParts, of: ManualAttemptOf, error: ApiError): Promise<Attempted> {
  if (error.kind === 'AlreadyExists') {
    const { namespace, uid } = of.object
    const name = nameOf(of.object)
    const whose = await whoseJob(parts, { namespace, name }, uid).catch((thrown: unknown) => asApiError(thrown))
    if (whose === 'foreign') return refusedForEver(of, `${foreignJob(name)}, or write another token`, 'taken')
    // The name was taken: by the Job of an attempt whose answer was lost, which may be gone by now.
    if (!(whose instanceof ApiError)) return served(of)
  }
  const refusal = refusalOf(error)
  const failures = of.failures + 1
  const again = parts.clock.monotonic() + delayAfter(refusal, failures)
  if (error.kind === 'NotSent') return { tried: unserved(of, { failures, again }), answer: 'unasked' }
  const message = `${refusal.reason}: ${refusal.message}`
  return { tried: unserved(of, { failures, again, message }), answer: refusal.refused ? 'refused' : 'failed' }
}

function nameOf(object: SecondCronJob): string {
  return manualJobName(object.name, askOf(object))
}

function served({ object, failures }: ManualAttemptOf): Attempted {
  const message = `Created Job ${nameOf(object)}, as run-now asked for`
  return { tried: { ...askOf(object), isServed: true, failures, message, again: 0 }, answer: 'taken' }
}

function unserved({ object }: ManualAttemptOf, how: Pick<Tried, 'failures'> & Partial<Tried>): Tried {
  return { ...askOf(object), isServed: false, message: '', again: 0, ...how }
}

function refusedForEver(of: ManualAttemptOf, message: string, answer: Answer): Attempted {
  return { tried: unserved(of, { failures: of.failures, message, again: Number.POSITIVE_INFINITY }), answer }
}

const tooLong = `the run-now token is longer than ${longestRunNowToken} characters; write a shorter one`
