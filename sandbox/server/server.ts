import { once, setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Clock, systemClock } from '../../src/clock.ts'
import { Api } from './api.ts'
import { serveDefinitions } from './definitions.ts'
import { pagesOf } from './discovery.ts'
import { Failure } from './failure.ts'
import { collectGarbage } from './garbage-collector.ts'
import { runJobs } from './job-runner.ts'
import { runPods } from './pod-runner.ts'
import { list, shown } from './reads.ts'
import { type ApiRequest, checkQuery, isDryRun, type Target, targetOf, typeOf, type Verb } from './request.ts'
import { watch } from './watch.ts'
import { create, find, patch, remove, update } from './writes.ts'

export interface ServerOptions {
  readonly clock?: Clock
  /** A free one when absent. */
  readonly port?: number
  /** How long a Pod runs that does not say so itself; 1 s when absent. */
  readonly runMs?: number
  /** How many changes are kept for watches that come back; 10,000 when absent. */
  readonly window?: number
}

/** One request about a resource, as the server itself saw it. */
export interface RequestRecord extends Target {
  readonly user: string
  readonly userAgent: string
  readonly code: number
  readonly dryRun: boolean
  /** Epoch milliseconds with a fraction: taken before anything else is done. */
  readonly received: number
  /** The answer was complete. */
  readonly completed: number
}

interface Answer {
  readonly code: number
  /** A text is sent as it is, anything else as JSON; undefined when all has been sent. */
  readonly body: unknown
}

type Sent = Omit<ApiRequest, keyof Target | 'type'>

/** Answers the body, undefined when all has been sent already. */
type Handler = (api: Api, request: ApiRequest, outgoing: ServerResponse) => unknown

function showing(act: (api: Api, request: ApiRequest) => Parameters<typeof shown>[2]): Handler {
  return (api, request) => shown(api, request, act(api, request))
}

const handlers: { readonly [verb in Verb]: Handler } = {
  get: showing(find),
  list,
  watch,
  create: showing(create),
  update: showing(update),
  patch: showing(patch),
  delete: remove,
  deletecollection: remove,
  none: () => {
    throw new Failure(405, 'the server does not allow this method on the requested resource')
  },
}

/**
 * A Kubernetes API server in this process, over plain HTTP on 127.0.0.1, with what the operator and kubectl ask for.
 * Whatever it lacks is answered with 501 and a sentence that says so.
 */
export class EmbeddedServer {
  readonly #http: Server
  readonly #api: Api
  readonly #records: RequestRecord[] = []
  readonly #stop = new AbortController()

  /** Resolves when it listens. */
  static async start(options: ServerOptions = {}): Promise<EmbeddedServer> {
    const server = new EmbeddedServer(options)
    await once(server.#http.listen(options.port ?? 0, '127.0.0.1'), 'listening')
    return server
  }

  private constructor({ clock = systemClock, runMs = 1_000, window = 10_000 }: ServerOptions) {
    setMaxListeners(0, this.#stop.signal)
    this.#api = new Api(window, clock, this.#stop.signal)
    serveDefinitions(this.#api)
    collectGarbage(this.#api)
    runJobs(this.#api)
    runPods(this.#api, runMs)
    this.#http = createServer((incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch(() => outgoing.destroy())
    })
    // As the API server has it: a create must not be sent on a connection that is just being closed.
    this.#http.keepAliveTimeout = 180_000
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  /** The text of a kubeconfig that leads here, in JSON. */
  kubeconfig(): string {
    const name = 'sandbox'
    return JSON.stringify({
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

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const received = this.#now()
    outgoing.setHeader('date', new Date(received).toUTCString())
    const { url: path = '/', method = '', headers } = incoming
    const url = new URL(path, 'http://server')
    const target = targetOf(method, url)
    const { accept = '', 'content-type': contentType = 'application/json', 'user-agent': userAgent = '' } = headers
    // Of a body that breaks off nothing is believed: what is left of a DELETE would delete more than was meant.
    const body = await text(incoming)
    const sent = { query: url.searchParams, accept, contentType, body, warnings: [] }
    const answer = await this.#answer(url.pathname, target, sent, outgoing).catch(failed)
    send(outgoing, answer, sent.warnings)
    if (target === null) return
    const known = { ...target, name: target.name || nameIn(answer), user: 'sandbox', userAgent, code: answer.code }
    this.#records.push({ ...known, dryRun: isDryRun(sent), received, completed: this.#now() })
  }

  async #answer(path: string, target: Target | null, sent: Sent, outgoing: ServerResponse): Promise<Answer> {
    const type = target === null ? null : typeOf(this.#api.types, target)
    if (target !== null && type !== null) {
      checkQuery(target.verb, sent.query)
      const body = await handlers[target.verb](this.#api, { ...target, ...sent, type }, outgoing)
      return { code: target.verb === 'create' ? 201 : 200, body }
    }
    const page = pagesOf(this.#api.types).get(path.replace(/\/$/, ''))
    return page === undefined ? { code: 404, body: '404 page not found\n' } : { code: 200, body: page }
  }

  /** The clock's time, with a fraction where the process knows one that agrees with it. */
  #now(): number {
    const now = this.#api.clock.now()
    const fine = performance.timeOrigin + performance.now()
    return fine >= now && fine < now + 1 ? fine : now
  }
}

function failed(thrown: unknown): Answer {
  if (thrown instanceof Failure) return { code: thrown.code, body: thrown.status }
  if (thrown instanceof SyntaxError) return failed(new Failure(400, `the request can not be read: ${thrown.message}`))
  return failed(new Failure(500, `Internal error occurred: ${thrown instanceof Error ? thrown.stack : String(thrown)}`))
}

/** Of what was created, for which the path has no name. */
function nameIn({ body }: Answer): string {
  const { metadata, details } = (body ?? {}) as { metadata?: { name?: string }; details?: { name?: string } }
  return metadata?.name ?? details?.name ?? ''
}

function send(outgoing: ServerResponse, { code, body }: Answer, warnings: readonly string[]): void {
  if (body === undefined) return void outgoing.end()
  const isText = typeof body === 'string'
  outgoing.setHeader('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json')
  for (const warning of warnings) outgoing.appendHeader('warning', `299 - ${JSON.stringify(warning)}`)
  outgoing.writeHead(code).end(isText ? body : JSON.stringify(body))
}
