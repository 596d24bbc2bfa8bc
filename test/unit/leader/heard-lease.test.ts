import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import type { ApiErrorKind } from '../../../src/api/api-error.ts'
import { leaderCheck, leaseCheck } from '../../../src/health-checks.ts'
import { Elector } from '../../../src/leader/elector.ts'
import { HeardLease } from '../../../src/leader/heard-lease.ts'
import { anApiError, nextVersion } from '../../support/builders.ts'
import { times } from '../../support/candidates.ts'
import { FakeLeaseControl, FakeLeaseServer } from '../../support/fake-lease.ts'
import { ManualClock } from '../../support/manual-clock.ts'

/** One replica as its probes show it. */
class Replica {
  readonly control: FakeLeaseControl
  readonly #lease: HeardLease
  readonly #elector: Elector
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor(identity: string, server: FakeLeaseServer, clock: ManualClock) {
    this.control = new FakeLeaseControl(server, clock)
    this.#lease = new HeardLease(this.control, clock)
    const log = pino({ level: 'silent' })
    const parts = { control: this.#lease, clock, log, identity, times, unfit: () => null, begun: () => undefined }
    this.#elector = new Elector(parts)
    this.#running = this.#elector.run(this.#stop.signal)
  }

  refuse(kind: ApiErrorKind, ...verbs: string[]): void {
    this.control.way = (verb) => (verbs.includes(verb) ? anApiError({ kind }) : undefined)
  }

  get says(): string | undefined {
    const { holder, term } = this.#elector
    return leaderCheck({ leads: term !== null, holder, why: this.#lease.why }).text
  }

  get isReady(): boolean {
    return leaseCheck(this.#lease.failingMs, this.#lease.why).ok
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}

/** Two replicas, of which the first leads. */
async function pair() {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const server = new FakeLeaseServer()
  const a = new Replica('a', server, clock)
  await clock.advance(100)
  const b = new Replica('b', server, clock)
  await clock.advance(5_000)
  assert.deepEqual([a.says, b.says], ['leader', 'standby: a leads'])
  return { clock, server, a, b }
}

/** Both said for ever that the one that had led still did, and that they were ready. */
test('the right to the Lease is taken away: both say that nobody leads, and why, and after a minute that they are not ready', async () => {
  const { clock, a, b } = await pair()
  await using _ = a
  await using __ = b
  for (const replica of [a, b]) {
    replica.refuse('Forbidden', 'get', 'create', 'update')
    replica.control.isWatchDead = true
  }
  await clock.advance(15_000)
  const nobody = 'standby: nobody leads (Forbidden)'
  assert.deepEqual([a.says, b.says, a.isReady, b.isReady], [nobody, nobody, true, true])
  await clock.advance(60_000)
  assert.deepEqual([a.isReady, b.isReady], [false, false])
  for (const { control } of [a, b]) control.way = () => undefined
  await clock.advance(3_000)
  assert.deepEqual([a.isReady, b.isReady], [true, true])
  assert.ok([a.says, b.says].includes('leader'))
})

test('it may be read and not written: nobody leads, and after a minute nobody is ready', async () => {
  const { clock, a, b } = await pair()
  await using _ = a
  await using __ = b
  for (const replica of [a, b]) replica.refuse('Forbidden', 'create', 'update')
  await clock.advance(75_000)
  assert.deepEqual([a.says, a.isReady, b.isReady], ['standby: nobody leads (Forbidden)', false, false])
})

test('it may not be written, and somebody puts labels on it every two seconds: that is nothing heard of it', async () => {
  const { clock, server, a, b } = await pair()
  await using _ = a
  await using __ = b
  for (const replica of [a, b]) replica.refuse('Forbidden', 'create', 'update')
  for (let ms = 0; ms < 80_000; ms += 2_000) {
    await clock.advance(2_000)
    if (server.lease !== null) server.write({ ...server.lease, resourceVersion: nextVersion() })
  }
  assert.deepEqual([a.says, a.isReady, b.isReady], ['standby: nobody leads (Forbidden)', false, false])
})

test('its namespace is gone: so it is then', async () => {
  const { clock, server, a, b } = await pair()
  await using _ = a
  await using __ = b
  for (const replica of [a, b]) replica.refuse('NotFound', 'create')
  server.write(null)
  await clock.advance(75_000)
  assert.deepEqual([a.says, a.isReady, b.isReady], ['standby: nobody leads (NotFound)', false, false])
})

test('a standby that has lost one takeover, and hears of the other ever since, is ready', async () => {
  const { clock, a, b } = await pair()
  await using _ = a
  await using __ = b
  b.refuse('Unanswered', 'get', 'create', 'update')
  a.refuse('Unanswered', 'update', 'get')
  await clock.advance(8_000)
  a.control.way = () => undefined
  await clock.advance(120_000)
  assert.deepEqual([a.says, b.says, b.isReady], ['leader', 'standby: a leads', true])
})

test('before anything is known of it: nobody leads, without a reason', () => {
  assert.equal(leaderCheck({ leads: false, holder: '', why: '' }).text, 'standby: nobody leads')
})
