import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export interface Received {
  readonly method: string
  /** With its query. */
  readonly url: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
  /** Of the client: one for each connection. */
  readonly port: number | undefined
}

/** What the server does with one request; an open stream is kept by the test. */
export type Answer = (request: Received, response: ServerResponse) => void

/**
 * An API server that answers by a script, one entry a request, over real HTTP. A request too many is answered with 500
 * and remembered, so that `end` fails; so does an entry that was never asked for.
 */
export class ScriptedApiServer {
  readonly received: Received[] = []
  readonly #server: Server
  readonly #script: Answer[] = []
  readonly #surplus: string[] = []
  #waiting: (() => void)[] = []

  static async start(): Promise<ScriptedApiServer> {
    const scripted = new ScriptedApiServer()
    scripted.#server.listen(0, '127.0.0.1')
    await once(scripted.#server, 'listening')
    return scripted
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as { port: number }).port}`)
  }

  expect(...answers: Answer[]): void {
    this.#script.push(...answers)
  }

  /** Resolves when so many requests have been answered in all. */
  async after(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Throws when what was asked was not what was scripted. */
  async end(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
    if (this.#surplus.length > 0) throw new Error(`requests too many: ${this.#surplus.join(', ')}`)
    if (this.#script.length > 0) throw new Error(`${this.#script.length} scripted answers were not asked for`)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const { pathname: path, searchParams } = new URL(url, this.url)
    const text = Buffer.concat(chunks).toString('utf8')
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const received = {
      method,
      url,
      path,
      query: Object.fromEntries(searchParams),
      headers,
      body,
      port: request.socket.remotePort,
    }
    this.received.push(received)
    const answer = this.#script.shift()
    if (answer === undefined) {
      this.#surplus.push(`${method} ${url}`)
      json(500, { message: 'not in the script' })(received, response)
    } else answer(received, response)
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

export function json(code: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

export function failure(code: number, reason: string, details?: object): Answer {
  return json(code, { kind: 'Status', status: 'Failure', code, reason, message: `${reason} it is`, details })
}

/** A page of a list. */
export function page(items: readonly unknown[], metadata: { resourceVersion: string; continue?: string }): Answer {
  return json(200, { kind: 'List', metadata, items })
}

/** A stream that stays open; the test writes to it. */
export class OpenStream {
  #response: ServerResponse | null = null
  readonly answer: Answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    this.#response = response
  }

  get isOpen(): boolean {
    return this.#response !== null && !this.#response.destroyed
  }

  event(type: string, object: unknown): void {
    this.write(`${JSON.stringify({ type, object })}\n`)
  }

  write(chunk: string | Buffer): void {
    this.#response?.write(chunk)
  }

  end(): void {
    this.#response?.end()
  }

  cut(): void {
    this.#response?.destroy()
  }
}
