import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { stringify } from 'yaml'
import { type Clock, systemClock } from '../../src/clock.ts'
import { type Answer, failed, pageNotFound, type RequestRecord, recordOf, send } from './answers.ts'
import { serveDefinitions } from './definitions.ts'
import { discovery } from './discovery.ts'
import { expireEvents } from './events.ts'
import { methodNotAllowed } from './failure.ts'
import { GarbageCollector } from './garbage-collector.ts'
import { JobRunner } from './job-runner.ts'
import { Api } from './api.ts'
import { openApi } from './openapi.ts'
import { PodRunner } from './pod-runner.ts'
import { Reads } from './reads.ts'
import { type ApiRequest, checkShape, type Target, targetOf, typeOf } from './request.ts'
import { Store } from './store.ts'
import { Watch } from './watch.ts'
import { isDryRun, Writes } from './writes.ts'

export type { RequestRecord } from './answers.ts'

export interface ServerOptions {
  readonly clock?: Clock
  /** A free one when absent. */
  readonly port?: number
  /** How long a Pod runs that does not say so itself; 1 s when absent. */
  readonly runMs?: number
  /** How many changes are kept for watches that come back; 10,000 when absent. */
  readonly window?: number
}

/**
 * A Kubernetes API server in this process, over plain HTTP on 127.0.0.1, with what the operator and kubectl ask for.
 * Whatever it lacks is answered with 501 and a sentence that says so.
 */
export class EmbeddedServer {
  readonly #http: Server
  readonly #api: Api
  readonly #reads: Reads
  readonly #writes: Writes
  readonly #records: RequestRecord[] = []
  readonly #stop = new AbortController()

  /** Resolves when it listens. */
  static async start(options: ServerOptions = {}): Promise<EmbeddedServer> {
    const server = new EmbeddedServer(options)
    await new Promise<void>((resolve, reject) => {
      server.#http.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
    })
    return server
  }

  private constructor({ clock = systemClock, runMs = 1_000, window = 10_000 }: ServerOptions) {
    setMaxListeners(0, this.#stop.signal)
    this.#api = new Api(new Store(window), clock, this.#stop.signal)
    this.#reads = new Reads(this.#api)
    this.#writes = new Writes(this.#api)
    serveDefinitions(this.#api)
    expireEvents(this.#api)
    for (const Controller of [GarbageCollector, JobRunner]) void new Controller(this.#api)
    void new PodRunner(this.#api, runMs)
    this.#http = createServer((incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch(() => outgoing.destroy())
    })
    // As the API server has it: a create must not be sent on a connection that is just being closed.
    this.#http.keepAliveTimeout = 180_000
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The text of a kubeconfig that leads here. */
  kubeconfig(): string {
    const name = 'sandbox'
    return stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: { server: this.url } }],
      users: [{ name, user: { token: name } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
    })
  }

  /** All that were answered, in the order of their answers. */
  requests(): readonly RequestRecord[] {
    return this.#records
  }

  /** Ends all watches and connections. */
  async stop(): Promise<void> {
    this.#stop.abort()
    const closed = new Promise((resolve) => this.#http.close(resolve))
    this.#http.closeAllConnections()
    await closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const received = this.#now()
    outgoing.setHeader('date', new Date(received).toUTCString())
    const { method = '', headers } = incoming
    const url = new URL(incoming.url ?? '/', 'http://server')
    const target = targetOf(method, url)
    const body = await text(incoming).catch(() => '')
    const { accept = '', 'content-type': contentType = 'application/json' } = headers
    const request = { query: url.searchParams, accept, contentType, body, warnings: [] }
    const answer = await this.#answer(target, request, { url, outgoing }).catch(failed)
    send(outgoing, answer, request.warnings)
    if (target === null) return
    const times = { received, completed: this.#now() }
    this.#records.push(
      recordOf(target, answer, { ...times, dryRun: isDryRun(request), userAgent: headers['user-agent'] ?? '' }),
    )
  }

  /** null when it was a watch, which has had its answer. */
  async #answer(
    target: Target | null,
    rest: Omit<ApiRequest, keyof Target | 'type'>,
    to: Exchange,
  ): Promise<Answer | null> {
    if (target === null) return this.#page(to.url.pathname.replace(/\/$/, ''))
    const type = typeOf(this.#api.types, target)
    if (type === null) return pageNotFound
    const request = { ...target, ...rest, type }
    checkShape(request)
    if (request.verb !== 'watch') return { code: request.verb === 'create' ? 201 : 200, body: this.#do(request) }
    const left = new AbortController()
    to.outgoing.once('close', () => left.abort())
    const watch = new Watch(this.#api, this.#reads, request)
    await watch.run(to.outgoing, AbortSignal.any([this.#stop.signal, left.signal]))
    return null
  }

  #page(path: string): Answer {
    const body = discovery(this.#api.types.all, path) ?? openApi(this.#api.types.all, path)
    return body === undefined ? pageNotFound : { code: 200, body }
  }

  #do(request: ApiRequest): unknown {
    if (request.verb === 'list') return this.#reads.list(request)
    if (request.verb === 'delete' || request.verb === 'deletecollection') return this.#writes.delete(request)
    if (request.verb === 'none') throw methodNotAllowed()
    const verb = request.verb === 'get' || request.verb === 'watch' ? 'find' : request.verb
    return this.#reads.shown(request, this.#writes[verb](request))
  }

  /** The clock's time, with a fraction where the process knows one that agrees with it. */
  #now(): number {
    const now = this.#api.clock.now()
    const fine = performance.timeOrigin + performance.now()
    return fine >= now && fine < now + 1 ? fine : now
  }
}

interface Exchange {
  readonly url: URL
  readonly outgoing: ServerResponse
}
