import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionOf } from '../../../src/api/secondcronjob.ts'
import { anApiError, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'

const inNamespace = (namespace: string, name: string) =>
  aSecondCronJob({ uid: `uid-${name}`, name, namespace, finalizers: [], status: {} }, everySeconds(1))

const gaveUp = anApiError({ kind: 'ServerError', message: 'failed calling webhook "a": context deadline exceeded' })

test('the trials of a hundred hang: a new resource of another namespace is tried at once, and runs each second', async () => {
  const story = new OperatorStory()
  story.jobs.onCreate = ({ metadata }, { timeoutMs }) =>
    metadata.name.startsWith('bad') ? story.clock.sleep(timeoutMs).then(() => Promise.reject(gaveUp)) : undefined
  const bad = Array.from({ length: 100 }, (_, n) => inNamespace('trouble', `bad${n}`))
  await using running = await story.start(...bad)
  await running.until('12:00:02.500')
  running.apply(inNamespace('calm', 'good'))
  await running.until('12:00:10')
  const created = running.created().filter((call) => call.includes('good'))
  assert.equal(created.length, 9, created.join(', '))
})

test('a resource whose trial hung is launched among those that hang: four at once', async () => {
  const story = new OperatorStory()
  let underway = 0
  let most = 0
  story.jobs.onCreate = async (_manifest, { dryRun, timeoutMs }) => {
    if (dryRun !== true) underway += 1
    most = Math.max(most, underway)
    await story.clock.sleep(timeoutMs)
    if (dryRun !== true) underway -= 1
    throw gaveUp
  }
  await using running = await story.start(...Array.from({ length: 20 }, (_, n) => inNamespace('trouble', `bad${n}`)))
  await running.until('12:01:00')
  assert.equal(most, 4)
})

/** The pauses between trials had doubled to a minute meanwhile. */
test('the API server had too much to do for two minutes: ten seconds after that a new resource is accepted', async () => {
  const story = new OperatorStory()
  let isBusy = true
  const throttled = anApiError({ kind: 'Throttled', code: 429 })
  story.jobs.onCreate = (_manifest, { dryRun }) => (isBusy && dryRun === true ? Promise.reject(throttled) : undefined)
  await using running = await story.start(inNamespace('calm', 'good'))
  await running.until('12:02:10')
  isBusy = false
  await running.until('12:02:21')
  const accepted = conditionOf(running.objects.objects.get('good')?.status ?? {}, 'Accepted')
  assert.equal(accepted?.status, 'True')
})
