import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrive, close, open, pass } from '../../../src/controller/books.ts'
import { accepted, anApiError, aJob, aSecondCronJob, everySeconds } from '../../support/builders.ts'
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

/** Of the resource that the last status was stored at 12:00:20 for; whoever leads next begins at 12:01:25, and launches 12:01:20. */
async function takenOver(): Promise<{ readonly story: OperatorStory; readonly missed: () => unknown }> {
  const status = { ...accepted(1), handledUntil: '2026-01-01T12:00:20Z', observedSchedule: 'every 10s', missedCount: 1 }
  const story = await new OperatorStory('12:01:25').start(
    aSecondCronJob({ status: { ...status, observedGeneration: 1 } }),
  )
  await story.until('12:01:26')
  return { story, missed: () => story.controller.scheduler.track('uid-beat')?.missed }
}

test('the API server dies with the create, and comes back: slots that were missed in one count each for itself', async () => {
  const { story, missed } = await takenOver()
  await using running = story
  assert.equal(missed(), 6, '30, 40, 50, 60 and 70 seconds past')
  for (const slot of ['12:00:30', '12:00:30', '12:01:10', '12:00:50']) {
    running.controller.jobs.put(aJob({ slot: at(slot) }))
  }
  assert.equal(missed(), 3)
  assert.deepEqual(running.controller.scheduler.track('uid-beat')?.recent, [])
  await running.until('12:01:40')
  assert.equal(running.objects.objects.get('beat')?.status.missedCount, 3)
})

test('the same before it is told of them, since an older create has no answer yet', () => {
  const [first, newest] = [at('12:00:10'), at('12:00:40')]
  const recent = { slot: '2026-01-01T12:00:40Z', outcome: 'Missed', reason: 'Downtime' } as const
  const begun = { settled: null, missed: 0, skipped: 0, recent: [], lines: [], passed: [] }
  const untold = close(open(begun, first), newest, { missed: 3, skipped: 0, recent })
  const counted = pass(untold, { after: first, until: newest, launched: [] })
  const told = (...slots: readonly string[]) => arrive(slots.map(at).reduce(arrive, counted), first)
  assert.deepEqual([told().missed, told().recent], [3, [recent]])
  assert.deepEqual([told('12:00:20', '12:00:20').missed, told('12:00:20').recent], [2, [recent]])
  assert.deepEqual([told('12:00:40', '12:00:20', '12:00:40').missed, told('12:00:40').recent], [1, []])
})

test('a Job from before, or from after, what was missed in one makes no difference', async () => {
  const { story, missed } = await takenOver()
  await using running = story
  for (const slot of ['12:00:20', '12:01:20']) running.controller.jobs.put(aJob({ slot: at(slot) }))
  assert.equal(missed(), 6)
})
