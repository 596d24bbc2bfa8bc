import type { Logger } from 'pino'
import { asApiError } from '../api/api-error.ts'
import type { Clock } from '../clock.ts'
import type { Lease, LeaseClaim, LeaseControl } from './lease.ts'

export interface GiveBackParts {
  readonly control: LeaseControl
  readonly clock: Clock
  readonly log: Logger
  readonly identity: string
  /** What is written into a Lease that nobody holds any more. */
  readonly claim: (lease: Lease) => LeaseClaim
}

/** Writes into the Lease that nobody holds it, unless somebody else does. Never rejects; limited by `timeoutMs`. */
export async function giveBack(parts: GiveBackParts, mine: Lease, timeoutMs: number): Promise<void> {
  try {
    await tryToGiveBack(parts, mine, parts.clock.monotonic() + timeoutMs)
    parts.log.info('lease released')
  } catch (thrown) {
    parts.log.warn({ err: asApiError(thrown) }, 'lease could not be released, it ends by itself')
  }
}

/**
 * From the version that we wrote last, or what has become of it since: somebody may have put a label on it, and the answer
 * to our last write may be lost.
 */
async function tryToGiveBack(parts: GiveBackParts, mine: Lease, deadline: number): Promise<void> {
  const { control, clock, identity, claim } = parts
  const leftMs = () => Math.max(1, deadline - clock.monotonic())
  for (let lease: Lease | null = mine; lease?.holder === identity; lease = await control.get(leftMs())) {
    try {
      await control.update(lease.resourceVersion, claim(lease), leftMs())
      return
    } catch (thrown) {
      if (asApiError(thrown).kind !== 'Conflict' || clock.monotonic() >= deadline) throw thrown
    }
  }
}
