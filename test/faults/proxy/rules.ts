import type { Asked } from './asked.ts'

/** Which requests a rule is about: all that it says must hold. */
export interface Match {
  readonly verb?: string | readonly string[]
  readonly resource?: string
  /** Empty for the object itself. */
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
  readonly dryRun?: boolean
  /** Of the body as it is sent. */
  readonly body?: RegExp
  /** Whatever else must hold; asked only when all the rest does. */
  readonly where?: (asked: Asked) => boolean
}

/** Which of those that match: the first is 1; of those, a share by the seeded random. */
export interface Turn {
  readonly from?: number
  readonly to?: number
  readonly share?: number
}

/** What is done with a request. */
export type Fault =
  | { readonly do: 'pass' }
  /** It is forwarded at once, and its answer comes when this is settled. */
  | { readonly do: 'keep'; readonly until: Promise<unknown> }
  /** It is forwarded, and once more as somebody in between does whose connection broke; the second answer is handed on. */
  | { readonly do: 'twice' }
  /** The connection is reset, and nothing is forwarded. */
  | { readonly do: 'refuse' }
  /** It is forwarded later. */
  | { readonly do: 'delay'; readonly ms: number }
  /** It is forwarded at once, and its answer comes later. */
  | { readonly do: 'hold'; readonly ms: number }
  /** Its head and so many bytes of its body are forwarded, and both connections cut. */
  | { readonly do: 'sever'; readonly atByte: number }
  /** It is forwarded, its answer thrown away, and the connection reset. */
  | { readonly do: 'lose' }
  /** The connection stays, and nothing comes: half-open. The request may have been served. */
  | { readonly do: 'hang'; readonly isForwarded?: boolean }
  /** A failure of the API server; nothing is forwarded. */
  | { readonly do: 'answer'; readonly code: number; readonly reason?: string; readonly retryAfterSeconds?: number }
  /** A LIST is answered as it was so long ago, or, when nobody asked by then, as it is. */
  | { readonly do: 'replay'; readonly ageMs: number }
  /** The body of the answer is changed. */
  | { readonly do: 'edit'; readonly edit: (body: string) => string }

/** Whether the API server gets the whole request for its own answer. */
export function isForwarded(fault: Fault): boolean {
  if (fault.do === 'hang') return fault.isForwarded === true
  return !['refuse', 'sever', 'answer', 'replay'].includes(fault.do)
}

/**
 * Before it is forwarded; when a part of it is, and no more comes; after the API server's answer, and before a byte of it is
 * handed on; after all of it is.
 */
export type Moment = 'received' | 'severed' | 'committed' | 'answered'

export interface RequestRule extends Turn {
  readonly id: string
  readonly match: Match
  readonly fault: Fault
  /** `replayed`: an old list is handed on in place of the API server's. */
  readonly on?: Partial<Record<Moment | 'replayed', (asked: Asked) => void>>
}

export interface EventMatch {
  /** `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` */
  readonly type?: string
  readonly name?: string
}

/** What is done with an event of a watch; `swap` is after the next one, `truncate` half of its line. */
export type EventFault =
  | { readonly do: 'drop' | 'double' | 'truncate' | 'close' | 'silence' }
  | { readonly do: 'swap' }
  /** An ERROR event of 410 in its place, and the end of the watch. */
  | { readonly do: 'gone' }
  | { readonly do: 'delay'; readonly ms: number }

export interface EventRule extends Turn {
  readonly id: string
  /** The watch. */
  readonly match: Match
  readonly event: EventMatch
  readonly fault: EventFault
  /** Called before the fault is done. */
  readonly on?: () => void
}

/** Rules in their order: the first one that matches, and whose turn it is, counts; each counts its own matches. */
export class Rules<Rule extends Turn & { readonly id: string }> {
  readonly #random: () => number
  #entries: { readonly rule: Rule; seen: number }[] = []

  constructor(random: () => number) {
    this.#random = random
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  add(rules: readonly Rule[]): void {
    this.#entries.push(...rules.map((rule) => ({ rule, seen: 0 })))
  }

  remove(ids: readonly string[]): void {
    this.#entries = this.#entries.filter(({ rule }) => !ids.includes(rule.id))
  }

  first(matches: (rule: Rule) => boolean): Rule | null {
    for (const entry of this.#entries) {
      if (!matches(entry.rule)) continue
      entry.seen += 1
      const { from = 1, to = Number.POSITIVE_INFINITY, share = 1 } = entry.rule
      if (entry.seen >= from && entry.seen <= to && (share >= 1 || this.#random() < share)) return entry.rule
    }
    return null
  }
}

export function isAbout(match: Match, asked: Asked): boolean {
  const { verb, resource, subresource, namespace, name, dryRun, body, where } = match
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [resource, asked.resource],
    [subresource, asked.subresource],
    [namespace, asked.namespace],
    [name, asked.name],
    [dryRun, asked.isDryRun],
  ]
  if (pairs.some(([wanted, found]) => wanted !== undefined && wanted !== found)) return false
  const isOfVerb = verb === undefined || [verb].flat().includes(asked.verb)
  return isOfVerb && body?.test(asked.body) !== false && where?.(asked) !== false
}

/** mulberry32: the same numbers for the same seed, in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
