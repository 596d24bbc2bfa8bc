import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AttemptParts, attemptLaunch } from '../../../src/controller/launch-attempt.ts'
import type { CreateOptions } from '../../../src/controller/ports.ts'
import { anApiError } from '../../support/builders.ts'
import { FakeJobControl, FakeTally } from '../../support/fake-controls.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { go } from '../../support/a-launcher.ts'

/** What the API server was given at most, and what was left of the lease when the create was written. */
interface Written {
  readonly timeoutMs: number
  readonly leftMs: number
}

/** One attempt, whose first create is written so long after it was made, as by a connection that has to be opened first. */
async function written(alone: boolean, delayMs: number): Promise<readonly Written[]> {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const renewedAt = clock.monotonic()
  const leaseLeftMs = () => 5_500 - (clock.monotonic() - renewedAt)
  const jobs = new FakeJobControl(clock)
  const sent: Written[] = []
  let creates = 0
  const write = async ({ isWanted, timeoutMs }: CreateOptions) => {
    creates += 1
    await clock.advance(creates === 1 ? delayMs : 0)
    if (isWanted?.() === false) throw anApiError({ kind: 'NotSent' })
    sent.push({ timeoutMs, leftMs: leaseLeftMs() })
  }
  jobs.onCreate = (_manifest, options) => write(options)
  const slot = clock.now()
  const parts: AttemptParts = {
    clock,
    jobs,
    createTimeoutMs: 10_000,
    leaseLeftMs,
    tally: new FakeTally(),
    prepare: (uid, of) => ({ ...go(uid, of), alone }) as ReturnType<AttemptParts['prepare']>,
    jobOf: () => ({ namespace: 'default', name: 'beat' }),
    seen: () => {},
    buryJob: () => {},
  }
  const { signal } = new AbortController()
  const { kind } = await attemptLaunch(parts, { uid: 'beat', slot, refusal: null, limitMs: 10_000, signal })
  assert.equal(kind, 'done')
  return sent
}

test('alone, and written seconds after it was made: the API server still gives up before somebody else may lead', async () => {
  const [create, ...more] = await written(true, 3_000)
  assert.ok(create !== undefined && more.length === 0)
  assert.ok(create.timeoutMs <= create.leftMs + 300, JSON.stringify(create))
})

test('alone, and written a moment after it was made: sent as it is', async () => {
  assert.deepEqual(await written(true, 20), [{ timeoutMs: 5_500, leftMs: 5_480 }])
})

test('beside others: it has its time', async () => {
  assert.deepEqual(await written(false, 3_000), [{ timeoutMs: 10_000, leftMs: 2_500 }])
})
