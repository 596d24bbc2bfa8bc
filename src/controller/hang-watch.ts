import type { Clock, Monotonic } from '../clock.ts'

interface Watched {
  readonly until: Monotonic
  readonly hangs: () => void
}

/** Tells of each that has not come to its end after `afterMs`; by one timer, however many there are. */
export class HangWatch {
  readonly #clock: Clock
  readonly #afterMs: number
  /** In the order of their times. */
  readonly #watched = new Set<Watched>()
  #isRunning = false
  readonly #stop = new AbortController()

  constructor(clock: Clock, afterMs: number) {
    this.#clock = clock
    this.#afterMs = afterMs
  }

  /** To be called at its end: what this answers. */
  begin(hangs: () => void): () => void {
    const watched = { until: this.#clock.monotonic() + this.#afterMs, hangs }
    this.#watched.add(watched)
    if (!this.#isRunning) void this.#run()
    return () => this.#watched.delete(watched)
  }

  /** Nothing is watched any more. */
  stop(): void {
    this.#watched.clear()
    this.#stop.abort()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let [first] = this.#watched; first !== undefined; [first] = this.#watched) {
      await this.#clock.sleep(first.until - this.#clock.monotonic(), this.#stop.signal)
      this.#tell(this.#clock.monotonic())
    }
    this.#isRunning = false
  }

  #tell(now: Monotonic): void {
    for (const watched of this.#watched) {
      if (watched.until > now) return
      this.#watched.delete(watched)
      watched.hangs()
    }
  }
}
