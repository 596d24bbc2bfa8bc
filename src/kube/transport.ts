import type { Logger } from 'pino'
import { ApiError } from '../api/api-error.ts'
import type { Clock } from '../clock.ts'
import { errorOfAnswer, errorOfTransport, ifUntrusted, isUntrusted } from './classify-error.ts'
import { type Credentials, type CredentialSource, sameTls, usable } from './credentials.ts'
import { type Exchanged, readAnswer } from './exchanged.ts'
import { Login } from './login.ts'
import { type Lane, makePools, type PoolParts, type Pools } from './pools.ts'
import type { GuardedOptions } from './write-guard.ts'

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly lane: Lane
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it stands, in the place of a body; with its contentType. */
  readonly text?: string | Uint8Array
  readonly contentType?: string
  readonly accept?: string
  /** The body of a success is of no use: it is not parsed, and undefined. */
  readonly discardAnswer?: boolean
  /** The success is a list: its items are told one by one, with their weight, as they come in; the body has none. */
  readonly each?: (item: unknown, bytes: number) => void
  /** For the whole call; 10 s when absent. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Asked in the turn in which the request is written; false withdraws it (`NotSent`). */
  readonly isWanted?: (() => boolean) | undefined
}

export interface ApiAnswer {
  readonly body: unknown
  readonly warnings: readonly string[]
}

export interface TransportParts {
  readonly source: CredentialSource
  readonly clock: Clock
  readonly log: Logger
  /** Connections of the launch lane. */
  readonly connections: number
  /** How many more there may be while all of those are held. */
  readonly overflowConnections?: number
  readonly userAgent: string
  /** Told of the server's clock with each answer, in epoch milliseconds, cut to the second. */
  readonly onServerTime?: (serverTime: number) => void
}

const defaultTimeoutMs = 10_000

/**
 * The one way to the API server: three pools of HTTP/1.1 connections.
 *
 * Guarantees: rejects only with ApiError; every call is limited in time, a second try included; at most as many requests
 * are under way in a lane as it has connections; whether a request is still wanted is asked in the very turn in which it
 * is written.
 */
export class Transport {
  readonly #parts: TransportParts
  readonly #login: Login
  #pools: Pools
  /** A server behind a proxy may live under a path. */
  readonly #prefix: string

  /** Rejects with ClusterNotFound when the credentials can't be read or used. */
  static async open(parts: TransportParts): Promise<Transport> {
    return new Transport(parts, usable(await parts.source.read(false)))
  }

  private constructor(parts: TransportParts, credentials: Credentials) {
    this.#parts = parts
    const onRead = (before: Credentials, after: Credentials) => this.#reconnect(before, after)
    this.#login = new Login({ ...parts, first: credentials, onRead })
    this.#prefix = parts.source.server.pathname.replace(/\/$/, '')
    this.#pools = makePools(this.#poolParts())
  }

  /** Keeps credentials fresh until `signal` aborts. What can't be read is kept as it was. */
  async keepFresh(signal: AbortSignal): Promise<void> {
    await this.#login.keepFresh(signal)
  }

  /** Opens the connections of the launch lane, so that no launch waits for a handshake. */
  async warmUp(): Promise<void> {
    const calls = Array.from({ length: this.#parts.connections }, () =>
      this.request({ method: 'GET', path: '/version', lane: 'launch' }).catch(() => undefined),
    )
    await Promise.all(calls)
  }

  async request(request: ApiRequest): Promise<ApiAnswer> {
    const limit = new AbortController()
    const abort = () => limit.abort(request.signal?.reason)
    const timeoutMs = request.timeoutMs ?? defaultTimeoutMs
    const timer = setTimeout(() => limit.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    request.signal?.addEventListener('abort', abort)
    try {
      if (request.signal?.aborted === true) throw new Error('aborted before it was sent')
      return this.#result(await this.#admitted(request, limit.signal))
    } catch (thrown) {
      throw thrown instanceof ApiError ? thrown : errorOfTransport(thrown)
    } finally {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', abort)
    }
  }

  /**
   * The chunks of a body without an end; `opened` is called when the headers are there. Rejects with ApiError when there
   * is none, or when it breaks off. Limited by `signal` alone.
   */
  async *stream(path: string, signal: AbortSignal, opened: () => void): AsyncGenerator<Buffer, void> {
    const request: ApiRequest = { method: 'GET', path, lane: 'watch', signal }
    const sentWith = this.#login.current
    try {
      const answer = await this.#pools.watch.request({ ...this.#options(request, signal), bodyTimeout: 0 })
      if (answer.statusCode !== 200) {
        const exchanged = await readAnswer(answer, {})
        if (exchanged.code === 401) await this.#login.renewed(sentWith, signal)
        throw errorOfAnswer(exchanged)
      }
      opened()
      for await (const chunk of answer.body) yield chunk as Buffer
    } catch (thrown) {
      if (isUntrusted(thrown)) await this.#login.renewed(sentWith, signal)
      throw thrown instanceof ApiError ? thrown : errorOfTransport(thrown)
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.destroy()))
  }

  /** A 401, or a connection without trust, comes before anything is done, so even a create may be sent again. */
  async #admitted(request: ApiRequest, signal: AbortSignal): Promise<Exchanged> {
    const sentWith = this.#login.current
    const answer = await this.#exchange(request, signal).catch(ifUntrusted)
    const isRefused = answer instanceof Error || answer.code === 401
    if (isRefused && (await this.#login.renewed(sentWith, signal))) return this.#exchange(request, signal)
    if (answer instanceof Error) throw answer
    return answer
  }

  async #exchange(request: ApiRequest, signal: AbortSignal): Promise<Exchanged> {
    const answer = await this.#pools[request.lane].request(this.#options(request, signal))
    return this.#told(await readAnswer(answer, request))
  }

  #options(request: ApiRequest, signal: AbortSignal): GuardedOptions {
    const { authorization, impersonate } = this.#login.current
    const headers: Record<string, string> = {
      accept: request.accept ?? 'application/json',
      'user-agent': this.#parts.userAgent,
    }
    if (authorization !== null) headers['authorization'] = authorization
    if (impersonate !== undefined) headers['impersonate-user'] = impersonate
    const body = request.text ?? (request.body === undefined ? null : JSON.stringify(request.body))
    if (body !== null) headers['content-type'] = request.contentType ?? 'application/json'
    return {
      method: request.method,
      path: `${this.#prefix}${request.path}`,
      headers,
      body,
      signal,
      isWanted: request.isWanted,
    }
  }

  #told(answer: Exchanged): Exchanged {
    if (answer.serverTime !== null) this.#parts.onServerTime?.(answer.serverTime)
    return answer
  }

  #result(answer: Exchanged): ApiAnswer {
    if (answer.code >= 200 && answer.code < 300) return { body: answer.body, warnings: answer.warnings }
    throw errorOfAnswer(answer)
  }

  #poolParts(): PoolParts {
    const { source, connections, overflowConnections = 0 } = this.#parts
    return { origin: source.server.origin, connections, overflowConnections, credentials: this.#login.current }
  }

  /** What is on its way on the old connections comes to its end there. */
  #reconnect(before: Credentials, after: Credentials): void {
    if (sameTls(before, after)) return
    const old = this.#pools
    this.#pools = makePools(this.#poolParts())
    this.#parts.log.info('certificates have changed, connections are made anew')
    for (const pool of Object.values(old)) void pool.close()
  }
}
