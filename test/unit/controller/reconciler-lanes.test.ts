import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at } from '../../support/times.ts'

const deleting = { deletingSince: at('12:00:05') }

/** The writes to the object since the last time this was asked. */
const writes = (story: OperatorStory) => story.objects.log.splice(0)

test('a hundred resources are deleted while the lists hang: a new one is served at once', async () => {
  const answer = Promise.withResolvers<void>()
  const story = new OperatorStory('12:00:10')
  story.jobs.onList = () => answer.promise
  const leaving = Array.from({ length: 100 }, (_, index) => aSecondCronJob({ name: `old-${index}`, ...deleting }))
  await using running = await story.start(...leaving)
  running.apply(aSecondCronJob({ name: 'new', createdAt: at('12:00:10'), finalizers: [], status: {} }))
  await running.until('12:00:10.100')
  assert.deepEqual(
    running.created().map((call) => call.slice(10)),
    [`new-${at('12:00:10') / 1_000}`],
  )
  answer.resolve()
})

test('the statuses of a hundred resources hang: a new one is served at once', async () => {
  const answer = Promise.withResolvers<void>()
  const story = new OperatorStory('12:00:10')
  story.objects.onWrite = ({ name }) => (name === 'new' ? undefined : answer.promise)
  const old = Array.from({ length: 100 }, (_, index) => aSecondCronJob({ name: `old-${index}`, status: {} }))
  await using running = await story.start(...old)
  running.apply(aSecondCronJob({ name: 'new', createdAt: at('12:00:10'), finalizers: [], status: {} }))
  await running.until('12:00:10.100')
  const created = running.created().map((call) => call.slice(10))
  assert.ok(created.includes(`new-${at('12:00:10') / 1_000}`), created.join())
  answer.resolve()
})

for (const what of ['edited', 'deleted'])
  test(`the statuses of a hundred resources hang: one of them that is ${what} is served at once`, async () => {
    const answer = Promise.withResolvers<void>()
    const story = new OperatorStory('12:00:10')
    story.objects.onWrite = ({ generation, deletingSince }) =>
      generation === 1 && deletingSince === null ? answer.promise : undefined
    const observed = { status: { ...accepted(1), observedGeneration: 1 } }
    const old = Array.from({ length: 100 }, (_, index) => aSecondCronJob({ name: `old-${index}`, ...observed }))
    await using running = await story.start(...old)
    await running.until('12:00:12')
    writes(running)
    const change = what === 'edited' ? { generation: 2 } : { deletingSince: at('12:00:12') }
    running.apply(aSecondCronJob({ name: 'old-99', ...observed, ...change }))
    await running.until('12:00:14')
    assert.deepEqual(writes(running), [what === 'edited' ? 'status old-99' : 'remove finalizer old-99'])
    answer.resolve()
  })

test('an edit every four seconds, and a webhook that answers after five: the status tells of the launches all the same', async () => {
  const story = new OperatorStory()
  await using running = await story.start(aSecondCronJob({}, everySeconds(1)))
  await running.until('12:00:05')
  story.jobs.onCreate = (_, { dryRun }) => (dryRun === true ? story.clock.sleep(5_000) : undefined)
  for (let generation = 2; generation < 12; generation += 1) {
    const stored = running.objects.objects.get('beat')
    running.apply({ ...aSecondCronJob({ generation }, everySeconds(1)), status: stored?.status ?? {} })
    await running.until(`12:00:${String(5 + 4 * (generation - 1)).padStart(2, '0')}`)
  }
  const handled = Date.parse(String(running.objects.objects.get('beat')?.status.handledUntil))
  assert.ok(handled >= at('12:00:25'), new Date(handled).toISOString())
})

test('the deletes of the old Jobs of a hundred resources hang: their statuses tell of the launches all the same', async () => {
  const story = new OperatorStory()
  const answer = Promise.withResolvers<void>()
  const many = Array.from({ length: 100 }, (_, n) =>
    aSecondCronJob({ name: `old-${n}` }, { successfulJobsHistoryLimit: 0 }),
  )
  await using running = await story.start(...many)
  await running.until('12:00:10.500')
  running.jobs.onDelete = () => answer.promise
  for (const name of running.jobs.jobs.keys()) running.finish(name)
  await running.until('12:00:31')
  assert.ok(running.jobs.log.some((call) => call.includes('delete')))
  const told = [...running.objects.objects.values()].map(({ status }) => status.handledUntil)
  assert.deepEqual(new Set(told), new Set(['2026-01-01T12:00:30Z']))
  answer.resolve()
})
