import { formatTime } from '../api/time.ts'
import type { Job } from '../api/job.ts'
import type { Instant, Review, SkipReason } from '../schedule/state.ts'
import type { MadeManifest } from './manifests.ts'
import { addMissed, addSkipped, type Failure, latest, type Track } from './track.ts'

/** The answer to "may this slot be launched now?", asked in the turn in which the create is sent. */
export type Prepared = Launch | Exclude<Review, { kind: 'go' }>

export interface Launch {
  readonly kind: 'go'
  /** Of the object that this was decided on. */
  readonly generation: number
  /** Rejects with ApiError; null when the object has become another one, or gone: then all is to be asked anew. */
  readonly manifest: () => MadeManifest
  /** Active Jobs to be deleted first. */
  readonly replaces: readonly Job[]
  /** No other Job of this resource may run beside it. */
  readonly alone: boolean
}

/** What became of a slot; all but `retrying` are final. */
export type Outcome =
  /** The Job is there, created now or found as ours. */
  | { readonly kind: 'launched'; readonly warnings: readonly string[] }
  | { readonly kind: 'retrying'; readonly failure: Failure }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** `failure`: what kept it from being launched, when that was no fault of the Job. */
  | { readonly kind: 'missed'; readonly reason: string; readonly failure: Failure | null }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'unwanted' }

/** The watch may have told of the Job of a create before it was given up for lost. */
export function asSeen(outcome: Outcome, isThere: () => boolean): Outcome {
  const isGivenUp = outcome.kind === 'missed' || outcome.kind === 'refused'
  return isGivenUp && isThere() ? { kind: 'launched', warnings: [] } : outcome
}

/** The track after it; the same object when nothing has changed. */
export function applyOutcome(track: Track, slot: Instant, outcome: Outcome): Track {
  const settled = { ...track, settled: latest(track.settled, slot) }
  switch (outcome.kind) {
    case 'launched': {
      const launched = { ...settled, launched: latest(track.launched, slot), announced: true, skipping: null }
      const failure = podsRefused(outcome.warnings)
      return failure === null ? { ...launched, failing: null } : failing(launched, failure)
    }
    case 'retrying':
      return failing(track, outcome.failure)
    case 'refused':
      return addMissed(failing(settled, outcome.failure), 1, {
        slot: formatTime(slot),
        outcome: 'Refused',
        reason: outcome.failure.reason,
      })
    case 'missed':
      return addMissed(failing(settled, outcome.failure), 1, {
        slot: formatTime(slot),
        outcome: 'Missed',
        reason: outcome.reason,
      })
    case 'skipped':
      return addSkipped(settled, slot, outcome.reason)
    case 'unwanted':
      return track
  }
}

/** The same failure again is no news. */
function failing(track: Track, failure: Failure | null): Track {
  const known = track.failing
  if (failure === null) return track
  return known?.reason === failure.reason && known.message === failure.message ? track : { ...track, failing: failure }
}

/** Pod Security lets the Job through and refuses its Pods; only a warning of the create tells. */
function podsRefused(warnings: readonly string[]): Failure | null {
  const message = warnings.find((warning) => warning.includes('would violate PodSecurity'))
  return message === undefined ? null : { reason: 'PodsRefused', message }
}
