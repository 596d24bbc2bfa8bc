import type { Logger } from 'pino'
import { ApiError } from '../api/api-error.ts'
import type { Clock, Monotonic } from '../clock.ts'
import { BrokenLine, JsonLines } from './json-lines.ts'
import { listPage } from './list-page.ts'
import { PageSize } from './page-size.ts'
import type { Transport } from './transport.ts'
import type { ListPage } from './understood.ts'
import { errorOfEvent, failureLevel, failureMessage, type RawEvent } from './watch-event.ts'
import { firstState, step, type WatchInput, type WatchState } from './watch-state.ts'

export interface Sink<T> {
  /** A complete, consistent list. */
  replace(items: readonly T[]): void
  put(item: T): void
  /** The object is gone, or no longer selected. */
  remove(item: T): void
}

export interface ReflectorParts<T> {
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
  /** Of the collection, such as `/apis/batch/v1/jobs`. */
  readonly path: string
  readonly labelSelector?: string
  /** Throws on an object that has no identity; such a one is logged and left out. */
  readonly decode: (raw: unknown) => T
  readonly sink: Sink<T>
  /** Told of each list and each watch that failed. */
  readonly onFailure?: (thrown: unknown) => void
  /** In [0, 1); spreads the pauses. */
  readonly random: () => number
}

export interface WatchHealth {
  /** A whole list has arrived at least once. */
  readonly synced: boolean
  /** A watch is open. */
  readonly connected: boolean
  /** Since the last byte of the open watch, or since it was opened. */
  readonly silentMs: number
  /** Since there was an open watch; 0 while there is one. */
  readonly disconnectedMs: number
}

const watchSeconds = 45
/** The server ends a watch at 45 s by itself; one that has said nothing for longer is dead. */
const deadAfterMs = 55_000
/** One that ends sooner is counted as failed: a server that ends each at once would be asked a thousand times a second. */
const shortestWatchMs = 1_000

/**
 * Keeps a sink equal to a collection of the API server, by list and watch.
 *
 * Guarantees: lists are consistent (no resourceVersion is sent), and handed over whole; nothing is handed over after
 * `signal` has aborted; no error ends it; an object that can't be decoded costs only itself.
 * Assumes that the sink takes events that it knows already: after a pause some come again.
 */
export class Reflector<T> {
  readonly #parts: ReflectorParts<T>
  readonly #size = new PageSize()
  #state: WatchState = firstState
  #synced = false
  #connected = false
  /** The last byte of the open watch; while there is none, when the last one was lost. */
  #lastActivity: Monotonic

  constructor(parts: ReflectorParts<T>) {
    this.#parts = parts
    this.#lastActivity = parts.clock.monotonic()
  }

  health(now: Monotonic): WatchHealth {
    const since = now - this.#lastActivity
    const connected = this.#connected
    return { synced: this.#synced, connected, silentMs: connected ? since : 0, disconnectedMs: connected ? 0 : since }
  }

  /** Resolves when `signal` has aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let page: T[] = []
    while (!signal.aborted) {
      const state = this.#state
      if (state.at === 'waiting') {
        await this.#parts.clock.sleep(state.pauseMs, signal)
        this.#follow({ kind: 'waited' })
      } else if (state.at === 'listing') {
        if (state.token === null) page = []
        await this.#list(state.token, page, signal)
      } else await this.#watch(state.version, signal)
    }
  }

  async #list(token: string | null, sofar: T[], signal: AbortSignal): Promise<void> {
    const items: T[] = []
    const request = { ...this.#parts, token, size: this.#size, signal }
    try {
      const page = await listPage(request, (raw) => this.#decode(raw, (item) => items.push(item)))
      if (!signal.aborted) this.#page(page, sofar, items)
    } catch (thrown) {
      this.#failed(thrown, signal)
    }
  }

  #page({ token, version }: ListPage, sofar: T[], items: readonly T[]): void {
    for (const item of items) sofar.push(item)
    if (token === null) {
      this.#parts.sink.replace(sofar)
      this.#synced = true
    }
    this.#follow({ kind: 'page', token, version })
  }

  async #watch(version: string, signal: AbortSignal): Promise<void> {
    const watch = new AbortController()
    const end = () => watch.abort()
    signal.addEventListener('abort', end)
    const guard = this.#endWhenSilent(watch)
    try {
      await this.#consume(version, watch.signal, signal)
      if (!signal.aborted) this.#follow({ kind: 'ended' })
    } catch (thrown) {
      this.#failed(thrown, signal)
    } finally {
      this.#setConnected(false)
      signal.removeEventListener('abort', end)
      watch.abort()
      await guard
    }
  }

  async #consume(version: string, open: AbortSignal, signal: AbortSignal): Promise<void> {
    const query = this.#watchQuery(version)
    const lines = new JsonLines()
    const { transport, path, clock } = this.#parts
    const askedAt = clock.monotonic()
    for await (const chunk of transport.stream(`${path}?${query}`, open, () => this.#setConnected(true))) {
      this.#lastActivity = clock.monotonic()
      for (const event of lines.push(chunk)) if (!signal.aborted) this.#event(event as RawEvent)
    }
    if (clock.monotonic() - askedAt < shortestWatchMs) throw new Error('the watch ended at once')
  }

  #event(event: RawEvent): void {
    const { type, object } = event
    if (type === 'ERROR') throw errorOfEvent(event)
    const { sink } = this.#parts
    if (type === 'DELETED') this.#decode(object, (item) => sink.remove(item))
    else if (type !== 'BOOKMARK') this.#decode(object, (item) => sink.put(item))
    const version = object.metadata?.resourceVersion
    if (version !== undefined) this.#follow({ kind: 'progress', version })
  }

  /** An endless silence looks like health to everything below: aborts the watch when it is dead. */
  async #endWhenSilent(watch: AbortController): Promise<void> {
    const { clock } = this.#parts
    const openedAt = clock.monotonic()
    for (let left = deadAfterMs; left > 0 && !watch.signal.aborted; ) {
      await clock.sleep(left, watch.signal)
      left = Math.max(this.#lastActivity, openedAt) + deadAfterMs - clock.monotonic()
    }
    watch.abort(new Error(`the watch was silent for ${deadAfterMs} ms`))
  }

  #setConnected(connected: boolean): void {
    if (connected !== this.#connected) this.#lastActivity = this.#parts.clock.monotonic()
    this.#connected = connected
  }

  #failed(thrown: unknown, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#parts.log[failureLevel(thrown, this.#state)]({ path: this.#parts.path, err: thrown }, failureMessage(thrown))
    this.#parts.onFailure?.(thrown)
    const isGone = thrown instanceof ApiError && thrown.kind === 'Gone'
    const retryAfterMs = thrown instanceof ApiError ? thrown.retryAfterMs : null
    this.#follow({ kind: 'failed', lost: isGone || thrown instanceof BrokenLine, retryAfterMs })
  }

  #follow(input: WatchInput): void {
    this.#state = step(this.#state, input, this.#parts.random())
  }

  #decode(raw: unknown, use: (item: T) => void): void {
    try {
      const { metadata } = raw as { metadata?: { managedFields?: unknown } }
      if (metadata !== undefined) delete metadata.managedFields
      use(this.#parts.decode(raw))
    } catch (err) {
      this.#parts.log.error({ path: this.#parts.path, err }, 'an object was left out')
    }
  }

  #watchQuery(version: string): string {
    const { labelSelector } = this.#parts
    const watch = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(watchSeconds) }
    const selector = labelSelector === undefined ? {} : { labelSelector }
    return new URLSearchParams({ ...watch, resourceVersion: version, ...selector }).toString()
  }
}
