import { Agent, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'

/** The API server behind the proxy. */
export interface UpstreamParts {
  readonly url: string
  /** Whom to trust; absent for plain HTTP. */
  readonly ca?: string
}

export interface Onward {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly signal: AbortSignal
}

export class Upstream {
  url: string
  readonly #agent: Agent

  constructor({ url, ca }: UpstreamParts) {
    this.url = url
    this.#agent = ca === undefined ? new Agent({ keepAlive: true }) : new TlsAgent({ ca, keepAlive: true })
  }

  /** Resolves when the headers of the answer are there; rejects when there is none. */
  send({ method, url, headers, body, signal }: Onward): Promise<IncomingMessage> {
    const to = new URL(url, this.url)
    const options: RequestOptions = { method, headers, agent: this.#agent, signal }
    return new Promise((resolve, reject) => {
      const onward = to.protocol === 'https:' ? httpsRequest(to, options, resolve) : httpRequest(to, options, resolve)
      onward.on('error', reject)
      onward.end(body)
    })
  }

  /** Resolves when the head and so many bytes of the body are on their way, and the connection is cut. */
  async sever({ method, url, headers, body }: Omit<Onward, 'signal'>, atByte: number): Promise<void> {
    const to = new URL(url, this.url)
    const options: RequestOptions = { method, headers, agent: this.#agent }
    const onward = to.protocol === 'https:' ? httpsRequest(to, options) : httpRequest(to, options)
    const { promise, resolve } = Promise.withResolvers<void>()
    // To be cut off is an error, and what is wanted.
    onward.on('error', () => {})
    onward.on('close', resolve)
    onward.write(body.subarray(0, atByte), () => onward.destroy())
    await promise
  }

  close(): void {
    this.#agent.destroy()
  }
}
