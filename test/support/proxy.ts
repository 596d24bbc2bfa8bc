import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request as httpsRequest, type Server } from 'node:https'
import type { ControlPlane } from '../control-plane/control-plane.ts'

/** Stands between the operator and the API server, under the API server's own certificate, and forwards. */
export class Proxy {
  #port = 0
  readonly #server: Server
  readonly #plane: ControlPlane
  readonly #agent: Agent
  /** The open watches; a silenced one says nothing any more, not even that it has ended. */
  readonly #watches = new Set<{ readonly url: string; silenced: boolean }>()
  /** Whether a request to this URL gets no answer. */
  #isHeld: (url: string) => boolean = () => false
  /** Whether the answer to this request is thrown away, and the connection cut instead. */
  isAnswerLost: (method: string, url: string) => boolean = () => false
  /** Whether the answer to this request is held back for ever, and the connection stays open. */
  isAnswerHeld: (method: string, url: string) => boolean = () => false

  static async start(plane: ControlPlane): Promise<Proxy> {
    const cert = await plane.ca()
    const key = await readFile(`${plane.folder}/certs/apiserver.key`)
    return new Proxy(plane, createServer({ key, cert }), new Agent({ ca: cert, keepAlive: true })).#listen()
  }

  private constructor(plane: ControlPlane, server: Server, agent: Agent) {
    this.#plane = plane
    this.#server = server
    this.#agent = agent
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`
  }

  /** The watches that are open now stay open and are silent for ever; later ones are forwarded. */
  silenceWatches(isMeant: (url: string) => boolean = () => true): number {
    const meant = [...this.#watches].filter(({ url }) => isMeant(url))
    for (const watch of meant) watch.silenced = true
    return meant.length
  }

  /** Connections stay open, and nothing is answered any more: of all requests, or of those to some URLs. */
  freeze(isMeant: (url: string) => boolean = () => true): void {
    this.#isHeld = isMeant
    this.silenceWatches(isMeant)
  }

  /** Later requests are forwarded again; what was asked meanwhile never gets its answer. */
  thaw(): void {
    this.#isHeld = () => false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #listen(): Promise<this> {
    this.#server.on('request', (request, response) => this.#forward(request, response))
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as { port: number }).port
    return this
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '', headers } = request
    if (this.#isHeld(url)) return
    const watch = { url, silenced: false }
    const isWatch = url.includes('watch=true')
    if (isWatch) this.#watches.add(watch)
    response.on('close', () => this.#watches.delete(watch))
    const onward = httpsRequest(new URL(url, this.#plane.url), { method, headers, agent: this.#agent }, (answer) => {
      if (this.isAnswerHeld(method, url)) {
        answer.resume()
        return
      }
      if (this.isAnswerLost(method, url)) {
        answer.resume()
        response.destroy()
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      response.flushHeaders()
      answer.on('data', (chunk) => !watch.silenced && response.write(chunk))
      answer.on('end', () => !watch.silenced && response.end())
      answer.on('error', () => !watch.silenced && response.destroy())
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  }
}
