import { type ApiError, asApiError } from '../api/api-error.ts'
import type { Clock } from '../clock.ts'
import type { Instant } from '../schedule/state.ts'
import { deleteActive } from './delete-active.ts'
import { foreignJob, type JobKey, type JobOfNameParts, whoseJob } from './job-of-name.ts'
import type { Launch, Outcome, Prepared } from './outcome.ts'
import type { JobControl, JobManifest, LaunchResult, Tally } from './ports.ts'
import { type Refusal, refusalOf } from './refusal.ts'

export interface AttemptParts extends JobOfNameParts {
  readonly clock: Clock
  readonly jobs: JobControl
  readonly createTimeoutMs: number
  /** For so long from now nobody else leads. */
  readonly leaseLeftMs: () => number
  readonly tally: Tally
  readonly prepare: (uid: string, slot: Instant, now: Instant) => Prepared
  /** Where the Job of this slot is, or would be; null when the resource is gone. */
  readonly jobOf: (uid: string, slot: Instant) => JobKey | null
  /** The API server has said that this Job is no more. */
  readonly buryJob: (uid: string) => void
}

export interface AttemptOf {
  readonly uid: string
  readonly slot: Instant
  /** Why the attempt before this one failed, or null at the first. */
  readonly refusal: Refusal | null
  /** The API server is given at most so long. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

export type Attempt =
  /** `asked`: the API server was, so that the time it took says something about it. */
  | { readonly kind: 'done'; readonly outcome: Outcome; readonly asked: boolean }
  | { readonly kind: 'again'; readonly refusal: Refusal; readonly asked: true }

/** How often an object may become another one under our eyes before it gets a pause. */
const mostLooks = 3
/** Of the half second between the end of what is on its way and the beginning of somebody else. */
const lateWriteMs = 250
const edited: Refusal = {
  reason: 'Unavailable',
  message: 'the resource is edited faster than it can be launched',
  refused: false,
  unknown: false,
  retryAfterMs: null,
}

/**
 * One attempt at one slot.
 *
 * Guarantees: `prepare` is asked before the create is made, and again in the turn in which it is written,
 * where the generation has to be the one that the manifest was made of; after a create
 * without a clear answer the name is looked up before anything else is said of the slot; whatever Job the API server
 * tells of is `seen` before the attempt is done; never rejects for anything that the API server or the way to it does.
 */
export async function attemptLaunch(parts: AttemptParts, of: AttemptOf): Promise<Attempt> {
  if (of.refusal?.unknown === true) {
    const found = await lookUp(parts, of)
    if (found !== null) return found
  }
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const prepared = parts.prepare(of.uid, of.slot, parts.clock.now())
    if (prepared.kind !== 'go') return notLaunched(prepared, of)
    const attempt = await launch(parts, of, prepared)
    if (attempt !== null) return attempt
  }
  return { kind: 'again', refusal: edited, asked: true }
}

/** null when the object has become another one meanwhile: what was decided on the one before says nothing of it. */
async function launch(parts: AttemptParts, of: AttemptOf, prepared: Launch): Promise<Attempt | null> {
  const send = { ...of, ...prepared }
  try {
    const made = prepared.manifest()
    // Nothing has to be waited for: sent in the turn in which it was decided.
    if (isMade(made) && prepared.replaces.length === 0) return create(parts, send, made)
    const manifest = await made
    if (manifest === null) return null
    await deleteActive(parts, prepared.replaces)
    return create(parts, send, manifest)
  } catch (thrown) {
    // Nothing was created yet, so nothing is unknown.
    return { kind: 'again', refusal: { ...refusalOf(asApiError(thrown)), unknown: false }, asked: true }
  }
}

function isMade(made: ReturnType<Launch['manifest']>): made is JobManifest {
  return made !== null && !(made instanceof Promise)
}

async function create(parts: AttemptParts, of: AttemptOf & Launch, manifest: JobManifest): Promise<Attempt | null> {
  const timeoutMs = Math.min(of.limitMs, timeoutOf(parts, of.alone))
  // Where a connection had to be opened first, that may be longer than what is left by now.
  const isInTime = () => timeoutMs <= timeoutOf(parts, of.alone) + lateWriteMs
  try {
    const isWanted = () => isInTime() && isStillWanted(parts, of)
    const options = { timeoutMs, signal: of.signal, isWanted }
    const { job, warnings } = await parts.jobs.create(manifest.metadata.namespace, manifest, options)
    if (job !== null) parts.seen(job)
    parts.tally.answered('created')
    return { kind: 'done', outcome: { kind: 'launched', warnings }, asked: true }
  } catch (thrown) {
    const error = asApiError(thrown)
    parts.tally.answered(resultOf(error))
    if (error.kind === 'NotSent') return isInTime() ? withdrawn(parts, of) : null
    const refusal = refusalOf(error)
    if (error.kind !== 'AlreadyExists') return { kind: 'again', refusal, asked: true }
    // The name was taken and is free again: some Job has been there, and a slot is never run twice.
    return (await lookUp(parts, of)) ?? alreadyLaunched
  }
}

/**
 * A create that comes to its end after the lease did makes a Job that the next leader has not seen. Where that would run
 * beside another one, the API server is told to give up before.
 */
function timeoutOf({ createTimeoutMs, leaseLeftMs }: AttemptParts, alone: boolean): number {
  return alone ? Math.max(1, Math.min(createTimeoutMs, leaseLeftMs())) : createTimeoutMs
}

/** Asked in the turn in which the create is written. */
function isStillWanted({ prepare, clock, tally }: AttemptParts, of: AttemptOf & Launch): boolean {
  const now = clock.now()
  const prepared = prepare(of.uid, of.slot, now)
  const isWanted = prepared.kind === 'go' && prepared.generation === of.generation
  if (isWanted) tally.wrote(now - of.slot)
  return isWanted
}

/** No byte was sent: because the object was edited (null), because of the slot, or because this process leads no longer. */
function withdrawn({ prepare, clock }: AttemptParts, of: AttemptOf & Launch): Attempt | null {
  const prepared = prepare(of.uid, of.slot, clock.now())
  if (prepared.kind === 'go' && prepared.generation !== of.generation) return null
  return notLaunched(prepared.kind === 'go' ? { kind: 'unwanted' } : prepared, of)
}

function resultOf(error: ApiError): LaunchResult {
  if (error.kind === 'NotSent') return 'withdrawn'
  if (error.kind === 'AlreadyExists') return 'exists'
  const { unknown, refused } = refusalOf(error)
  if (unknown) return 'unknown'
  return refused ? 'rejected' : 'failed'
}

/** Whose Job has the name of this slot? null when nobody's. */
async function lookUp(parts: AttemptParts, of: AttemptOf): Promise<Attempt | null> {
  const key = parts.jobOf(of.uid, of.slot)
  if (key === null) return { kind: 'done', outcome: { kind: 'unwanted' }, asked: false }
  try {
    const whose = await whoseJob(parts, key, of.uid)
    if (whose === null) return null
    if (whose === 'ours') return alreadyLaunched
    const failure = { reason: 'UnexpectedJob', message: foreignJob(key.name) } as const
    return { kind: 'done', outcome: { kind: 'refused', failure }, asked: true }
  } catch (thrown) {
    return { kind: 'again', refusal: { ...refusalOf(asApiError(thrown)), unknown: true }, asked: true }
  }
}

const alreadyLaunched: Attempt = { kind: 'done', outcome: { kind: 'launched', warnings: [] }, asked: true }

function notLaunched(prepared: Exclude<Prepared, Launch>, { refusal }: AttemptOf): Attempt {
  return { kind: 'done', outcome: outcomeOf(prepared, refusal), asked: false }
}

function outcomeOf(prepared: Exclude<Prepared, Launch>, refusal: Refusal | null): Outcome {
  switch (prepared.kind) {
    case 'unwanted':
      return prepared
    case 'skip':
      return { kind: 'skipped', reason: prepared.reason }
    case 'late':
      return givenUp(refusal, 'DeadlineExceeded')
    case 'superseded':
      return givenUp(refusal, 'Overloaded')
  }
}

/** The last word on a slot that was not launched; `reason` when no attempt was made at it. */
export function givenUp(refusal: Refusal | null, reason: string): Outcome {
  if (refusal === null) return { kind: 'missed', reason, failure: null }
  const failure = { reason: refusal.reason, message: refusal.message }
  return refusal.refused ? { kind: 'refused', failure } : { kind: 'missed', reason: refusal.reason, failure }
}
