import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSecondCronJob, anApiError, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'

/** At each rolling restart users were told of a FailedCreate, though nothing had failed. */
test('told to end while a create is on its way: that it is aborted is no failure, and no Event says so', async () => {
  const story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(10)))
  story.jobs.onCreate = (_manifest, { signal }) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(anApiError({ kind: 'Unanswered' }))),
    )
  await story.until('12:00:10')
  assert.equal(story.created().length, 2)
  await story[Symbol.asyncDispose]()
  assert.deepEqual(
    story.events.events.filter((event) => event.includes('Warning')),
    [],
  )
  assert.equal(story.controller.scheduler.track('uid-beat')?.failing, null)
})
