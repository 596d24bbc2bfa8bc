import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Launcher } from '../../../src/controller/launcher.ts'
import type { Prepared } from '../../../src/controller/outcome.ts'
import type { JobManifest } from '../../../src/controller/ports.ts'
import type { Instant } from '../../../src/schedule/state.ts'
import { anApiError } from '../../support/builders.ts'
import { FakeJobControl } from '../../support/fake-controls.ts'
import { ManualClock, settle } from '../../support/manual-clock.ts'
import { at } from '../../support/times.ts'

/** A launcher whose prepare always says go, with the log of what became of each slot. */
function aLauncher(options: { connections?: number; prepare?: (slot: Instant, now: Instant) => Prepared } = {}) {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const jobs = new FakeJobControl(clock)
  const outcomes: string[] = []
  const launcher = new Launcher({
    clock,
    jobs,
    connections: options.connections ?? 32,
    createTimeoutMs: 10_000,
    prepare: (uid, slot, now) => options.prepare?.(slot, now) ?? go(uid, slot),
    settle: (uid, slot, outcome) => {
      const why =
        'failure' in outcome && outcome.failure !== null
          ? outcome.failure.reason
          : 'reason' in outcome
            ? outcome.reason
            : ''
      outcomes.push(`${uid}-${slot / 1_000 - at('12:00:00') / 1_000} ${outcome.kind} ${why}`.trim())
    },
  })
  return { clock, jobs, launcher, outcomes: () => outcomes.splice(0) }
}

function go(uid: string, slot: Instant): Prepared {
  return { kind: 'go', manifest: manifestOf(uid, slot) }
}

function manifestOf(uid: string, slot: Instant): JobManifest {
  const name = `${uid}-${(slot - at('12:00:00')) / 1_000}`
  const metadata = { name, namespace: 'default', ownerReferences: [{ uid }] }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: {} }
}

const quota = anApiError({ kind: 'Forbidden', code: 403, message: 'exceeded quota: small' })
const down = anApiError({ kind: 'Unanswered', message: 'connect ECONNREFUSED' })

test('a launch is sent in the turn in which it is asked for', () => {
  const { jobs, launcher } = aLauncher()
  launcher.launch('a', at('12:00:00'))
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0'])
})

test('the name is taken by our own Job: that is success', async () => {
  const { jobs, launcher, outcomes } = aLauncher()
  launcher.launch('a', at('12:00:00'))
  await settle()
  launcher.launch('a', at('12:00:00'))
  await settle()
  assert.deepEqual(outcomes(), ['a-0 launched', 'a-0 launched'])
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0', '00:00.000 create a-0', '00:00.000 get a-0'])
})

test('the name is taken by a foreign Job: refused, neither adopted nor deleted nor tried again', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher()
  await jobs.create(
    'default',
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a-0', namespace: 'default', ownerReferences: [] },
      spec: {},
    },
    { timeoutMs: 1 },
  )
  jobs.calls()
  launcher.launch('a', at('12:00:00'))
  await clock.advance(120_000)
  assert.deepEqual(outcomes(), ['a-0 refused UnexpectedJob'])
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0', '00:00.000 get a-0'])
})

test('the answer is lost: the name is looked up before anything is said, and found', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher()
  jobs.onCreate = () => {
    jobs.onCreate = () => undefined
    void jobs.create('default', manifestOf('a', at('12:00:00')), { timeoutMs: 1 })
    return anApiError({ kind: 'Unanswered' })
  }
  launcher.launch('a', at('12:00:00'))
  await clock.advance(1_000)
  assert.deepEqual(outcomes(), ['a-0 retrying Unavailable', 'a-0 launched'])
  assert.deepEqual(jobs.calls().slice(2), ['00:00.100 get a-0'])
})

test('the API is away: retried from 100 ms, doubling, until it is back', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher()
  jobs.onCreate = () => down
  jobs.onGet = () => down
  launcher.launch('a', at('12:00:00'))
  await clock.advance(1_600)
  jobs.onCreate = () => undefined
  jobs.onGet = () => undefined
  await clock.advance(1_600)
  assert.deepEqual(jobs.calls(), [
    '00:00.000 create a-0',
    '00:00.100 get a-0',
    '00:00.300 get a-0',
    '00:00.700 get a-0',
    '00:01.500 get a-0',
    '00:03.100 get a-0',
    '00:03.100 create a-0',
  ])
  assert.equal(outcomes().at(-1), 'a-0 launched')
})

test('refused: at most one request a second, doubling', async () => {
  const { clock, jobs, launcher } = aLauncher()
  jobs.onCreate = () => quota
  launcher.launch('a', at('12:00:00'))
  await clock.advance(8_000)
  assert.deepEqual(jobs.calls(), [
    '00:00.000 create a-0',
    '00:01.000 create a-0',
    '00:03.000 create a-0',
    '00:07.000 create a-0',
  ])
})

test('the server names a time to come back: that is kept', async () => {
  const { clock, jobs, launcher } = aLauncher()
  jobs.onCreate = () => anApiError({ kind: 'Throttled', code: 429, retryAfterMs: 2_000 })
  launcher.launch('a', at('12:00:00'))
  await clock.advance(2_500)
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0', '00:02.000 create a-0'])
})

test('a newer slot replaces one that waits for its next attempt, and goes at once', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher()
  jobs.onCreate = () => quota
  launcher.launch('a', at('12:00:00'))
  await clock.advance(2_000)
  jobs.onCreate = () => undefined
  launcher.launch('a', at('12:00:02'))
  await clock.advance(60_000)
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0', '00:01.000 create a-0', '00:02.000 create a-2'])
  assert.deepEqual(outcomes().slice(-2), ['a-0 refused QuotaExceeded', 'a-2 launched'])
})

test('suspended while a create waits: nothing is sent', async () => {
  let suspended = false
  const { clock, jobs, launcher, outcomes } = aLauncher({
    prepare: (slot) => (suspended ? { kind: 'unwanted' } : go('a', slot)),
  })
  jobs.onCreate = () => quota
  launcher.launch('a', at('12:00:00'))
  await settle()
  suspended = true
  await clock.advance(5_000)
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0'])
  assert.deepEqual(outcomes(), ['a-0 retrying QuotaExceeded', 'a-0 unwanted'])
})

test('the deadline passes while it is refused: given up, with the reason of the refusal', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher({
    prepare: (slot, now) => (now - slot > 2_000 ? { kind: 'late' } : go('a', slot)),
  })
  jobs.onCreate = () => quota
  launcher.launch('a', at('12:00:00'))
  await clock.advance(60_000)
  assert.equal(jobs.calls().length, 2)
  assert.equal(outcomes().at(-1), 'a-0 refused QuotaExceeded')
})

test('never more requests at once than connections; the oldest wait first', async () => {
  const { jobs, launcher } = aLauncher({ connections: 6 })
  const gate = Promise.withResolvers<void>()
  jobs.onCreate = () => gate.promise
  for (const uid of ['a', 'b', 'c', 'd', 'e']) launcher.launch(uid, at('12:00:00'))
  await settle()
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0', '00:00.000 create b-0'])
  assert.equal(launcher.backlog, 3)
  gate.resolve()
  await settle()
  assert.deepEqual(jobs.calls(), ['00:00.000 create c-0', '00:00.000 create d-0', '00:00.000 create e-0'])
})

test('a webhook hangs for some: after the first second they share four connections, and the others keep theirs', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher({ connections: 14 })
  const hang = Promise.withResolvers<void>()
  jobs.onCreate = ({ metadata }) => (metadata.name.startsWith('bad') ? hang.promise : undefined)
  const bad = ['bad1', 'bad2', 'bad3', 'bad4', 'bad5', 'bad6']
  for (let second = 0; second < 8; second += 1) {
    await clock.advanceTo(at(`12:00:0${second}`))
    for (const uid of bad) launcher.launch(uid, at(`12:00:0${second}`))
    launcher.launch('good', at(`12:00:0${second}`))
    await settle()
  }
  const good = outcomes().filter((line) => line.startsWith('good'))
  assert.deepEqual(
    good,
    [0, 1, 2, 3, 4, 5, 6, 7].map((slot) => `good-${slot} launched`),
  )
  assert.ok(launcher.inFlight <= 6 + 4, `${launcher.inFlight} in flight`)
  hang.resolve()
})

test('a slow answer loses no slot: the next one goes beside it', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher()
  jobs.onCreate = () => clock.sleep(1_400)
  for (const second of [0, 1, 2, 3]) {
    await clock.advanceTo(at(`12:00:0${second}`))
    launcher.launch('a', at(`12:00:0${second}`))
  }
  await clock.advance(10_000)
  assert.deepEqual(outcomes(), ['a-0 launched', 'a-1 launched', 'a-2 launched', 'a-3 launched'])
})

test('stop: what waits is dropped, what is on its way gets a moment and is then aborted', async () => {
  const { clock, jobs, launcher } = aLauncher({ connections: 5 })
  const aborted: string[] = []
  jobs.onCreate = (manifest, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        aborted.push(manifest.metadata.name)
        reject(down)
      })
    })
  launcher.launch('a', at('12:00:00'))
  launcher.launch('b', at('12:00:00'))
  const stopped = launcher.stop(1_000)
  await clock.advance(999)
  assert.deepEqual(aborted, [])
  await clock.advance(1)
  await stopped
  assert.deepEqual(aborted, ['a-0'])
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0'])
})
