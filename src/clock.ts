import { setTimeout as delay } from 'node:timers/promises'
import type { Instant } from './schedule/state.ts'

/** Milliseconds of a clock that never jumps; its zero means nothing. */
export type Monotonic = number

/**
 * The only source of time. Slots use the wall clock, deadlines and back-off the monotonic one; the two are never mixed.
 * The sleeps resolve early, without an error, when `signal` aborts.
 */
export interface Clock {
  now(): Instant
  monotonic(): Monotonic
  /** Resolves when at least `ms` monotonic milliseconds have passed. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Resolves when the wall clock shows `deadline` or later, never before. */
  sleepUntil(deadline: Instant, signal?: AbortSignal): Promise<void>
}

/** A suspended machine or a stepped clock is noticed after this time at the latest. */
const longestNapMs = 1_000

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    const deadline = performance.now() + ms
    await napUntil(() => deadline - performance.now(), Number.POSITIVE_INFINITY, signal)
  },
  sleepUntil: (deadline, signal) => napUntil(() => deadline - Date.now(), longestNapMs, signal),
}

/** A Node timer may fire a millisecond early: what is left is looked at again after every wake-up. */
async function napUntil(leftMs: () => number, longestMs: number, signal?: AbortSignal): Promise<void> {
  for (let left = leftMs(); left > 0 && signal?.aborted !== true; left = leftMs()) {
    const nap = Math.min(left, longestMs, 2_147_483_647)
    await delay(nap, undefined, signal === undefined ? {} : { signal }).catch(ignoreAbort)
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
