import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Asked } from './asked.ts'
import type { FaultLog } from './fault-log.ts'
import type { Resets } from './resets.ts'
import { type EventFault, type EventRule, isAbout, type Match, Rules } from './rules.ts'
import { type WatchEvent, WatchStream } from './watch-stream.ts'

/** The open watches, and the rules for what they tell. */
export class Watches {
  readonly rules: Rules<EventRule>
  readonly #log: FaultLog
  readonly #resets: Resets
  readonly #open = new Map<WatchStream, Asked>()

  constructor(random: () => number, log: FaultLog, resets: Resets) {
    this.rules = new Rules(random)
    this.#log = log
    this.#resets = resets
  }

  /** Says how many there were. */
  silence(match: Match): number {
    return this.#each(match, (watch, asked) => {
      watch.silence()
      this.#log.note('silence', 'silenced', asked)
    })
  }

  /** They break off. Says how many there were. */
  cut(match: Match): number {
    return this.#each(match, (watch, asked) => {
      watch.cut()
      this.#log.note('cut', 'cut', asked)
    })
  }

  #each(match: Match, act: (watch: WatchStream, asked: Asked) => void): number {
    const meant = [...this.#open].filter(([, asked]) => isAbout(match, asked))
    for (const [watch, asked] of meant) act(watch, asked)
    return meant.length
  }

  hand(asked: Asked, answer: IncomingMessage, response: ServerResponse): void {
    const stream = new WatchStream({
      write: (bytes) => response.write(bytes),
      end: () => response.end(),
      cut: () => this.#resets.reset(response),
      faultOf: (event) => (this.rules.isEmpty ? null : this.#faultOf(asked, event())),
    })
    this.#open.set(stream, asked)
    response.on('close', () => this.#open.delete(stream))
    response.writeHead(200, answer.headers)
    response.flushHeaders()
    answer.on('data', (chunk: Buffer) => stream.push(chunk))
    answer.on('end', () => stream.end())
    answer.on('error', () => stream.cut())
  }

  #faultOf(asked: Asked, { type, name }: WatchEvent): EventFault | null {
    const rule = this.rules.first(({ match, event }) => {
      const isWanted = (event.type ?? type) === type && (event.name ?? name) === name
      return isWanted && isAbout(match, asked)
    })
    if (rule === null) return null
    rule.on?.()
    this.#log.note(rule.id, rule.fault.do, asked, `${type} ${name}`)
    return rule.fault
  }
}
