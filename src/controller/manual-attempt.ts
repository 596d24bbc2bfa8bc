import { ApiError, asApiError } from '../api/api-error.ts'
import { type Job, manualJobName } from '../api/job.ts'
import { longestRunNowToken } from '../api/names.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { Clock, Monotonic } from '../clock.ts'
import { type Ask, askOf } from './manual-ask.ts'
import type { Manifests } from './manifests.ts'
import type { JobControl } from './ports.ts'
import { delayAfter, refusalOf } from './refusal.ts'
import type { Answer } from './standing.ts'

export interface ManualAttemptParts {
  readonly clock: Clock
  readonly jobs: JobControl
  readonly manifests: Pick<Manifests, 'ofToken'>
  readonly createTimeoutMs: number
  /** An answer of the API server: the Job as it is now. */
  readonly seen: (job: Job) => void
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
    const isForeign = await isOfSomebodyElse(parts, of.object)
    if (isForeign === true) return refusedForEver(of, foreign(nameOf(of.object)), 'taken')
    if (isForeign === false) return served(of)
  }
  const refusal = refusalOf(error)
  const failures = of.failures + 1
  const again = parts.clock.monotonic() + delayAfter(refusal, failures)
  if (error.kind === 'NotSent') return { tried: unserved(of, { failures, again }), answer: 'unasked' }
  const message = `${refusal.reason}: ${refusal.message}`
  return { tried: unserved(of, { failures, again, message }), answer: refusal.refused ? 'refused' : 'failed' }
}

/**
 * The name is taken: by the Job of an attempt whose answer was lost, or by one that somebody else has made; null when
 * nobody answers whose it is.
 */
async function isOfSomebodyElse({ jobs, seen }: ManualAttemptParts, object: SecondCronJob): Promise<boolean | null> {
  const job = await jobs.get(object.namespace, nameOf(object)).catch((thrown: unknown) => asApiError(thrown))
  if (job instanceof ApiError) return null
  if (job !== null && job.ownerUid === object.uid) seen(job)
  return job !== null && job.ownerUid !== object.uid
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

function foreign(name: string): string {
  return `a Job named ${name} exists and is not controlled by this resource; rename or delete it, or write another token`
}

const tooLong = `the run-now token is longer than ${longestRunNowToken} characters; write a shorter one`
