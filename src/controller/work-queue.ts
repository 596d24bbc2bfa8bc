import PQueue from 'p-queue'
import type { Monotonic } from '../clock.ts'

/** Keys of one kind, which never wait for those of another. */
export interface WorkLane {
  readonly concurrency: number
  readonly holds: (key: string) => boolean
}

interface Lane {
  readonly queue: PQueue
  readonly holds: (key: string) => boolean
}

/**
 * Work by key: at most one run of a key at a time, a key that is added while it runs is run once more, many adds are one.
 * `work` must not reject; whoever adds need not wait. A key waits in the first lane that holds it, the last one holds all; one
 * that is added again, and is of an earlier lane by now, waits there and no more where it was.
 */
export class WorkQueue {
  readonly #work: (key: string) => Promise<void>
  readonly #lanes: readonly Lane[]
  /** The lane in which each of them does. */
  readonly #waiting = new Map<string, number>()
  readonly #running = new Set<string>()
  readonly #later = new Map<string, Monotonic>()

  constructor(lanes: readonly WorkLane[], work: (key: string) => Promise<void>) {
    this.#lanes = lanes.map(({ concurrency, holds }) => ({ queue: new PQueue({ concurrency }), holds }))
    this.#work = work
  }

  add(key: string): void {
    const lane = this.#lanes.findIndex(({ holds }) => holds(key))
    if ((this.#waiting.get(key) ?? Number.POSITIVE_INFINITY) <= lane) return
    this.#waiting.set(key, lane)
    if (!this.#running.has(key)) this.#enqueue(key, lane)
  }

  /** Adds the key at the first `tick` after `at`; of several such wishes the earliest wins. */
  addLater(key: string, at: Monotonic): void {
    const known = this.#later.get(key)
    if (known === undefined || at < known) this.#later.set(key, at)
  }

  tick(now: Monotonic): void {
    for (const [key, at] of this.#later) {
      if (at > now) continue
      this.#later.delete(key)
      this.add(key)
    }
  }

  forget(key: string): void {
    this.#later.delete(key)
  }

  /** Drops what waits, and resolves when what runs has ended. */
  async stop(): Promise<void> {
    for (const { queue } of this.#lanes) queue.clear()
    this.#later.clear()
    await Promise.all(this.#lanes.map(({ queue }) => queue.onIdle()))
  }

  #enqueue(key: string, lane: number): void {
    void this.#lanes[lane]?.queue.add(() => this.#run(key, lane))
  }

  async #run(key: string, lane: number): Promise<void> {
    // It went in an earlier lane meanwhile.
    if (this.#running.has(key) || this.#waiting.get(key) !== lane) return
    this.#waiting.delete(key)
    this.#running.add(key)
    await this.#work(key)
    this.#running.delete(key)
    const next = this.#waiting.get(key)
    if (next !== undefined) this.#enqueue(key, next)
  }
}
