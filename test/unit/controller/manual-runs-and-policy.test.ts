import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualJobName } from '../../../src/api/job.ts'
import { aSecondCronJob, anApiError, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'

test('Forbid: a slot that waits out a refusal is launched when the run-now Job beside it has come and gone', async () => {
  const beginning = new OperatorStory()
  let isFull = true
  beginning.jobs.onCreate = ({ metadata }) =>
    isFull && !metadata.name.includes('-m')
      ? anApiError({ kind: 'Forbidden', code: 403, message: 'exceeded quota: q' })
      : undefined
  const spec = { ...everySeconds(60), concurrencyPolicy: 'Forbid' } as const
  await using story = await beginning.start(aSecondCronJob({}, spec))
  await story.until('12:00:01.500')
  story.apply(aSecondCronJob({ runNow: 'now' }, spec))
  await story.until('12:00:02')
  const manual = [...story.jobs.jobs.keys()].find((name) => name.includes('-m'))
  story.finish(manual ?? '')
  isFull = false
  await story.until('12:00:10')
  assert.deepEqual(story.created().at(-1), '00:03.000 beat-1767268800')
  assert.equal(story.controller.scheduler.track('uid-beat')?.skipped, 0)
})

const manual = manualJobName('beat', { token: 'now', before: 0 })

/** Replaced before its token was stored, it left no trace, and the next leader ran the token again. */
test('Replace: a run-now Job is deleted when its token is stored, and not before', async () => {
  const spec = { ...everySeconds(10), concurrencyPolicy: 'Replace' } as const
  await using story = await new OperatorStory().start(aSecondCronJob({}, spec))
  await story.until('12:00:05')
  story.objects.onWrite = () => anApiError({ kind: 'ServerError', code: 500 })
  story.apply(aSecondCronJob({ runNow: 'now' }, spec))
  await story.until('12:00:12')
  assert.ok(story.jobs.jobs.has(manual))
  assert.ok(!story.jobs.jobs.has('beat-1767268810'), 'nor is there another Job beside it')
  assert.match(story.controller.scheduler.track('uid-beat')?.failing?.message ?? '', /is not in the status yet/)
  story.objects.onWrite = () => undefined
  await story.until('12:00:19')
  assert.equal(story.objects.objects.get('beat')?.status.lastManualRun, 'now')
  assert.deepEqual([story.jobs.jobs.has(manual), story.jobs.jobs.has('beat-1767268810')], [false, true])
})

test('Replace: a run-now Job that is stored a moment later delays the run by that moment and is no failure', async () => {
  const spec = { ...everySeconds(10), concurrencyPolicy: 'Replace' } as const
  await using story = await new OperatorStory().start(aSecondCronJob({}, spec))
  await story.until('12:00:09.900')
  const { promise, resolve } = Promise.withResolvers<void>()
  story.objects.onWrite = () => promise
  story.apply(aSecondCronJob({ runNow: 'now' }, spec))
  await story.until('12:00:10.100')
  story.objects.onWrite = () => undefined
  resolve()
  await story.until('12:00:10.500')
  assert.deepEqual(story.created().slice(-2), [`00:09.900 ${manual}`, '00:10.120 beat-1767268810'])
  assert.ok(!story.jobs.jobs.has(manual))
  assert.ok(!story.events.events.some((event) => event.includes('FailedCreate')))
})
