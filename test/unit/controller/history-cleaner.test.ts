import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApiError, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { seconds } from '../../support/times.ts'

const spec = { ...everySeconds(10), successfulJobsHistoryLimit: 1 }

/** Runs for some minutes; each Job has ended two seconds after its slot. */
async function runUntil(story: OperatorStory, end: string): Promise<void> {
  for (
    let slot = Math.ceil(story.clock.now() / 10_000) * 10_000;
    slot < Date.parse(`2026-01-01T${end}Z`);
    slot += 10_000
  ) {
    await story.until(new Date(slot + 2_000).toISOString().slice(11, 19))
    story.finish(`beat-${slot / 1_000}`)
  }
}

test('no Job may be deleted: the status goes on all the same, and deletes are tried later each time', async () => {
  const beginning = new OperatorStory()
  beginning.jobs.onDelete = () =>
    anApiError({ kind: 'Forbidden', message: 'admission webhook "keep" denied the request' })
  await using story = await beginning.start(aSecondCronJob({}, spec))
  await runUntil(story, '12:03:00')
  const { status } = story.objects.objects.get('beat') ?? {}
  assert.equal(status?.handledUntil, '2026-01-01T12:02:50Z')
  assert.equal(status?.lastScheduleTime, '2026-01-01T12:02:50Z')
  const deletes = story.jobs.calls().filter((call) => call.includes('delete'))
  assert.ok(deletes.length > 0 && deletes.length < 100, `${deletes.length} deletes`)
})

test('one Job may not be deleted: the others beyond the limit go', async () => {
  const beginning = new OperatorStory()
  const kept = `beat-${seconds('12:00:00')}`
  beginning.jobs.onDelete = (job) => (job.name === kept ? anApiError({ kind: 'Forbidden' }) : undefined)
  await using story = await beginning.start(aSecondCronJob({}, spec))
  await runUntil(story, '12:03:00')
  assert.deepEqual(
    [...story.jobs.jobs.keys()].filter((name) => name <= `beat-${seconds('12:02:20')}`),
    [kept],
  )
})

/** After a minute of 429 the Jobs beyond the limits stayed for up to half a minute more: the pauses had doubled meanwhile. */
test('the API server had too much to do for a minute and a half: twelve seconds after that the history is at its limit', async () => {
  const beginning = new OperatorStory()
  let isBusy = false
  beginning.jobs.onDelete = () => (isBusy ? anApiError({ kind: 'Throttled', code: 429 }) : undefined)
  await using story = await beginning.start(aSecondCronJob({}, spec))
  await runUntil(story, '12:00:30')
  isBusy = true
  await runUntil(story, '12:02:00')
  await story.until('12:02:06')
  isBusy = false
  await runUntil(story, '12:02:20')
  await story.until('12:02:18')
  const finished = [...story.jobs.jobs.keys()].filter((name) => name < `beat-${seconds('12:02:00')}`)
  assert.deepEqual(finished, [])
})
