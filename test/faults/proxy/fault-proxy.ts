import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { handOn, refuse, untilAnswered, withoutLength } from './answers.ts'
import { askedOf } from './asked.ts'
import type { Case } from './case.ts'
import { type Done, FaultLog } from './fault-log.ts'
import { RememberedLists } from './remembered-lists.ts'
import { Resets } from './resets.ts'
import {
  type EventRule,
  isAbout,
  isForwarded,
  type Match,
  type Moment,
  type RequestRule,
  Rules,
  seeded,
} from './rules.ts'
import { Upstream, type UpstreamParts } from './upstream.ts'
import { Watches } from './watches.ts'

export interface FaultProxyParts {
  readonly upstream: UpstreamParts
  /** What it shows to its clients; plain HTTP when absent. */
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly seed?: number
  /** For faults that play older LISTs. */
  readonly remembersLists?: boolean
}

/** Stands between the operator and an API server, and does to requests, answers and watches what the rules say. */
export class FaultProxy {
  readonly #server: Server
  readonly #upstream: Upstream
  readonly #requests: Rules<RequestRule>
  readonly #lists: RememberedLists | null
  readonly #watches: Watches
  readonly #resets: Resets
  readonly #scheme: string
  readonly #log = new FaultLog()

  static async start(parts: FaultProxyParts): Promise<FaultProxy> {
    const proxy = new FaultProxy(parts)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** In front of a real control plane, under the API server's own certificate. */
  static async of(plane: ControlPlane, options: Partial<FaultProxyParts> = {}): Promise<FaultProxy> {
    const cert = await plane.ca()
    const key = await readFile(`${plane.folder}/certs/apiserver.key`, 'utf8')
    return FaultProxy.start({ upstream: { url: plane.url, ca: cert }, tls: { key, cert }, ...options })
  }

  private constructor({ upstream, tls, seed = 1, remembersLists = false }: FaultProxyParts) {
    this.#server = tls === undefined ? createServer() : createTlsServer(tls)
    this.#resets = new Resets(this.#server)
    this.#server.on('request', (request, response) => void this.#serve(request, response))
    this.#scheme = tls === undefined ? 'http' : 'https'
    this.#upstream = new Upstream(upstream)
    const random = seeded(seed)
    this.#requests = new Rules(random)
    this.#watches = new Watches(random, this.#log, this.#resets)
    this.#lists = remembersLists ? new RememberedLists() : null
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }

  /** What was done so far. */
  get log(): readonly Done[] {
    return this.#log.entries
  }

  add(...rules: readonly RequestRule[]): void {
    this.#requests.add(rules)
  }

  /** Open watches fall under them as well. */
  addForEvents(...rules: readonly EventRule[]): void {
    this.#watches.rules.add(rules)
  }

  /** What they have begun goes on. */
  remove(...ids: readonly string[]): void {
    this.#requests.remove(ids)
    this.#watches.rules.remove(ids)
  }

  /** What comes from now on goes to this API server of the same cluster. */
  moveTo(url: string): void {
    this.#upstream.url = url
  }

  /** The watches that are open now stay open and are silent for ever; later ones are forwarded. Says how many. */
  silence(match: Match = {}): number {
    return this.#watches.silence(match)
  }

  /** The watches that are open now break off. Says how many. */
  cut(match: Match = {}): number {
    return this.#watches.cut(match)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#upstream.close()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { method = 'GET', url = '', headers } = request
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      const asked = askedOf({ method, url, accept: headers.accept ?? '', body: bytes.toString('utf8') })
      const rule = this.#requests.first(({ match }) => isAbout(match, asked))
      await this.#handle({ asked, rule, bytes, headers, response })
    } catch {
      // One of the two sides is gone; the other one learns it in the same way.
      this.#resets.reset(response)
    }
  }

  async #handle(one: Case): Promise<void> {
    const { asked, rule, response } = one
    if (rule !== null) this.#log.note(rule.id, rule.fault.do, asked)
    this.#tell(one, 'received')
    const fault = rule?.fault ?? { do: 'pass' }
    if (fault.do === 'delay') await delay(fault.ms)
    if (isForwarded(fault)) await this.#forward(one)
    else if (fault.do === 'refuse') this.#resets.reset(response)
    else if (fault.do === 'sever') await this.#sever(one, fault.atByte)
    else if (fault.do === 'answer') refuse(response, fault)
    else if (fault.do === 'replay') await this.#replay(one, fault.ageMs)
  }

  async #sever(one: Case, atByte: number): Promise<void> {
    const { asked, headers, bytes, response } = one
    await this.#upstream.sever({ ...asked, headers, body: bytes }, atByte)
    this.#tell(one, 'severed')
    this.#resets.reset(response)
  }

  async #replay(one: Case, ageMs: number): Promise<void> {
    const old = this.#lists?.before(one.asked, Date.now() - ageMs)
    if (old === null || old === undefined) return await this.#forward(one)
    this.#tell(one, 'replayed')
    one.response.writeHead(old.code, withoutLength(old.headers)).end(old.body)
  }

  async #forward(one: Case): Promise<void> {
    const { asked, rule, response } = one
    const fault = rule?.fault.do
    if (fault === 'twice') await (await this.#send(one)).toArray()
    const answer = await this.#send(one)
    this.#tell(one, 'committed')
    if (rule !== null) await untilAnswered(rule.fault)
    if (fault === 'lose' || fault === 'hang') {
      answer.resume()
      if (fault === 'lose') this.#resets.reset(response)
      return
    }
    response.on('finish', () => this.#tell(one, 'answered'))
    if (asked.verb === 'watch' && answer.statusCode === 200) this.#watches.hand(asked, answer, response)
    else await this.#answer(one, answer)
  }

  #send({ asked, bytes, headers, response }: Case): Promise<IncomingMessage> {
    const away = new AbortController()
    // Whatever else is on its way is served to its end, whoever waits for it.
    if (asked.verb === 'watch') response.on('close', () => away.abort())
    return this.#upstream.send({ ...asked, headers, body: bytes, signal: away.signal })
  }

  async #answer({ asked, rule, response }: Case, answer: IncomingMessage): Promise<void> {
    const isRemembered = this.#lists !== null && asked.verb === 'list'
    if (rule?.fault.do !== 'edit' && !isRemembered) return handOn(answer, response)
    const code = answer.statusCode ?? 502
    const body = Buffer.concat((await answer.toArray()) as Buffer[]).toString('utf8')
    this.#lists?.note(asked, { code, headers: answer.headers, body }, Date.now())
    const edited = rule?.fault.do === 'edit' ? rule.fault.edit(body) : body
    response.writeHead(code, withoutLength(answer.headers)).end(edited)
  }

  #tell({ asked, rule }: Case, moment: Moment | 'replayed'): void {
    const hook = rule?.on?.[moment]
    if (hook === undefined) return
    this.#log.note(rule?.id ?? '', moment, asked)
    hook(asked)
  }
}
