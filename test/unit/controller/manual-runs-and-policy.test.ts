import assert from 'node:assert/strict'
import { test } from 'node:test'
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
