import { ApiError } from '../api/api-error.ts'
import { isActive, type Job } from '../api/job.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { Clock } from '../clock.ts'
import { isProof } from './manual-ask.ts'

export interface ProofParts {
  readonly clock: Clock
  readonly stored: (uid: string) => SecondCronJob | undefined
  readonly owned: (uid: string) => readonly Job[]
}

/** The status is written at once: so long it takes at most, and so often it is looked at. Below what counts as a create that hangs. */
const patienceMs = 400
const lookAgainMs = 20

/**
 * Under Replace the active Jobs are deleted before a create, a run-now Job among them: its token has to be stored by then,
 * or it would run again after a crash. `make` is called then; rejects with ApiError when that takes too long.
 */
export function storedFirst<T>(parts: ProofParts, uid: string, make: () => T | Promise<T>): T | Promise<T> {
  return isAtRisk(parts, uid) ? untilStored(parts, uid).then(make) : make()
}

async function untilStored(parts: ProofParts, uid: string): Promise<void> {
  for (let waitedMs = 0; isAtRisk(parts, uid); waitedMs += lookAgainMs) {
    if (waitedMs >= patienceMs) throw notStored()
    await parts.clock.sleep(lookAgainMs)
  }
}

function isAtRisk({ stored, owned }: ProofParts, uid: string): boolean {
  const object = stored(uid)
  if (object?.spec.valid !== true || object.spec.concurrencyPolicy !== 'Replace') return false
  return owned(uid).some((job) => isActive(job) && isProof(object, job))
}

function notStored(): ApiError {
  return new ApiError({
    kind: 'Unexpected',
    code: 0,
    reason: '',
    message: 'the run-now Job that this run replaces is not in the status yet, since the status cannot be written',
    causes: [],
    detailsKind: '',
    retryAfterMs: null,
  })
}
