import type { Monotonic } from '../clock.ts'
import type { Instant } from '../schedule/state.ts'

/** A coordination.k8s.io/v1 Lease as the election sees it: client-go's record, parsed once. */
export interface Lease {
  readonly resourceVersion: string
  /** Empty when it was released. */
  readonly holder: string
  readonly durationMs: number
  /** How often it has gone from one holder to another. */
  readonly transitions: number
  readonly acquired: Instant
  /** When its holder says to have renewed it: compared as it stands, and never read, since that is another clock. */
  readonly renewed: string
}

/** What is written into it; times are put in by whoever sends it. */
export interface LeaseClaim {
  readonly holder: string
  readonly durationMs: number
  readonly transitions: number
  readonly acquired: Instant
  readonly renewed: Instant
}

/**
 * The API server as the election sees it. Every call rejects with an `ApiError` and with nothing else, and is limited by
 * `timeoutMs`.
 */
export interface LeaseControl {
  /** null when there is none. */
  get(timeoutMs: number): Promise<Lease | null>
  /** `AlreadyExists` when somebody was faster. */
  create(claim: LeaseClaim, timeoutMs: number): Promise<Lease>
  /** `Conflict` when the Lease is not at this version any more. */
  update(resourceVersion: string, claim: LeaseClaim, timeoutMs: number): Promise<Lease>
  /** Tells of every change until the watch ends, or `signal` aborts; resolves then, whatever ended it. */
  watch(told: (lease: Lease | null) => void, signal: AbortSignal): Promise<void>
}

/** A Lease, and when this process first saw this record in it: the only time by which it can be judged to have ended. */
export interface Observed {
  readonly lease: Lease
  readonly at: Monotonic
}

const deleted = ''

/**
 * What is known after it was seen, or seen to be deleted (null). The clocks of two machines are never compared: only our
 * own, since we saw the last change (as client-go does). Of one that was deleted its holder may have renewed the last
 * version a moment before, and rely on it for as long as it said, whatever we had seen of it.
 */
export function observe(before: Observed | null, lease: Lease | null, now: Monotonic): Observed | null {
  const seen = lease ?? (before === null ? null : { ...before.lease, resourceVersion: deleted })
  if (seen === null || before?.lease.resourceVersion === seen.resourceVersion) return before
  return { lease: seen, at: before !== null && lease !== null && isSameRecord(before.lease, lease) ? before.at : now }
}

/** Somebody has written something else of it, such as a label: its holder has not renewed it by that. */
function isSameRecord(before: Lease, after: Lease): boolean {
  const isThere = before.resourceVersion !== deleted
  return isThere && fields.every((field) => before[field] === after[field])
}

const fields = ['holder', 'durationMs', 'transitions', 'acquired', 'renewed'] as const

/** When somebody else may take it: at once when it was released, else when its own duration has passed without a change. */
export function endsAt({ lease, at }: Observed): Monotonic {
  return lease.holder === '' ? at : at + lease.durationMs
}

/** Who leads, as far as is known; empty when nobody does: the lease has ended, or was released. */
export function holderOf(observed: Observed | null, now: Monotonic): string {
  return observed === null || endsAt(observed) <= now ? '' : observed.lease.holder
}

/**
 * What the Lease counts once this one has taken it: one more, and no more when the holder itself makes a deleted one anew (as
 * client-go counts). null while somebody else holds it.
 */
export function nextTransitions(known: Observed | null, identity: string, now: Monotonic): number | null {
  if (known === null) return 0
  if (known.lease.holder === identity) return known.lease.transitions
  return endsAt(known) <= now ? known.lease.transitions + 1 : null
}
