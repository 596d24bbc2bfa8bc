import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecondCronJob } from '../../../src/api/secondcronjob.ts'
import { aSecondCronJob, anApiError, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { seconds } from '../../support/times.ts'

type Mode = 'well' | 'quota' | 'bad template'

/** Hourly; at 13:00 a quota refuses the run, and from 13:00:02 on the template is bad. */
async function inTrouble(): Promise<{ story: OperatorStory; edit: (generation: number, mode: Mode) => void }> {
  let mode: Mode = 'well'
  const beginning = new OperatorStory()
  beginning.jobs.onCreate = (_manifest, { dryRun }) => {
    if (mode === 'bad template') return anApiError({ kind: 'Invalid', code: 422, message: 'spec.template: bad' })
    const isRefused = mode === 'quota' && dryRun !== true
    return isRefused ? anApiError({ kind: 'Forbidden', code: 403, message: 'exceeded quota: q' }) : undefined
  }
  const story = await beginning.start(aSecondCronJob({}, everySeconds(3_600)))
  await story.until('12:30:00')
  story.created()
  const edit = (generation: number, next: Mode) => {
    mode = next
    story.apply({ ...(story.objects.objects.get('beat') as SecondCronJob), generation })
  }
  edit(1, 'quota')
  await story.until('13:00:02')
  edit(2, 'bad template')
  await story.until('13:00:20')
  return { story, edit }
}

test('a run that waits for another attempt while its template is bad starts at once when it is mended', async () => {
  const { story, edit } = await inTrouble()
  await using running = story
  running.created()
  edit(3, 'well')
  await running.until('13:00:25')
  assert.deepEqual(
    running.created().map((call) => call.slice(10)),
    [`beat-${seconds('13:00:00')}`],
  )
  assert.equal(running.objects.objects.get('beat')?.status.missedCount, 0)
})

test('it is counted when the next one is due before that', async () => {
  const { story, edit } = await inTrouble()
  await using running = story
  await running.until('14:00:10')
  running.created()
  edit(3, 'well')
  await running.until('14:00:15')
  assert.deepEqual(
    running.created().map((call) => call.slice(10)),
    [`beat-${seconds('14:00:00')}`],
  )
  assert.equal(running.objects.objects.get('beat')?.status.missedCount, 1)
})
