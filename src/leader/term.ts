import type { Clock, Monotonic } from '../clock.ts'
import type { Instant } from '../schedule/state.ts'

export interface TermTimes {
  /** A renewal that was sent longer ago than this is not enough to write. */
  readonly renewDeadlineMs: number
  /** After so long without a change somebody else may take the Lease. */
  readonly leaseMs: number
}

/** A write of the Lease by which this process holds it, from when it was sent. */
export interface Claimed {
  readonly sentAt: Monotonic
  readonly sentAtWall: Instant
  /** As the Lease has it since: the number of this leadership among all. */
  readonly transitions: number
}

/** Before somebody else may begin, what is still on its way must have been given up. */
export const abortMarginMs = 500

/**
 * A time of leadership, from a successful claim until it was not renewed, was taken, or was given up.
 *
 * Guarantees: `holds()` is true only while the last renewal that succeeded was *sent* less than the renew deadline ago, by
 * the monotonic clock and by the wall clock (a machine that was suspended comes back with a monotonic clock that stood
 * still); once false at a look of `watch`, it never is true again; `expired` aborts half a second before somebody else
 * may begin.
 */
export class Term {
  readonly #clock: Clock
  readonly #times: TermTimes
  readonly #over = new AbortController()
  readonly #expired = new AbortController()
  #claimed: Claimed

  constructor(clock: Clock, times: TermTimes, claimed: Claimed) {
    this.#clock = clock
    this.#times = times
    this.#claimed = claimed
  }

  /** What the Lease counts, as last written by us. */
  get transitions(): number {
    return this.#claimed.transitions
  }

  /** Whether a write may be sent in this very turn. */
  readonly holds = (): boolean => !this.#over.signal.aborted && this.sinceRenewal() < this.#times.renewDeadlineMs

  /** No further decision; aborts when the term has ended, its reason says why. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  /** What is on its way is to be aborted. */
  get expired(): AbortSignal {
    return this.#expired.signal
  }

  /** Milliseconds since the last successful renewal was sent, by the clock that says more. */
  sinceRenewal(): number {
    const { sentAt, sentAtWall } = this.#claimed
    return Math.max(this.#clock.monotonic() - sentAt, this.#clock.now() - sentAtWall)
  }

  /** What a request to renew may take. */
  leftMs(): number {
    return this.#times.renewDeadlineMs - (this.#clock.monotonic() - this.#claimed.sentAt)
  }

  /** For so long from now nobody else leads, less the margin. */
  leaseLeftMs(): number {
    return this.#times.leaseMs - abortMarginMs - this.sinceRenewal()
  }

  /** A renewal has succeeded. */
  renewed(claimed: Claimed): void {
    this.#claimed = { ...claimed, sentAt: Math.max(this.#claimed.sentAt, claimed.sentAt) }
  }

  /** Ends it at once, for a reason that the log tells; `expired` follows when its time has come, or now. */
  end(reason: string, expireNow: boolean): void {
    this.#over.abort(reason)
    if (expireNow) this.#expired.abort(reason)
  }

  /** Ends the term when its time has come; resolves when both signals have aborted. */
  async watch(): Promise<void> {
    await this.#passed(this.#times.renewDeadlineMs, this.#over.signal)
    this.#over.abort('the lease could not be renewed in time')
    await this.#passed(this.#times.leaseMs - abortMarginMs, this.#expired.signal)
    this.#expired.abort('the lease is about to end')
  }

  /** Until the last renewal is so old, or `signal` aborts. */
  async #passed(ms: number, signal: AbortSignal): Promise<void> {
    for (let left = ms - this.sinceRenewal(); left > 0 && !signal.aborted; left = ms - this.sinceRenewal())
      await this.#clock.sleep(left, signal)
  }
}
