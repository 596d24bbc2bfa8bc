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
  readonly #watches = new Set<{ silenced: boolean }>()
  #isFrozen = false

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
  silenceWatches(): number {
    for (const watch of this.#watches) watch.silenced = true
    return this.#watches.size
  }

  /** Connections stay open, and nothing is answered any more. */
  freeze(): void {
    this.#isFrozen = true
    this.silenceWatches()
  }

  /** Later requests are forwarded again; what was asked meanwhile never gets its answer. */
  thaw(): void {
    this.#isFrozen = false
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
    if (this.#isFrozen) return
    const { method, url = '', headers } = request
    const watch = { silenced: false }
    const isWatch = url.includes('watch=true')
    if (isWatch) this.#watches.add(watch)
    response.on('close', () => this.#watches.delete(watch))
    const onward = httpsRequest(new URL(url, this.#plane.url), { method, headers, agent: this.#agent }, (answer) => {
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
