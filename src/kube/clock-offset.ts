import type { Logger } from 'pino'
import type { Clock, Monotonic } from '../clock.ts'

/** Slots are meant by everybody's clock: a machine that is off by more than this launches early or late. */
const tolerableMs = 1_000
const tellAgainAfterMs = 60_000

/**
 * How far the API server's clock is from ours, by the Date headers of its answers. A header is cut to the second and the
 * answer was on its way, so an offset is known to half a second at best.
 */
export class ClockOffset {
  readonly #clock: Clock
  readonly #log: Logger
  #toldAt: Monotonic = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** `serverTime` in epoch milliseconds, cut to the second; just received. Answers server minus own, in milliseconds. */
  observe(serverTime: number): number {
    const offsetMs = serverTime + 500 - this.#clock.now()
    const now = this.#clock.monotonic()
    if (Math.abs(offsetMs) > tolerableMs + 500 && now - this.#toldAt >= tellAgainAfterMs) {
      this.#toldAt = now
      this.#log.warn({ offsetMs }, 'the clock of this machine differs from the API server by more than a second')
    }
    return offsetMs
  }
}
