import { aborted, type Clock, type Monotonic } from '../clock.ts'
import type { Instant } from '../schedule/state.ts'
import { runTicker } from './ticker.ts'

/** What waited is woken half a second after the creates of a whole second as well. */
const tickMs = 500
const slotMs = 1_000
const scanEveryMs = 10_000

export interface LoopParts {
  readonly clock: Clock
  /** Decides what is due. */
  readonly schedule: (now: Instant) => void
  /** Wakes what waited for its time. */
  readonly reconcile: (now: Monotonic) => void
  /** One comparison of lists and stores. */
  readonly scan: (signal: AbortSignal) => Promise<void>
}

/** The two loops that turn by the clock, and the pulse by which health is told. */
export class Loops {
  readonly #parts: LoopParts
  #lastTick: Monotonic
  #decided: number | null = null

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#lastTick = parts.clock.monotonic()
  }

  /** Milliseconds since the tick loop last turned. */
  sinceTick(now: Monotonic): number {
    return now - this.#lastTick
  }

  /** Resolves when `signal` has aborted and both loops have ended; a scan that hangs is not waited for. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    const scanning = Promise.race([this.#scanLoop(signal), aborted(signal)])
    await Promise.all([runTicker(clock, tickMs, (now) => this.#tick(now), signal), scanning])
  }

  #tick(now: Instant): void {
    const second = Math.floor(now / slotMs)
    if (second !== this.#decided) this.#parts.schedule(now)
    this.#decided = second
    const monotonic = this.#parts.clock.monotonic()
    this.#lastTick = monotonic
    this.#parts.reconcile(monotonic)
  }

  async #scanLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(scanEveryMs, signal)
      if (!signal.aborted) await this.#parts.scan(signal)
    }
  }
}
