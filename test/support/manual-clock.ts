import type { Clock, Monotonic } from '../../src/clock.ts'
import type { Instant } from '../../src/schedule/state.ts'

interface Sleeper {
  /** Whether its time has come. */
  readonly isDue: () => boolean
  /** On the monotonic clock, for the order. */
  readonly wakesAt: () => Monotonic
  readonly wake: () => void
}

/** A Clock that stands still until a test moves it. Sleepers wake in the order of their deadlines, each settled before the next. */
export class ManualClock implements Clock {
  #monotonic = 1_000_000
  #offset: number
  readonly #sleepers = new Set<Sleeper>()
  readonly #settled: () => Promise<void>

  /** `settled` resolves when all that can happen without time passing has happened. */
  constructor(start: string, settled = settle) {
    this.#offset = Date.parse(start) - this.#monotonic
    this.#settled = settled
  }

  now(): Instant {
    return Math.floor(this.#monotonic + this.#offset)
  }

  monotonic(): Monotonic {
    return this.#monotonic
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const deadline = this.#monotonic + ms
    return this.#park(() => deadline, signal)
  }

  sleepUntil(deadline: Instant, signal?: AbortSignal): Promise<void> {
    return this.#park(() => deadline - this.#offset, signal)
  }

  async advance(ms: number): Promise<void> {
    await this.advanceTo(this.now() + ms)
  }

  /** Moves both clocks to `instant`, waking everybody on the way at exactly their time. */
  async advanceTo(instant: Instant): Promise<void> {
    const target = instant - this.#offset
    await this.#settled()
    for (let next = this.#next(target); next !== undefined; next = this.#next(target)) {
      this.#monotonic = Math.max(this.#monotonic, next.wakesAt())
      next.wake()
      await this.#settled()
    }
    this.#monotonic = Math.max(this.#monotonic, target)
    await this.#settled()
  }

  /** Moves to the next time at which somebody wakes, at the latest to `instant`. */
  async advanceToNext(instant: Instant): Promise<void> {
    const next = this.#next(instant - this.#offset)
    await this.advanceTo(next === undefined ? instant : Math.max(this.now(), Math.ceil(next.wakesAt() + this.#offset)))
  }

  /** Sets the wall clock forward or back; the monotonic clock does not move. Wakes those whose time has come by it. */
  async stepWall(ms: number): Promise<void> {
    this.#offset += ms
    await this.advance(0)
  }

  #park(wakesAt: () => Monotonic, signal?: AbortSignal): Promise<void> {
    const isDue = () => wakesAt() <= this.#monotonic
    if (isDue() || signal?.aborted === true) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper: Sleeper = { isDue, wakesAt, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', wake)
    })
  }

  #next(target: Monotonic): Sleeper | undefined {
    let first: Sleeper | undefined
    for (const sleeper of this.#sleepers)
      if (sleeper.wakesAt() <= target && (first === undefined || sleeper.wakesAt() < first.wakesAt())) first = sleeper
    return first
  }
}

/** Lets everything that can run without time passing run: promises, and what they post to the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
