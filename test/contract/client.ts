import { Pool } from 'undici'
import type { KubeObject } from '../support/admin.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What the API server has said, whatever it was. */
export interface Answer {
  readonly code: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed when it is a JSON object, else the text. */
  readonly body: unknown
}

export interface Sent {
  readonly method?: Method
  readonly body?: unknown
  /** Sent as it stands, in the place of a body. */
  readonly text?: string
  readonly type?: 'merge-patch+json' | 'json-patch+json' | 'apply-patch+yaml' | 'json' | 'strategic-merge-patch+json'
  readonly accept?: string
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: string
  readonly object: KubeObject
}

/** A watch that was opened: what it has told so far, and whether it has ended. */
export interface Watch {
  readonly code: number
  readonly events: readonly WatchEvent[]
  readonly isOver: boolean
  /** `ADDED a`, `MODIFIED a`: without bookmarks. */
  readonly told: () => readonly string[]
  readonly stop: () => void
}

export interface ClientParts {
  readonly url: string
  readonly ca: string | undefined
  readonly token: string
}

/** Plain requests to an API server, with answers that no status makes an error. */
export class Client {
  readonly #pool: Pool
  readonly #token: string
  readonly #watches = new Set<AbortController>()

  constructor({ url, ca, token }: ClientParts) {
    this.#token = token
    this.#pool = new Pool(url, { connections: 256, allowH2: false, connect: ca === undefined ? {} : { ca } })
  }

  async send(path: string, { method = 'GET', body, text, type = 'json', accept }: Sent = {}): Promise<Answer> {
    const content = text ?? (body === undefined ? null : JSON.stringify(body))
    const headers = this.#headers(accept ?? 'application/json')
    if (content !== null) headers['content-type'] = `application/${type}`
    const answer = await this.#pool.request({ method, path, headers, body: content, headersTimeout: 60_000 })
    const said = await answer.body.text()
    // The list of OpenAPI documents is JSON that calls itself plain text.
    return { code: answer.statusCode, headers: answer.headers, body: said.startsWith('{') ? JSON.parse(said) : said }
  }

  /** Resolves when it is open, or was refused. `path` with its query, which says `watch=true` itself. */
  async watch(path: string, accept = 'application/json'): Promise<Watch> {
    const stop = new AbortController()
    this.#watches.add(stop)
    const events: WatchEvent[] = []
    const state = { isOver: false }
    const { statusCode: code, body } = await this.#pool.request({
      method: 'GET',
      path,
      headers: this.#headers(accept),
      signal: stop.signal,
      bodyTimeout: 0,
    })
    const end = () => void (state.isOver = true)
    void readLines(body, (line) => events.push(JSON.parse(line) as WatchEvent)).then(end, end)
    return {
      code,
      events,
      get isOver() {
        return state.isOver
      },
      told: () => events.filter(({ type }) => type !== 'BOOKMARK').map(describeEvent),
      stop: () => stop.abort(),
    }
  }

  async close(): Promise<void> {
    for (const watch of this.#watches) watch.abort()
    await this.#pool.destroy()
  }

  #headers(accept: string): Record<string, string> {
    return { accept, authorization: `Bearer ${this.#token}`, 'user-agent': 'contract/1' }
  }
}

function describeEvent({ type, object }: WatchEvent): string {
  return type === 'ERROR' ? `ERROR ${String(object['code'])}` : `${type} ${object.metadata.name}`
}

async function readLines(body: AsyncIterable<Buffer>, use: (line: string) => void): Promise<void> {
  let rest = ''
  for await (const chunk of body) {
    const lines = `${rest}${chunk.toString('utf8')}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) use(line)
  }
}
