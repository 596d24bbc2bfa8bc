import PQueue from 'p-queue'

/**
 * One lane for each namespace that has something to send. It begins narrow, and each quick answer lets one more go, up to
 * `most`: where creates begin to hang, few are on their way before it is known; where they do not, it is wide in a moment.
 */
export class NamespaceLanes {
  readonly #first: number
  readonly #most: number
  readonly #lanes = new Map<string, PQueue>()

  constructor({ first, most }: { readonly first: number; readonly most: number }) {
    this.#first = Math.min(first, most)
    this.#most = most
  }

  /** How many wait. */
  get size(): number {
    return [...this.#lanes.values()].reduce((sum, { size }) => sum + size, 0)
  }

  of(namespace: string): PQueue {
    const known = this.#lanes.get(namespace)
    if (known !== undefined) return known
    const lane = new PQueue({ concurrency: this.#first })
    lane.addEventListener('idle', () => this.#lanes.delete(namespace))
    this.#lanes.set(namespace, lane)
    return lane
  }

  widen(namespace: string): void {
    const lane = this.#lanes.get(namespace)
    if (lane !== undefined && lane.concurrency < this.#most) lane.concurrency += 1
  }
}
