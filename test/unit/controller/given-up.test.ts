import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApiError, aJob, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at } from '../../support/times.ts'

/** A create has no answer, and its Job is there all the same. */

test('a create that was given up for lost arrives after all: it is no longer counted as missed', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(1)))
  await story.until('12:00:00.500')
  story.jobs.onCreate = () => anApiError({ kind: 'Unanswered' })
  story.jobs.onGet = () => anApiError({ kind: 'Unanswered' })
  await story.until('12:00:02.050')
  assert.equal(story.controller.scheduler.track('uid-beat')?.missed, 1)
  story.controller.jobs.put(aJob({ slot: at('12:00:01') }))
  assert.equal(story.controller.scheduler.track('uid-beat')?.missed, 0)
})

test('a create whose answer is still to come when the watch tells of its Job is not counted as missed either', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(1)))
  await story.until('12:00:00.500')
  story.jobs.onCreate = () => anApiError({ kind: 'Unanswered' })
  story.jobs.onGet = () => anApiError({ kind: 'Unanswered' })
  await story.until('12:00:01.500')
  story.controller.jobs.put(aJob({ slot: at('12:00:01') }))
  await story.until('12:00:02.050')
  const { missed, recent } = story.controller.scheduler.track('uid-beat') ?? {}
  assert.deepEqual([missed, recent], [0, []])
  const counted = story.tally.counted.filter((line) => line.startsWith('missed'))
  assert.deepEqual(counted, [], 'nor in the metric')
})
