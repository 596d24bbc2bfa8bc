import type { Clock } from '../clock.ts'

/** Longer than this no turn of the event loop is held, but for the one item that is being done. */
const pieceMs = 5
const pauseMs = 1

/**
 * Does `each` with all items, the first ones in this very turn. Between two pieces whatever else is due has its turn, so
 * items may come and go meanwhile; ends early when `signal` aborts.
 */
export async function inPieces<T>(
  clock: Clock,
  items: Iterable<T>,
  each: (item: T) => void,
  signal: AbortSignal,
): Promise<void> {
  let begun = clock.monotonic()
  for (const item of items) {
    if (clock.monotonic() - begun >= pieceMs) {
      await clock.sleep(pauseMs, signal)
      begun = clock.monotonic()
    }
    if (signal.aborted) return
    each(item)
  }
}
