import type { EventFault } from './rules.ts'

export interface WatchEvent {
  readonly type: string
  readonly name: string
}

export interface WatchStreamParts {
  readonly write: (bytes: Buffer | string) => void
  readonly end: () => void
  /** The connection breaks. */
  readonly cut: () => void
  /** What is to be done with this event; null when nothing. */
  readonly faultOf: (event: () => WatchEvent) => EventFault | null
}

const newline = 0x0a
const gone = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old resource version' }

/** Hands a watch on event by event, with the faults that are wanted. */
export class WatchStream {
  readonly #parts: WatchStreamParts
  /** Of the line that is not complete yet. */
  #rest: Buffer[] = []
  /** Comes after the next one. */
  #swapped: Buffer | null = null
  #delayedUntil = 0
  /** What is delayed, in its order. */
  readonly #waiting: { readonly dueAt: number; readonly act: () => void }[] = []
  #isOver = false

  constructor(parts: WatchStreamParts) {
    this.#parts = parts
  }

  /** The connection stays, and nothing more comes, not even the end. */
  silence(): void {
    this.#isOver = true
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(start, at + 1)])
      this.#rest = []
      start = at + 1
      this.#line(line)
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start))
  }

  /** The API server has ended it. */
  end(): void {
    this.#flush()
    this.#soon(() => this.#close())
  }

  /** It has broken off. */
  cut(): void {
    if (!this.#isOver) this.#parts.cut()
    this.#isOver = true
  }

  #line(line: Buffer): void {
    if (this.#isOver) return
    const fault = this.#parts.faultOf(() => eventIn(line))
    // One that would be swapped is itself the next one of the one before.
    if (fault?.do === 'swap' && this.#swapped === null) {
      this.#swapped = line
      return
    }
    if (fault === null || fault.do === 'swap') this.#soon(() => this.#parts.write(line))
    else this.#fault(fault, line)
    this.#flush()
  }

  #flush(): void {
    const swapped = this.#swapped
    this.#swapped = null
    if (swapped !== null) this.#soon(() => this.#parts.write(swapped))
  }

  #fault(fault: Exclude<EventFault, { readonly do: 'swap' }>, line: Buffer): void {
    const { write } = this.#parts
    const acts: Record<Exclude<EventFault['do'], 'swap'>, () => void> = {
      drop: () => undefined,
      double: () => this.#soon(() => [line, line].forEach(write)),
      truncate: () => this.#soon(() => write(Buffer.concat([line.subarray(0, line.length / 2), Buffer.of(newline)]))),
      close: () => this.#soon(() => this.#close()),
      silence: () => this.silence(),
      gone: () =>
        this.#soon(() => {
          write(`${JSON.stringify({ type: 'ERROR', object: gone })}\n`)
          this.#close()
        }),
      delay: () => {
        this.#delayedUntil = performance.now() + (fault.do === 'delay' ? fault.ms : 0)
        this.#soon(() => write(line))
      },
    }
    acts[fault.do]()
  }

  /** At once, or behind what is delayed: a delay never changes the order. */
  #soon(act: () => void): void {
    this.#waiting.push({ dueAt: this.#delayedUntil, act })
    if (this.#waiting.length === 1) this.#drain()
  }

  #drain(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const inMs = next.dueAt - performance.now()
      if (inMs > 0) {
        setTimeout(() => this.#drain(), Math.ceil(inMs)).unref()
        return
      }
      if (!this.#isOver) next.act()
      this.#waiting.shift()
    }
  }

  #close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.end()
  }
}

function eventIn(line: Buffer): WatchEvent {
  const { type, object } = JSON.parse(line.toString('utf8')) as RawEvent
  return { type, name: object.metadata?.name ?? '' }
}

interface RawEvent {
  readonly type: string
  readonly object: { readonly metadata?: { readonly name?: string } }
}
