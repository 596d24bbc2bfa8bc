import type { Clock, Monotonic } from '../clock.ts'

interface Watched {
  readonly until: Monotonic
  readonly hangs: () => void
}

/** Tells of each that has not come to its end after its time; by one timer, however many there are. */
export class HangWatch {
  readonly #clock: Clock
  readonly #watched = new Set<Watched>()
  #isRunning = false
  readonly #stop = new AbortController()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** To be called at its end: what this answers. */
  begin(afterMs: number, hangs: () => void): () => void {
    const watched = { until: this.#clock.monotonic() + afterMs, hangs }
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
    while (this.#watched.size > 0) {
      const next = Math.min(...[...this.#watched].map(({ until }) => until))
      await this.#clock.sleep(next - this.#clock.monotonic(), this.#stop.signal)
      this.#tell(this.#clock.monotonic())
    }
    this.#isRunning = false
  }

  #tell(now: Monotonic): void {
    for (const watched of this.#watched) {
      if (watched.until > now) continue
      this.#watched.delete(watched)
      watched.hangs()
    }
  }
}
