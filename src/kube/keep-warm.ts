import type { Clock } from '../clock.ts'
import type { Transport } from './transport.ts'

/** Idle connections are given up after 75 s. */
const everyMs = 60_000
/** Runs are due at whole seconds. */
const betweenMs = 500

/**
 * Keeps the connections of the launch lane open until `signal` aborts: a standby has not launched for hours, and its first
 * second as a leader would begin with a handshake for each of them.
 */
export async function keepWarm(transport: Pick<Transport, 'warmUp'>, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal)
    await clock.sleepUntil(Math.ceil(clock.now() / 1_000) * 1_000 + betweenMs, signal)
    if (!signal.aborted) await transport.warmUp()
  }
}
