import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSecondCronJob, anApiError } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { seconds } from '../../support/times.ts'

const firstOne = 'the first one since the resource was created or edited; runs every 10s'

test('the first Job is told, after the creation and after each edit, with its name; the others are no news', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({ status: {} }))
  await story.until('12:00:30')
  story.apply({ ...aSecondCronJob({ status: story.objects.objects.get('beat')?.status ?? {} }), generation: 2 })
  await story.until('12:01:00')
  const told = story.events.events.filter((event) => event.includes('SuccessfulCreate'))
  assert.deepEqual(told, [
    `beat Normal SuccessfulCreate: Created Job beat-${seconds('12:00:00')}, ${firstOne}`,
    `beat Normal SuccessfulCreate: Created Job beat-${seconds('12:00:40')}, ${firstOne}`,
  ])
})

test('while launches are refused the resource is not Ready, with the reason of the refusal; then it is again', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob())
  const ready = () => story.objects.objects.get('beat')?.status.conditions?.find(({ type }) => type === 'Ready')
  await story.until('12:00:11')
  assert.equal(ready()?.status, 'True')
  story.jobs.onCreate = () =>
    anApiError({ kind: 'Forbidden', code: 403, message: 'exceeded quota: few, requested: count/jobs.batch=1' })
  await story.until('12:00:29')
  assert.deepEqual([ready()?.status, ready()?.reason], ['False', 'QuotaExceeded'])
  story.jobs.onCreate = () => undefined
  await story.until('12:00:41')
  assert.equal(ready()?.status, 'True')
})

test('suspended, and edited to what does not parse: nothing is resumed', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, { suspend: true }))
  await story.until('12:00:10')
  const spec = { valid: false, reason: 'InvalidSchedule', problems: ['spec.schedule: no'] } as const
  story.apply({ ...aSecondCronJob({ generation: 2 }), spec })
  await story.until('12:00:20')
  assert.deepEqual(
    story.events.events.filter((event) => event.includes('Resumed')),
    [],
  )
})
