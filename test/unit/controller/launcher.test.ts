import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLauncher, go, manifestOf } from '../../support/a-launcher.ts'
import { anApiError } from '../../support/builders.ts'
import { settle } from '../../support/manual-clock.ts'
import { at } from '../../support/times.ts'

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

test('what came of each create is counted, by the answer', async () => {
  const { clock, jobs, launcher, tally } = aLauncher()
  const answers = [
    undefined,
    anApiError({ kind: 'Forbidden', code: 403 }),
    anApiError({ kind: 'Unanswered' }),
    anApiError({ kind: 'Throttled', code: 429 }),
  ]
  for (const [index, answer] of answers.entries()) {
    jobs.onCreate = () => answer
    launcher.launch(`r${index}`, at('12:00:00'))
    await clock.advance(0)
    launcher.forget(`r${index}`)
  }
  assert.deepEqual(tally.counted, ['created', 'rejected', 'unknown', 'failed'])
})
