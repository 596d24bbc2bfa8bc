import { formatTime } from '../api/time.ts'
import type { Job } from '../api/job.ts'
import { latestSlot } from '../schedule/slots.ts'
import type { Action, Grid, Instant, Review, SkipReason } from '../schedule/state.ts'
import type { MadeManifest } from './manifests.ts'
import { arrive, close, type Entry, open, pass, strike } from './books.ts'
import { type Failure, latest, type Track } from './track.ts'

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
  switch (outcome.kind) {
    case 'launched': {
      const after = { ...seeLaunched(track, slot), announced: true, skipping: null }
      const failure = podsRefused(outcome.warnings)
      return failure === null ? { ...after, failing: null } : failing(after, slot, failure)
    }
    case 'retrying':
      return failing(track, slot, outcome.failure)
    case 'refused':
      return close(failing(track, slot, outcome.failure), slot, missed(slot, 'Refused', outcome.failure.reason))
    case 'missed':
      return close(failing(track, slot, outcome.failure), slot, missed(slot, 'Missed', outcome.reason))
    case 'skipped':
      return { ...close(track, slot, skipped(slot, outcome.reason)), skipping: outcome.reason }
    case 'unwanted':
      return { ...strike(track, slot), failing: null }
  }
}

/** A Job of this slot is there. */
export function seeLaunched(track: Track, slot: Instant): Track {
  const seen = arrive(track, slot)
  const decided = latest(track.decided, slot)
  const newest = latest(track.launched, slot)
  return decided === seen.decided && newest === seen.launched ? seen : { ...seen, decided, launched: newest }
}

/** A slot was decided. The older ones that passed undecided are told as one, the newest of them. */
export function applyAction(track: Track, grid: Grid, { slot, missed: count }: Action): Track {
  const decided = { ...track, decided: slot, first: false, held: null }
  const passed = count === 0 ? null : latestSlot(grid, slot - 1)
  if (passed === null) return open(decided, slot)
  const entry = { ...missed(passed, 'Missed', heldReason(track)), missed: count }
  const after = latest(track.decided, track.since - 1) ?? track.since
  return open(pass(close(decided, passed, entry), { after, until: passed, launched: [] }), slot)
}

/** Why slots passed undecided. */
export function heldReason({ held }: Track): string {
  return held ?? 'Downtime'
}

function missed(slot: Instant, outcome: 'Missed' | 'Refused', reason: string): Entry {
  return { missed: 1, skipped: 0, recent: { slot: formatTime(slot), outcome, reason } }
}

function skipped(slot: Instant, reason: SkipReason): Entry {
  return { missed: 0, skipped: 1, recent: { slot: formatTime(slot), outcome: 'Skipped', reason } }
}

/** The same failure again is no news, nor is that of a slot of an earlier schedule, or of one suspended since. */
function failing(track: Track, slot: Instant, failure: Failure | null): Track {
  if (failure === null || slot < track.since || track.schedule === 'suspended') return track
  const known = track.failing
  return known?.reason === failure.reason && known.message === failure.message ? track : { ...track, failing: failure }
}

/** Pod Security lets the Job through and refuses its Pods; only a warning of the create tells. */
function podsRefused(warnings: readonly string[]): Failure | null {
  const message = warnings.find((warning) => warning.includes('would violate PodSecurity'))
  return message === undefined ? null : { reason: 'PodsRefused', message }
}
