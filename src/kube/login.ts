import type { Logger } from 'pino'
import type { Clock, Monotonic } from '../clock.ts'
import { type Credentials, type CredentialSource, isSameLogin, usable } from './credentials.ts'

export interface LoginParts {
  readonly source: CredentialSource
  readonly clock: Clock
  readonly log: Logger
  readonly first: Credentials
  /** Told of each reading that succeeds. */
  readonly onRead: (before: Credentials, after: Credentials) => void
}

/** Tokens and CAs are rotated well before they end; the kubelet takes up to a minute to show the new ones. */
const refreshEveryMs = 30_000
/** When every request is refused, a helper must not be started for each of them. */
const forcedApartMs = 1_000

/**
 * The credentials in use, and their renewal.
 *
 * Guarantees: they are at hand without waiting; there is one reading at a time, whoever asks for it; what can't be read
 * is kept as it was; nobody waits for a reading longer than until their signal aborts.
 */
export class Login {
  readonly #parts: LoginParts
  #current: Credentials
  #reading: Promise<void> | null = null
  #forcedAt: Monotonic = Number.NEGATIVE_INFINITY

  constructor(parts: LoginParts) {
    this.#parts = parts
    this.#current = parts.first
  }

  get current(): Credentials {
    return this.#current
  }

  /** Reads them every 30 s, until `signal` aborts. */
  async keepFresh(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(refreshEveryMs, signal)
      if (!signal.aborted) await orAborted(this.#read(false), signal)
    }
  }

  /** After a 401: whether there are others now than those that were refused. */
  async renewed(refused: Credentials, signal: AbortSignal): Promise<boolean> {
    if (isSameLogin(refused, this.#current)) await orAborted(this.#readByForce(), signal)
    return !signal.aborted && !isSameLogin(refused, this.#current)
  }

  async #readByForce(): Promise<void> {
    const now = this.#parts.clock.monotonic()
    if (this.#reading === null && now - this.#forcedAt < forcedApartMs) return
    this.#forcedAt = now
    await this.#read(true)
  }

  #read(force: boolean): Promise<void> {
    this.#reading ??= this.#readOnce(force)
    return this.#reading
  }

  async #readOnce(force: boolean): Promise<void> {
    const { source, log, onRead } = this.#parts
    const before = this.#current
    try {
      this.#current = usable(await source.read(force))
      onRead(before, this.#current)
    } catch (err) {
      log.warn({ err }, 'credentials could not be read again, the last ones are kept')
    } finally {
      this.#reading = null
    }
  }
}

/** Waits for `work`, which does not reject, or until `signal` aborts. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  signal.addEventListener('abort', end)
  await Promise.race([work, aborted])
  signal.removeEventListener('abort', end)
}
