import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { stringify } from 'yaml'
import { type Clock, systemClock } from '../../src/clock.ts'
import { Definitions } from './definitions.ts'
import { GarbageCollector } from './garbage-collector.ts'
import { JobRunner } from './job-runner.ts'
import { PodRunner } from './pod-runner.ts'
import { discovery } from './discovery.ts'
import { Failure } from './failure.ts'
import { type Api, Mutations } from './mutations.ts'
import type { Fields } from './objects.ts'
import { Reads } from './reads.ts'
import { type ApiRequest, type Target, targetOf, typeOf } from './request.ts'
import { Store } from './store.ts'
import { Types } from './types.ts'
import { Watch } from './watch.ts'
import { Writes } from './writes.ts'

/** One request about a resource, as the server itself saw it. */
export interface RequestRecord {
  readonly verb: string
  /** Empty for the core API. */
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly user: string
  readonly userAgent: string
  readonly code: number
  readonly dryRun: boolean
  /** Epoch milliseconds with a fraction: before anything else is done. */
  readonly received: number
  /** The answer was complete. */
  readonly completed: number
}

export interface ServerOptions {
  readonly clock?: Clock
  /** A free one when absent. */
  readonly port?: number
  /** How long a Pod runs that says nothing about it; 1 s when absent. */
  readonly runMs?: number
  /** How many changes are kept at least for watches that come back; 10,000 when absent. */
  readonly window?: number
}

interface Answer {
  readonly code: number
  readonly body: unknown
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
      server.#http.once('error', reject)
      server.#http.listen(options.port ?? 0, '127.0.0.1', resolve)
    })
    return server
  }

  private constructor({ clock = systemClock, runMs = 1_000, window = 10_000 }: ServerOptions) {
    this.#api = { store: new Store(window), types: new Types(), clock, stopping: this.#stop.signal }
    setMaxListeners(0, this.#stop.signal)
    const mutations = new Mutations(this.#api)
    this.#reads = new Reads(this.#api)
    this.#writes = new Writes(this.#api, mutations)
    new GarbageCollector(this.#api, mutations).start()
    new Definitions(this.#api, mutations).start()
    new PodRunner(this.#api, mutations, runMs).start()
    new JobRunner(this.#api, mutations).start()
    this.#http = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing))
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
      clusters: [{ name, cluster: { server: this.url } }],
      users: [{ name, user: { token: name } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
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

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const received = this.#now()
    const url = new URL(incoming.url ?? '/', this.url)
    const target = targetOf(incoming.method ?? '', url)
    const warnings: string[] = []
    const answer = await this.#answer({ incoming, outgoing, url, target, warnings }).catch(failed)
    const code = answer?.code ?? outgoing.statusCode
    if (target !== null) this.#record(target, { code, received, url, incoming, name: nameIn(answer) })
    if (answer !== null) send(outgoing, answer, warnings)
    else outgoing.end()
  }

  /** null when it was a watch, which has had its answer. */
  async #answer({ incoming, outgoing, url, target, warnings }: Exchange): Promise<Answer | null> {
    const body = await text(incoming)
    if (target === null) return discovery(this.#api.types, url)
    const type = typeOf(this.#api.types, target)
    if (type === null) return pageNotFound
    const { accept = '', 'content-type': contentType = 'application/json' } = incoming.headers
    const request: ApiRequest = { ...target, type, query: url.searchParams, accept, contentType, body, warnings }
    if (request.verb !== 'watch') return this.#do(request)
    const left = new AbortController()
    outgoing.once('close', () => left.abort())
    await new Watch(this.#api, this.#reads, request, outgoing).run(AbortSignal.any([this.#stop.signal, left.signal]))
    return null
  }

  #do(request: ApiRequest): Answer {
    const writes = this.#writes
    switch (request.verb) {
      case 'list':
        return { code: 200, body: this.#reads.list(request) }
      case 'get':
        return { code: 200, body: this.#reads.shown(request, writes.find(request)) }
      case 'create':
        return { code: 201, body: this.#reads.shown(request, writes.create(request)) }
      case 'update':
        return { code: 200, body: this.#reads.shown(request, writes.update(request)) }
      case 'patch':
        return { code: 200, body: this.#reads.shown(request, writes.patch(request)) }
      case 'delete':
        return { code: 200, body: writes.delete(request) ?? deleted(request) }
      case 'deletecollection':
        return { code: 200, body: this.#reads.listed(request, writes.deleteCollection(request), {}) }
      case 'watch':
        return pageNotFound
    }
  }

  #record(target: Target, { code, received, url, incoming, name }: Seen): void {
    const { verb, group, resource, subresource, namespace } = target
    const dryRun = url.searchParams.get('dryRun') === 'All'
    const userAgent = incoming.headers['user-agent'] ?? ''
    const what = { verb, group, resource, subresource, namespace, name: target.name === '' ? name : target.name }
    this.#records.push({ ...what, user: 'sandbox', userAgent, code, dryRun, received, completed: this.#now() })
  }

  /** The clock's time, with a fraction where the process knows one that agrees with it. */
  #now(): number {
    const now = this.#api.clock.now()
    const fine = performance.timeOrigin + performance.now()
    return fine >= now && fine < now + 1 ? fine : now
  }
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly url: URL
  readonly target: Target | null
  readonly warnings: string[]
}

interface Seen extends Pick<RequestRecord, 'code' | 'received' | 'name'>, Pick<Exchange, 'url' | 'incoming'> {}

const pageNotFound: Answer = { code: 404, body: '404 page not found\n' }

function failed(thrown: unknown): Answer {
  const message = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  const failure =
    thrown instanceof Failure ? thrown : new Failure(500, 'InternalError', `Internal error occurred: ${message}`)
  return { code: failure.code, body: failure.status }
}

function deleted({ type, name }: ApiRequest): Fields {
  const details = { name, group: type.group, kind: type.plural }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}

/** Of what was created, for which the path has no name. */
function nameIn(answer: Answer | null): string {
  const { metadata, details } = (answer?.body ?? {}) as { metadata?: { name?: string }; details?: { name?: string } }
  return metadata?.name ?? details?.name ?? ''
}

function send(outgoing: ServerResponse, { code, body }: Answer, warnings: readonly string[]): void {
  const isText = typeof body === 'string'
  outgoing.setHeader('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json')
  if (warnings.length > 0)
    outgoing.setHeader(
      'warning',
      warnings.map((warning) => `299 - ${JSON.stringify(warning)}`),
    )
  outgoing.writeHead(code)
  outgoing.end(isText ? body : JSON.stringify(body))
}
