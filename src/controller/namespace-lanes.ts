import PQueue from 'p-queue'

/** A namespace begins with so many creates on their way. */
const first = 8

/**
 * One lane for each namespace that has something to send. It begins narrow, and each quick answer lets one more go, up to
 * `most`: where creates begin to hang, few are on their way before it is known; where they do not, it is wide in a moment.
 */
export class NamespaceLanes {
  readonly #most: number
  readonly #lanes = new Map<string, PQueue>()

  constructor(most: number) {
    this.#most = most
  }

  /** How many wait. */
  get size(): number {
    return [...this.#lanes.values()].reduce((sum, { size }) => sum + size, 0)
  }

  of(namespace: string): PQueue {
    const known = this.#lanes.get(namespace)
    if (known !== undefined) return known
    const lane = new PQueue({ concurrency: Math.min(first, this.#most) })
    lane.addEventListener('idle', () => this.#lanes.delete(namespace))
    this.#lanes.set(namespace, lane)
    return lane
  }

  widen(namespace: string): void {
    const lane = this.#lanes.get(namespace)
    if (lane !== undefined && lane.concurrency < this.#most) lane.concurrency += 1
  }
}
