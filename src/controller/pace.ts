const usualAtMost = 1_000
const weight = 1 / 16

/**
 * How long creates take that are taken. A busy API server is slow for all of them, and that is no hang: who is given up then,
 * or sent beside those that are waited for, makes it busier still.
 */
export class Pace {
  #usualMs = 0

  answered(tookMs: number): void {
    this.#usualMs += (Math.min(tookMs, usualAtMost) - this.#usualMs) * weight
  }

  /** By what the times are to be longer than usual: 1 as long as `ms` is four times of what creates take, 4 at most. */
  factor(ms: number): number {
    return Math.min(4, Math.max(1, (4 * this.#usualMs) / ms))
  }
}
