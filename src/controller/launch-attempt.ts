import { type ApiError, asApiError } from '../api/api-error.ts'
import type { Clock } from '../clock.ts'
import type { Instant } from '../schedule/state.ts'
import type { Outcome, Prepared } from './outcome.ts'
import type { JobControl, JobManifest, LaunchResult, Tally } from './ports.ts'
import { type Refusal, refusalOf } from './refusal.ts'

export interface AttemptParts {
  readonly clock: Clock
  readonly jobs: JobControl
  readonly createTimeoutMs: number
  readonly tally: Tally
  readonly prepare: (uid: string, slot: Instant, now: Instant) => Prepared
}

export interface AttemptOf {
  readonly uid: string
  readonly slot: Instant
  /** Why the attempt before this one failed, or null at the first. */
  readonly refusal: Refusal | null
  readonly signal: AbortSignal
}

export type Attempt =
  /** `asked`: the API server was, so that the time it took says something about it. */
  | { readonly kind: 'done'; readonly outcome: Outcome; readonly asked: boolean }
  | { readonly kind: 'again'; readonly refusal: Refusal; readonly asked: true }

/**
 * One attempt at one slot.
 *
 * Guarantees: `prepare` is asked before the create is made, and again in the turn in which it is written; after a create
 * without a clear answer the name is looked up first; never rejects for anything that the API server or the way to it
 * does.
 */
export async function attemptLaunch(parts: AttemptParts, of: AttemptOf): Promise<Attempt> {
  if (of.refusal?.unknown === true) {
    const prepared = parts.prepare(of.uid, of.slot, parts.clock.now())
    if (prepared.kind !== 'go') return notLaunched(prepared.kind, of)
    const found = await lookUp(parts, of, prepared.manifest)
    if (found !== null) return found
  }
  const prepared = parts.prepare(of.uid, of.slot, parts.clock.now())
  if (prepared.kind !== 'go') return notLaunched(prepared.kind, of)
  return create(parts, of, prepared.manifest)
}

async function create(parts: AttemptParts, of: AttemptOf, manifest: JobManifest): Promise<Attempt> {
  try {
    const isWanted = () => isStillWanted(parts, of)
    const options = { timeoutMs: parts.createTimeoutMs, signal: of.signal, isWanted }
    const { warnings } = await parts.jobs.create(manifest.metadata.namespace, manifest, options)
    parts.tally.answered('created')
    return { kind: 'done', outcome: { kind: 'launched', warnings }, asked: true }
  } catch (thrown) {
    const error = asApiError(thrown)
    parts.tally.answered(resultOf(error))
    if (error.kind === 'NotSent') return notLaunched('unwanted', of)
    const refusal = refusalOf(error)
    if (error.kind !== 'AlreadyExists') return { kind: 'again', refusal, asked: true }
    // The name was taken and is free again: some Job has been there, and a slot is never run twice.
    return (await lookUp(parts, of, manifest)) ?? alreadyLaunched
  }
}

/** Asked in the turn in which the create is written. */
function isStillWanted({ prepare, clock, tally }: AttemptParts, { uid, slot }: AttemptOf): boolean {
  const now = clock.now()
  const isWanted = prepare(uid, slot, now).kind === 'go'
  if (isWanted) tally.wrote(now - slot)
  return isWanted
}

function resultOf(error: ApiError): LaunchResult {
  if (error.kind === 'NotSent') return 'withdrawn'
  if (error.kind === 'AlreadyExists') return 'exists'
  const { unknown, refused } = refusalOf(error)
  if (unknown) return 'unknown'
  return refused ? 'rejected' : 'failed'
}

/** Whose Job has the name of this slot? null when nobody's. */
async function lookUp(parts: AttemptParts, of: AttemptOf, manifest: JobManifest): Promise<Attempt | null> {
  const { namespace, name } = manifest.metadata
  try {
    const job = await parts.jobs.get(namespace, name)
    if (job === null) return null
    if (job.ownerUid === of.uid) return alreadyLaunched
    const message = `a Job named ${name} exists and is not controlled by this resource; rename or delete it`
    const outcome = { kind: 'refused', failure: { reason: 'UnexpectedJob', message } } as const
    return { kind: 'done', outcome, asked: true }
  } catch (thrown) {
    return { kind: 'again', refusal: { ...refusalOf(asApiError(thrown)), unknown: true }, asked: true }
  }
}

const alreadyLaunched: Attempt = { kind: 'done', outcome: { kind: 'launched', warnings: [] }, asked: true }

function notLaunched(kind: 'late' | 'unwanted', { refusal }: AttemptOf): Attempt {
  const outcome: Outcome = kind === 'unwanted' ? { kind: 'unwanted' } : givenUp(refusal, 'DeadlineExceeded')
  return { kind: 'done', outcome, asked: false }
}

/** The last word on a slot that was not launched; `reason` when no attempt was made at it. */
export function givenUp(refusal: Refusal | null, reason: string): Outcome {
  if (refusal === null) return { kind: 'missed', reason, failure: null }
  const failure = { reason: refusal.reason, message: refusal.message }
  return refusal.refused ? { kind: 'refused', failure } : { kind: 'missed', reason: refusal.reason, failure }
}
