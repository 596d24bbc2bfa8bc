import type { Logger } from 'pino'
import type { Clock, Monotonic } from '../clock.ts'

/** Slots are meant by everybody's clock: a machine that is off by more than this launches early or late. */
const tolerableMs = 1_000
const tellAgainAfterMs = 60_000
/** So far off, so many times in a row, nobody should launch by this clock. */
const intolerableMs = 5_000
const timesInARow = 3

/**
 * How far the API server's clock is from ours, by the Date headers of its answers. A header is cut to the second and the
 * answer was on its way, so an offset is known to half a second at best.
 */
export class ClockOffset {
  readonly #clock: Clock
  readonly #log: Logger
  #toldAt: Monotonic = Number.NEGATIVE_INFINITY
  #farOff = 0
  #lastMs = 0
  /** Wall minus monotonic clock, when the wall clock was last found near the server's. */
  #trusted: number | null = null
  #stepped = false

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** Server minus own, in milliseconds, by the last answer. */
  get lastMs(): number {
    return this.#lastMs
  }

  /** Off by more than five seconds in three answers in a row. */
  get isSkewed(): boolean {
    return this.#farOff >= timesInARow
  }

  /**
   * It was near the server's clock, has been set by more than five seconds since, and is not near it any more: it is
   * known to be wrong by the first answer. What is launched by a clock that is ahead is handled for as long as that.
   */
  get isStepped(): boolean {
    return this.#stepped
  }

  /** `serverTime` in epoch milliseconds, cut to the second; just received. Answers server minus own, in milliseconds. */
  observe(serverTime: number): number {
    const now = this.#clock.monotonic()
    const wall = this.#clock.now()
    const offsetMs = serverTime + 500 - wall
    this.#lastMs = offsetMs
    const isFarOff = Math.abs(offsetMs) > intolerableMs + 500
    this.#farOff = isFarOff ? this.#farOff + 1 : 0
    if (!isFarOff) this.#trusted = wall - now
    this.#stepped = this.#trusted !== null && Math.abs(wall - now - this.#trusted) > intolerableMs
    if (Math.abs(offsetMs) > tolerableMs + 500 && now - this.#toldAt >= tellAgainAfterMs) {
      this.#toldAt = now
      this.#log.warn({ offsetMs }, 'the clock of this machine differs from the API server by more than a second')
    }
    return offsetMs
  }
}
