import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, anApiError, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'

/** What the condition Failing says, and when a run that waits for a better time is given up. */

const quota = anApiError({
  kind: 'Forbidden',
  code: 403,
  message: 'exceeded quota: few, requested: count/jobs.batch=1',
})

const statusOf = (story: OperatorStory) => story.objects.objects.get('beat')?.status ?? {}
const failing = (story: OperatorStory) => statusOf(story).conditions?.find(({ type }) => type === 'Failing')?.status

async function refused(specOf = everySeconds(3_600)): Promise<OperatorStory> {
  const story = new OperatorStory()
  story.jobs.onCreate = (_manifest, { dryRun }) => (dryRun === true ? undefined : quota)
  await story.start(aSecondCronJob({}, specOf))
  await story.until('12:00:20')
  assert.equal(failing(story), 'True')
  return story
}

for (const [name, spec] of Object.entries({
  'edited to another schedule': everySeconds(1_800),
  'edited to another limit': { ...everySeconds(3_600), activeJobsLimit: 7 },
  suspended: { ...everySeconds(3_600), suspend: true },
}))
  test(`refused, and then ${name}: the failure is that of a spec which is no more`, async () => {
    await using story = await refused()
    story.jobs.onCreate = () => undefined
    story.apply(aSecondCronJob({ generation: 2, status: statusOf(story) }, spec))
    await story.until('12:00:21')
    assert.equal(failing(story), 'False')
    await story.until('12:05:00')
    assert.equal(failing(story), 'False')
  })

test('edited to what is refused as well: it fails again with the next attempt', async () => {
  await using story = await refused()
  story.apply(
    aSecondCronJob({ generation: 2, status: statusOf(story) }, { ...everySeconds(3_600), activeJobsLimit: 7 }),
  )
  await story.until('12:01:30')
  assert.equal(failing(story), 'True')
})

test('suspended while a create is on its way that is then refused: nothing fails that is suspended', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob())
  await story.until('12:00:09')
  const create = Promise.withResolvers<void>()
  story.jobs.onCreate = () => create.promise
  await story.until('12:00:10.500')
  story.apply(aSecondCronJob({ generation: 2, status: statusOf(story) }, { suspend: true }))
  await story.until('12:00:12')
  create.reject(quota)
  await story.until('12:05:00')
  assert.equal(failing(story), 'False')
})

test('refused, and edited while nobody leads: the next leader does not take the failure over', async () => {
  const failed = {
    type: 'Failing',
    status: 'True',
    reason: 'QuotaExceeded',
    message: 'exceeded quota',
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T12:00:00Z',
  } as const
  const status = { ...accepted(1), conditions: [...(accepted(1).conditions ?? []), failed] }
  const later = { observedSchedule: 'every 3600s', handledUntil: '2026-01-01T12:00:00Z' }
  for (const [generation, shown] of [
    [1, 'True'],
    [2, 'False'],
  ] as const) {
    const object = aSecondCronJob(
      { generation, status: { ...status, ...later, observedGeneration: 1 } },
      everySeconds(3_600),
    )
    await using story = await new OperatorStory('12:00:30').start(object)
    await story.until('12:00:40')
    assert.equal(failing(story), shown)
  }
})

test('a deadline that passes during a long pause between attempts is told when it has passed, not after the pause', async () => {
  await using story = await refused({ ...everySeconds(3_600), startingDeadlineSeconds: 35 })
  await story.until('12:00:34')
  assert.equal(statusOf(story).missedCount, 0)
  const asked = story.created().length
  await story.until('12:00:36')
  assert.deepEqual(
    [statusOf(story).missedCount, statusOf(story).recent?.[0]?.reason, story.created().length],
    [1, 'QuotaExceeded', 0],
    String(asked),
  )
})
