import type { Instant } from '../schedule/state.ts'
import type { Refusal } from './refusal.ts'

/** A slot that waits for its turn, or for its next attempt. */
export interface Waiting {
  readonly slot: Instant
  readonly failures: number
  /** Why the last attempt failed. */
  readonly refusal: Refusal | null
}

/** All that is under way for one resource. */
export interface Work {
  waiting: Waiting | null
  /** The newest slot asked for: an older one is not tried again. */
  newest: Instant
  /** A turn in a lane has been asked for and not come yet. */
  queued: boolean
  /** Ends the pause before the next attempt. */
  pause: AbortController | null
  readonly inFlight: Set<Instant>
  /** The resource is gone. */
  forgotten: boolean
}

export function noWork(): Work {
  return { waiting: null, newest: 0, queued: false, pause: null, inFlight: new Set(), forgotten: false }
}
