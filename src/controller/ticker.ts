import type { Clock } from '../clock.ts'
import type { Instant } from '../schedule/state.ts'

/**
 * Calls `tick` at once, then at every whole `stepMs` of wall time until `signal` aborts.
 *
 * Guarantees: never before the boundary (the clock's `sleepUntil` looks again after every wake-up); the next boundary
 * is taken after the tick, so a slow tick skips boundaries and never stacks them up; a clock that is set back waits for
 * the next boundary of the new time, not for the old one.
 */
export async function runTicker(
  clock: Clock,
  stepMs: number,
  tick: (now: Instant) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const now = clock.now()
    tick(now)
    await clock.sleepUntil(boundaryAfter(now, stepMs), signal)
  }
}

function boundaryAfter(now: Instant, stepMs: number): Instant {
  return (Math.floor(now / stepMs) + 1) * stepMs
}
