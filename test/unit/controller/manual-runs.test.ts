import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, aJob, aSecondCronJob, anApiError, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { asking, first, manualCreates, second, stored } from '../../support/run-now.ts'

test('run-now: one extra Job for each new token, at once; the grid, handledUntil and lastScheduleTime stay', async () => {
  await using story = await new OperatorStory().start(asking(null))
  await story.until('12:00:20.300')
  story.apply(asking('first'))
  await story.until('12:00:20.400')
  assert.deepEqual(manualCreates(story), [`00:20.300 ${first}`])
  assert.equal(stored(story), 'first', 'written at once')
  const { handledUntil, lastScheduleTime } = story.objects.objects.get('beat')?.status ?? {}
  assert.deepEqual([handledUntil, lastScheduleTime], ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z'])
  await story.until('12:10:00')
  assert.deepEqual(manualCreates(story), [])
  story.apply(asking('second', { status: { ...accepted(1), lastManualRun: 'first', manualRunCount: 1 } }))
  await story.until('12:10:01')
  assert.deepEqual(manualCreates(story), [`10:00.000 ${second}`])
  assert.ok(story.events.events.includes(`beat Normal SuccessfulCreate: Created Job ${second}, as run-now asked for`))
})

test('run-now: also while suspended, under Forbid beside an active Job, and at the limit', async () => {
  const specs = [{ suspend: true }, { concurrencyPolicy: 'Forbid' }, { activeJobsLimit: 1 }]
  for (const spec of specs) {
    await using story = await new OperatorStory().start(asking(null, {}, spec))
    await story.until('12:00:10')
    story.apply(asking('first', {}, spec))
    await story.until('12:00:11')
    assert.equal(manualCreates(story).length, 1, JSON.stringify(spec))
  }
})

test('run-now: its Job is active, so the next slot under Forbid is skipped', async () => {
  await using story = await new OperatorStory().start(
    aSecondCronJob({ runNow: 'first' }, { ...everySeconds(10), concurrencyPolicy: 'Forbid' }),
  )
  for (const name of story.jobs.jobs.keys()) if (!name.includes('-m')) story.finish(name)
  await story.until('12:00:10')
  assert.equal(story.controller.scheduler.track('uid-beat')?.skipped, 1)
})

test('run-now after a crash between the create and the status: the Job of the token is found, not made again', async () => {
  const story = new OperatorStory()
  story.jobs.jobs.set(first, aJob({ name: first, uid: 'job-m', slot: null }))
  await using running = await story.start(asking('first', { status: accepted(1) }))
  await running.until('12:00:01')
  assert.equal(stored(running), 'first')
  assert.equal([...running.jobs.jobs.keys()].filter((name) => name.includes('-m')).length, 1)
})

test('run-now: a token that is stored is served, whoever serves now', async () => {
  await using story = await new OperatorStory().start(
    asking('first', { status: { ...accepted(1), lastManualRun: 'first', manualRunCount: 1 } }),
  )
  await story.until('12:01:00')
  assert.deepEqual(manualCreates(story), [])
})

test('run-now: refused by the cluster: the words are told once, it is tried again, ever more seldom', async () => {
  const story = new OperatorStory()
  story.jobs.onCreate = ({ metadata }) =>
    metadata.name === first ? anApiError({ kind: 'Forbidden', code: 403, message: 'exceeded quota: q' }) : undefined
  await using running = await story.start(asking('first'))
  await running.until('12:00:20')
  assert.deepEqual(
    manualCreates(running).map((call) => call.slice(0, 9)),
    ['00:00.000', '00:01.000', '00:03.000', '00:07.000', '00:15.000'],
  )
  const told = running.events.events.filter((event) => event.includes('exceeded quota'))
  assert.deepEqual(told, ['beat Warning FailedCreate: QuotaExceeded: exceeded quota: q'])
  assert.equal(stored(running), undefined)
})

test('run-now: a token that is too long, or whose name somebody else has: one sentence, and nothing is tried again', async () => {
  const long = new OperatorStory()
  await using tooLong = await long.start(asking('x'.repeat(257)))
  await tooLong.until('12:10:00')
  assert.deepEqual(manualCreates(tooLong), [])
  assert.ok(
    tooLong.events.events.includes(
      'beat Warning FailedCreate: the run-now token is longer than 256 characters; write a shorter one',
    ),
  )

  const taken = new OperatorStory()
  taken.jobs.jobs.set(first, aJob({ name: first, uid: 'job-m', slot: null, ownerUid: null }))
  await using foreign = await taken.start(asking('first'))
  await foreign.until('12:10:00')
  assert.equal(manualCreates(foreign).length, 1)
  assert.ok(foreign.events.events.some((event) => event.includes('write another token')))
  assert.equal(stored(foreign), undefined)
})

test('run-now: the Job is kept until its token is stored, whatever the history limits say', async () => {
  const story = new OperatorStory()
  story.objects.onWrite = () => anApiError({ kind: 'ServerError', code: 500 })
  await using running = await story.start(asking('first', {}, { successfulJobsHistoryLimit: 0 }))
  running.finish(first)
  await running.until('12:00:40')
  assert.ok(running.jobs.jobs.has(first))
  story.objects.onWrite = () => undefined
  await running.until('12:02:00')
  assert.ok(!running.jobs.jobs.has(first))
})

test('run-now: the name is taken and nobody answers whose it is: not served, and asked again', async () => {
  const beginning = new OperatorStory()
  let isAway = true
  beginning.jobs.onCreate = ({ metadata }, { dryRun }) =>
    metadata.name === first && dryRun !== true ? anApiError({ kind: 'AlreadyExists', code: 409 }) : undefined
  beginning.jobs.onGet = () => (isAway ? anApiError({ kind: 'Unanswered' }) : undefined)
  beginning.jobs.jobs.set(first, aJob({ name: first, slot: null, ownerUid: 'somebody' }))
  await using story = await beginning.start(asking('first'))
  await story.until('12:00:30')
  assert.equal(stored(story), undefined)
  isAway = false
  await story.until('12:02:00')
  assert.equal(stored(story), undefined)
  assert.ok(story.events.events.some((event) => event.includes(`a Job named ${first} exists and is not controlled`)))
})
