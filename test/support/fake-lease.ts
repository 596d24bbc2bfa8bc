import { formatMicroTime } from '../../src/api/time.ts'
import type { Clock } from '../../src/clock.ts'
import type { Lease, LeaseClaim, LeaseControl } from '../../src/leader/lease.ts'
import { anApiError, nextVersion } from './builders.ts'

/** The one Lease of the API server, for as many candidates as there are. */
export class FakeLeaseServer {
  lease: Lease | null = null
  readonly #watchers = new Set<(lease: Lease | null) => void>()

  write(lease: Lease | null): Lease | null {
    this.lease = lease
    for (const told of this.#watchers) told(lease)
    return lease
  }

  watch(told: (lease: Lease | null) => void): () => void {
    this.#watchers.add(told)
    if (this.lease !== null) told(this.lease)
    return () => this.#watchers.delete(told)
  }
}

type Way = (verb: 'get' | 'create' | 'update') => Promise<void> | Error | undefined

/** The way of one candidate to the server: `way` may hold a request up, or fail it; `lost` loses the answer of a write. */
export class FakeLeaseControl implements LeaseControl {
  way: Way = () => undefined
  /** Holds up the answer of a write. */
  after: () => Promise<void> | undefined = () => undefined
  isAnswerLost = false
  /** An open watch that says nothing any more. */
  isWatchDead = false
  readonly log: string[] = []
  readonly #server: FakeLeaseServer
  readonly #clock: Clock

  constructor(server: FakeLeaseServer, clock: Clock) {
    this.#server = server
    this.#clock = clock
  }

  async get(timeoutMs: number): Promise<Lease | null> {
    await this.#go('get', timeoutMs)
    return this.#server.lease
  }

  async create(claim: LeaseClaim, timeoutMs: number): Promise<Lease> {
    await this.#go('create', timeoutMs)
    if (this.#server.lease !== null) throw anApiError({ kind: 'AlreadyExists', code: 409 })
    return this.#answered(this.#write(claim))
  }

  async update(resourceVersion: string, claim: LeaseClaim, timeoutMs: number): Promise<Lease> {
    await this.#go('update', timeoutMs)
    if (this.#server.lease === null) throw anApiError({ kind: 'NotFound', code: 404 })
    if (this.#server.lease.resourceVersion !== resourceVersion) throw anApiError({ kind: 'Conflict', code: 409 })
    return this.#answered(this.#write(claim))
  }

  async watch(told: (lease: Lease | null) => void, signal: AbortSignal): Promise<void> {
    const end = this.#server.watch((lease) => {
      if (!this.isWatchDead) told(lease)
    })
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    end()
  }

  #write({ renewed, ...claim }: LeaseClaim): Lease {
    const lease = { ...claim, resourceVersion: nextVersion(), renewed: formatMicroTime(renewed) }
    this.#server.write(lease)
    if (this.isAnswerLost) throw anApiError({ kind: 'Unanswered' })
    return lease
  }

  async #answered(lease: Lease): Promise<Lease> {
    await this.after()
    return lease
  }

  async #go(verb: 'get' | 'create' | 'update', timeoutMs: number): Promise<void> {
    this.log.push(verb)
    const held = this.way(verb)
    if (held instanceof Error) throw held
    if (held === undefined) return
    const limit = new AbortController()
    const timeout = this.#clock.sleep(timeoutMs, limit.signal).then(() => {
      if (!limit.signal.aborted) throw anApiError({ kind: 'Unanswered', message: `no answer within ${timeoutMs} ms` })
    })
    try {
      await Promise.race([held, timeout])
    } finally {
      limit.abort()
    }
  }
}
