import { type ApiErrorKind, asApiError } from '../api/api-error.ts'
import type { Clock, Monotonic } from '../clock.ts'
import type { Lease, LeaseClaim, LeaseControl } from './lease.ts'

/** A write that was decided: somebody else was faster. (`NotFound` may be the namespace.) */
const heardKinds: ReadonlySet<ApiErrorKind> = new Set(['Conflict', 'AlreadyExists'])

interface Failing {
  readonly since: Monotonic
  readonly why: ApiErrorKind
}

/**
 * The Lease, and how long nothing has been heard of it: since the first request that failed after something was heard.
 * Heard is a write of ours that was decided, and a renewal that was not seen before. To read the same one once more
 * is not: who may read it but not write it can't lead either.
 */
export class HeardLease implements LeaseControl {
  readonly #control: LeaseControl
  readonly #clock: Clock
  #failing: Failing | null = null
  /** Who renewed it last, and when by its own word. */
  #renewal = ''

  constructor(control: LeaseControl, clock: Clock) {
    this.#control = control
    this.#clock = clock
  }

  /** Milliseconds. */
  get failingMs(): number {
    return this.#failing === null ? 0 : this.#clock.monotonic() - this.#failing.since
  }

  /** Why the last request failed, in one word; empty while the Lease is heard of. */
  get why(): ApiErrorKind | '' {
    return this.#failing?.why ?? ''
  }

  async get(timeoutMs: number): Promise<Lease | null> {
    const lease = await this.#answered(this.#control.get(timeoutMs))
    this.#saw(lease)
    return lease
  }

  create(claim: LeaseClaim, timeoutMs: number): Promise<Lease> {
    return this.#written(this.#control.create(claim, timeoutMs))
  }

  update(resourceVersion: string, claim: LeaseClaim, timeoutMs: number): Promise<Lease> {
    return this.#written(this.#control.update(resourceVersion, claim, timeoutMs))
  }

  watch(told: (lease: Lease | null) => void, signal: AbortSignal): Promise<void> {
    const hear = (lease: Lease | null) => {
      this.#saw(lease)
      told(lease)
    }
    return this.#control.watch(hear, signal)
  }

  async #written(request: Promise<Lease>): Promise<Lease> {
    const lease = await this.#answered(request)
    this.#saw(lease)
    return lease
  }

  async #answered<T>(request: Promise<T>): Promise<T> {
    try {
      return await request
    } catch (thrown) {
      const { kind } = asApiError(thrown)
      if (heardKinds.has(kind)) this.#failing = null
      else this.#failing = { since: this.#failing?.since ?? this.#clock.monotonic(), why: kind }
      throw thrown
    }
  }

  #saw(lease: Lease | null): void {
    if (lease === null) return
    const renewal = `${lease.holder} ${lease.renewed}`
    if (renewal === this.#renewal) return
    this.#renewal = renewal
    this.#failing = null
  }
}
