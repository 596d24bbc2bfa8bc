import type { IncomingHttpHeaders } from 'node:http'
import type { Asked } from './asked.ts'

export interface Remembered {
  readonly code: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const keptMs = 180_000

/** What LISTs were answered, so that an older one can be played again. Those in pages are left out. */
export class RememberedLists {
  #kept: (Remembered & { readonly key: string; readonly at: number })[] = []

  note(asked: Asked, answer: Remembered, now: number): void {
    if (answer.code !== 200 || /"continue":"[^"]/.test(answer.body) || asked.url.includes('continue=')) return
    this.#kept = this.#kept.filter(({ at }) => now - at <= keptMs)
    this.#kept.push({ ...answer, key: keyOf(asked), at: now })
  }

  /** The newest one that is at least so old. */
  before(asked: Asked, instant: number): Remembered | null {
    const key = keyOf(asked)
    return this.#kept.findLast((kept) => kept.key === key && kept.at <= instant) ?? null
  }
}

function keyOf({ url, accept }: Asked): string {
  const { pathname, searchParams } = new URL(url, 'http://server')
  return JSON.stringify([pathname, searchParams.get('labelSelector'), accept])
}
