import type { Logger } from 'pino'
import { asApiError } from '../api/api-error.ts'
import type { Clock, Monotonic } from '../clock.ts'
import { isNewer } from '../store.ts'
import { giveBack } from './give-back.ts'
import type { Lease, LeaseClaim, LeaseControl, Observed } from './lease.ts'
import { endsAt, holderOf, nextTransitions, observe } from './lease.ts'
import { type Claimed, Term, type TermTimes } from './term.ts'

export interface ElectorParts {
  readonly control: LeaseControl
  readonly clock: Clock
  readonly log: Logger
  /** Of this process and no other: a name that a restarted container has as well would inherit a lease. */
  readonly identity: string
  readonly times: TermTimes & { readonly retryMs: number }
  /** Why this process should not lead, such as a clock that is wrong; null while it may. */
  readonly unfit: () => string | null
  /** Called in the turn in which a term begins; it is over when `term.over` aborts. */
  readonly begun: (term: Term) => void
}

/**
 * Competes for a Lease, by the rules of client-go's leader election.
 *
 * Guarantees: at most one term at a time; a renewal counts from when it was sent; each request may take no longer than what
 * is left of the term; the end of another's lease is judged by our own monotonic clock since we saw its last change; a
 * leader that can't renew ends its term and goes on trying. A standby watches the Lease and wakes at its end.
 */
export class Elector {
  readonly #parts: ElectorParts
  #observed: Observed | null = null
  /** The Lease as our own last write left it: whoever may write it next from this version is us. */
  #mine: Lease | null = null
  #term: Term | null = null
  #wake = new AbortController()

  constructor(parts: ElectorParts) {
    this.#parts = parts
  }

  /** The term that holds, or null. */
  get term(): Term | null {
    return this.#term?.over.aborted === false ? this.#term : null
  }

  /** Who is known to lead; empty when nobody is, as when the lease has ended. */
  get holder(): string {
    return holderOf(this.#observed, this.#parts.clock.monotonic())
  }

  /** Competes until `signal` aborts; whoever leads then stops what it does, and releases. */
  async run(signal: AbortSignal): Promise<void> {
    const watching = this.#keepWatching(signal)
    while (!signal.aborted) {
      const askedAt = this.#parts.clock.monotonic()
      await this.#round()
      await this.#untilDue(askedAt, signal)
    }
    await watching
  }

  /** Gives the Lease back, so that nobody has to wait for its end. Never rejects; limited by `timeoutMs`. */
  async release(timeoutMs: number, reason = 'released'): Promise<void> {
    this.term?.end(reason, true)
    const mine = this.#mine
    if (mine === null) return
    this.#mine = null
    const claim = (of: Lease) => ({ ...this.#claim(of.transitions, of.acquired), holder: '', durationMs: 1_000 })
    await giveBack({ ...this.#parts, claim }, mine, timeoutMs)
  }

  async #round(): Promise<void> {
    const unfit = this.#parts.unfit()
    try {
      if (unfit !== null) await this.release(this.#parts.times.retryMs, unfit)
      else if (this.#mine === null) await this.#tryToAcquire()
      else await this.#renew(this.#mine)
    } catch (thrown) {
      this.#parts.log.warn({ err: asApiError(thrown), leads: this.term !== null }, 'lease could not be asked for')
    }
  }

  async #renew(mine: Lease): Promise<void> {
    try {
      await this.#write(mine.transitions, mine.acquired, mine.resourceVersion)
    } catch (thrown) {
      const { kind } = asApiError(thrown)
      if (kind !== 'Conflict' && kind !== 'NotFound') throw thrown
      // Somebody has written it, or deleted it: what it says now decides.
      this.#mine = null
      await this.#tryToAcquire()
    }
  }

  async #tryToAcquire(): Promise<void> {
    const { control, clock, identity } = this.#parts
    const lease = await control.get(this.#timeoutMs())
    this.#see(lease)
    // A write of ours whose answer was lost, or that somebody has put a label on: nobody else writes our name.
    if (lease?.holder === identity) return this.#write(lease.transitions, lease.acquired, lease.resourceVersion)
    const transitions = nextTransitions(this.#observed, identity, clock.monotonic())
    if (transitions !== null) await this.#write(transitions, clock.now(), lease?.resourceVersion ?? null)
  }

  /** Claims it from this version on (null: creates it). The term goes on, or begins. */
  async #write(transitions: number, acquired: number, version: string | null): Promise<void> {
    const { control, clock, log } = this.#parts
    const sent = { sentAt: clock.monotonic(), sentAtWall: clock.now() }
    const claim = this.#claim(transitions, acquired)
    let written: Lease
    try {
      const limitMs = this.#timeoutMs()
      written = await (version === null ? control.create(claim, limitMs) : control.update(version, claim, limitMs))
    } catch (thrown) {
      const { kind } = asApiError(thrown)
      if ((kind !== 'Conflict' && kind !== 'AlreadyExists') || this.#mine !== null) throw thrown
      log.debug('somebody else was faster')
      return this.#see(await control.get(this.#timeoutMs()))
    }
    const known = this.#observed
    // The watch was faster: somebody else has written it since.
    if (known !== null && isNewer(known.lease.resourceVersion, written.resourceVersion)) return
    this.#mine = written
    this.#observed = observe(known, written, clock.monotonic())
    const claimed = { ...sent, transitions: written.transitions }
    if (this.term === null) this.#begin(claimed)
    else this.term.renewed(claimed)
  }

  #begin(claimed: Claimed): void {
    const { clock, times, log, begun } = this.#parts
    const term = new Term(clock, times, claimed)
    // An answer that came too late is no leadership.
    if (!term.holds()) return
    this.#term?.end('a new term begins', true)
    this.#term = term
    log.info({ transitions: term.transitions }, 'leadership begins')
    term.over.addEventListener('abort', () => log.warn({ reason: String(term.over.reason) }, 'leadership ends'))
    void term.watch()
    begun(term)
  }

  /** What the Lease says, whoever told us. */
  #see(lease: Lease | null): void {
    const { clock, identity } = this.#parts
    this.#observed = observe(this.#observed, lease, clock.monotonic())
    if (lease === null || lease.holder === identity) return
    this.#mine = null
    this.term?.end(`the lease is held by ${lease.holder === '' ? 'nobody' : lease.holder}`, true)
  }

  async #keepWatching(signal: AbortSignal): Promise<void> {
    const { control, clock, times } = this.#parts
    while (!signal.aborted) {
      await control.watch((lease) => this.#told(lease), signal)
      await clock.sleep(times.retryMs, signal)
    }
  }

  /** An older version than the one we wrote is no news, and what we wrote is none either. */
  #told(lease: Lease | null): void {
    if (lease?.holder === this.#parts.identity) return
    const isOld = lease !== null && this.#mine !== null && !isNewer(lease.resourceVersion, this.#mine.resourceVersion)
    if (isOld) return
    this.#see(lease)
    this.#wake.abort()
  }

  /** Until the next request is due. What the watch tells meanwhile moves that. */
  async #untilDue(askedAt: Monotonic, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    for (let left = this.#dueAt(askedAt) - clock.monotonic(); left > 0 && !signal.aborted; ) {
      this.#wake = new AbortController()
      await clock.sleep(left, AbortSignal.any([this.#wake.signal, signal]))
      left = this.#dueAt(askedAt) - clock.monotonic()
    }
  }

  /** A leader renews at its pace; a standby waits for the end of the other's lease. */
  #dueAt(askedAt: Monotonic): Monotonic {
    const soonest = askedAt + this.#parts.times.retryMs
    const known = this.#observed
    if (known === null || known.lease.holder === this.#parts.identity) return soonest
    return Math.max(endsAt(known), soonest)
  }

  /** No longer than what is left of the term, and short enough for a second try. */
  #timeoutMs(): number {
    const half = this.#parts.times.renewDeadlineMs / 2
    return Math.max(1, Math.min(this.term?.leftMs() ?? half, half))
  }

  #claim(transitions: number, acquired: number): LeaseClaim {
    const { identity, times, clock } = this.#parts
    return { holder: identity, durationMs: times.leaseMs, transitions, acquired, renewed: clock.now() }
  }
}
