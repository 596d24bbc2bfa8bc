import { once } from 'node:events'
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** The gRPC method by which an API server learns what was written, and how new that is. */
const watchPath = '/etcdserverpb.Watch/Watch'

/** Stands between an API server and etcd: what is read and written passes; what the watches tell can be held back. */
export class LateEtcd {
  readonly #url: string
  readonly #server: Http2Server = createServer()
  readonly #sessions = new Set<Http2Session>()
  #shared: ClientHttp2Session | null = null
  #gate = Promise.withResolvers<void>()

  static async start(url: string): Promise<LateEtcd> {
    const etcd = new LateEtcd(url)
    etcd.release()
    etcd.#server.listen(0, '127.0.0.1')
    await once(etcd.#server, 'listening')
    return etcd
  }

  private constructor(url: string) {
    this.#url = url
    this.#server.on('session', (session) => this.#keep(session))
    this.#server.on('stream', (stream, headers) => this.#hand(stream, headers))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** No watch tells anything from now on. */
  hold(): void {
    this.#gate = Promise.withResolvers<void>()
  }

  /** They tell all that was held back, and go on. */
  release(): void {
    this.#gate.resolve()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) session.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #hand(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const isWatch = headers[':path'] === watchPath
    // A held one takes the flow-control window of its connection for itself.
    const session = isWatch ? this.#connect() : this.#reused()
    const onward = session.request(headers, { endStream: false })
    let trailers: IncomingHttpHeaders = {}
    onward.on('trailers', (told) => {
      trailers = told
    })
    onward.on('response', (head) => stream.respond(head, { waitForTrailers: true }))
    stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    void Promise.allSettled([
      pipeline(stream, onward),
      isWatch ? pipeline(onward, (told) => this.#late(told), stream) : pipeline(onward, stream),
    ]).then(() => isWatch && session.destroy())
  }

  async *#late(told: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of told) {
      await this.#gate.promise
      yield chunk
    }
  }

  #reused(): ClientHttp2Session {
    if (this.#shared === null || this.#shared.closed || this.#shared.destroyed) this.#shared = this.#connect()
    return this.#shared
  }

  #connect(): ClientHttp2Session {
    const session = connect(this.#url)
    this.#keep(session)
    return session
  }

  #keep(session: Http2Session): void {
    this.#sessions.add(session)
    // Who is cut off asks anew.
    session.on('error', () => {})
    session.on('close', () => this.#sessions.delete(session))
  }
}
