import pino from 'pino'
import { Elector } from '../../src/leader/elector.ts'
import type { Term } from '../../src/leader/term.ts'
import { FakeLeaseControl, FakeLeaseServer } from './fake-lease.ts'
import { ManualClock } from './manual-clock.ts'

export const times = { leaseMs: 6_000, renewDeadlineMs: 4_500, retryMs: 1_000 }

/** One process that wants to lead. */
export class Candidate {
  readonly control: FakeLeaseControl
  readonly elector: Elector
  /** Its terms, oldest first. */
  readonly terms: Term[] = []
  unfit: string | null = null
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor(name: string, server: FakeLeaseServer, clock: ManualClock) {
    this.control = new FakeLeaseControl(server, clock)
    this.elector = new Elector({
      control: this.control,
      clock,
      log: pino({ level: 'silent' }),
      identity: name,
      times,
      unfit: () => this.unfit,
      begun: (term) => this.terms.push(term),
    })
    this.#running = this.elector.run(this.#stop.signal)
  }

  /** Whether it would write now. */
  get leads(): boolean {
    return this.terms.at(-1)?.holds() ?? false
  }

  /** Killed: nothing is released. */
  async die(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async stop(): Promise<void> {
    await this.die()
    await this.elector.release(1_000)
  }
}

/** Two or three candidates, one Lease, and a clock that stands still. */
export class Election {
  readonly clock = new ManualClock('2026-01-01T12:00:00Z')
  readonly server = new FakeLeaseServer()
  readonly candidates: Candidate[] = []

  join(name: string): Candidate {
    const candidate = new Candidate(name, this.server, this.clock)
    this.candidates.push(candidate)
    return candidate
  }

  get leaders(): readonly string[] {
    return this.candidates.filter(({ leads }) => leads).map(({ elector }) => elector.holder)
  }

  /** Seconds until the candidate leads, looked at every 50 ms. Throws when two lead at once, or after a minute. */
  async until(what: () => boolean): Promise<number> {
    for (let ms = 0; ms <= 60_000; ms += 50) {
      if (this.leaders.length > 1) throw new Error(`two lead at once: ${this.leaders.join(', ')}`)
      if (what()) return ms / 1_000
      await this.clock.advance(50)
    }
    throw new Error('not within a minute')
  }

  async advance(ms: number): Promise<void> {
    const end = this.clock.monotonic() + ms
    await this.until(() => this.clock.monotonic() >= end)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = Promise.all(this.candidates.map((candidate) => candidate.die()))
    await this.clock.advance(60_000)
    await ended
  }
}
