import { backoffMs } from '../clock.ts'

/**
 * List and watch as a state machine: a state says what is to be done next, `step` says what follows from what came of it.
 * Every rule of recovery is one line here; the driver (`reflector.ts`) knows none.
 */
export type WatchState =
  /** Ask for the page behind `token` (null: the first). */
  | { readonly at: 'listing'; readonly token: string | null; readonly failures: number }
  /** Hold a watch open from `version` on. */
  | { readonly at: 'watching'; readonly version: string; readonly failures: number }
  /** Wait `pauseMs`, then go on as `next`. */
  | { readonly at: 'waiting'; readonly pauseMs: number; readonly next: Exclude<WatchState, { at: 'waiting' }> }

export type WatchInput =
  | { readonly kind: 'page'; readonly token: string | null; readonly version: string }
  /** An event or a bookmark has moved the version on. */
  | { readonly kind: 'progress'; readonly version: string }
  /** The stream ended as it should: its time was up. */
  | { readonly kind: 'ended' }
  /** Refused, silent for too long, broken off, or not understood. `lost`: events may be missing, so all is listed anew. */
  | { readonly kind: 'failed'; readonly lost: boolean; readonly retryAfterMs: number | null }
  | { readonly kind: 'waited' }

export const firstState: WatchState = { at: 'listing', token: null, failures: 0 }

/** After so many failures in a row the version is no longer trusted either. */
const failuresUntilRelist = 4
const firstPauseMs = 250
const longestPauseMs = 5_000

/** `random` in [0, 1) spreads the pauses, so that a thousand clients do not come back in step. */
export function step(state: WatchState, input: WatchInput, random: number): WatchState {
  switch (input.kind) {
    case 'page':
      return state.at === 'listing' ? afterPage(state.failures, input) : state
    case 'progress':
      return state.at === 'watching' ? { at: 'watching', version: input.version, failures: 0 } : state
    case 'ended':
      return state.at === 'watching' ? { ...state, failures: 0 } : state
    case 'waited':
      return state.at === 'waiting' ? state.next : state
    case 'failed':
      return pause(state, input, random)
  }
}

function afterPage(failures: number, { token, version }: { token: string | null; version: string }): WatchState {
  return token === null ? { at: 'watching', version, failures } : { at: 'listing', token, failures }
}

function pause(state: WatchState, input: { lost: boolean; retryAfterMs: number | null }, random: number): WatchState {
  if (state.at === 'waiting') return state
  const failures = state.failures + 1
  const longest = backoffMs(failures, firstPauseMs, longestPauseMs)
  const pauseMs = Math.max(longest * (0.5 + random / 2), input.retryAfterMs ?? 0)
  const keepsVersion = state.at === 'watching' && !input.lost && failures < failuresUntilRelist
  return {
    at: 'waiting',
    pauseMs,
    next: keepsVersion ? { ...state, failures } : { at: 'listing', token: null, failures },
  }
}
