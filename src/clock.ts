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
  /** Resolves when the wall clock shows `deadline` or later, never before; or when it was set back meanwhile. */
  sleepUntil(deadline: Instant, signal?: AbortSignal): Promise<void>
}

/** A suspended machine or a stepped clock is noticed after this time at the latest. */
const longestNapMs = 1_000

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    const deadline = performance.now() + ms
    for (let left = ms; left > 0 && signal?.aborted !== true; left = deadline - performance.now())
      await nap(left, signal)
  },
  sleepUntil: async (deadline, signal) => {
    let last = Date.now()
    while (last < deadline && signal?.aborted !== true) {
      await nap(Math.min(deadline - last, longestNapMs), signal)
      const now = Date.now()
      if (now < last) return
      last = now
    }
  },
}

/** A Node timer may fire a millisecond early, so every caller looks again at what is left. */
async function nap(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(Math.min(Math.ceil(ms), 2_147_483_647), undefined, signal === undefined ? {} : { signal }).catch(
    ignoreAbort,
  )
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}

/** Resolves when it has aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** How long to wait after `failures` (at least one) in a row: `firstMs`, doubling, `longestMs` at most. */
export function backoffMs(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs)
}
