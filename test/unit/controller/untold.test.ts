import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, aJob, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at, seconds } from '../../support/times.ts'

/** Whoever leads crashes again and again, between a create and the status that tells of it. */

const status = {
  ...accepted(1),
  handledUntil: '2026-01-01T12:00:20Z',
  scheduleSince: '2026-01-01T12:00:00Z',
  observedSchedule: 'every 10s',
  observedGeneration: 1,
  missedCount: 1,
}

async function missedAfter(jobs: readonly string[], object = aSecondCronJob({ status })): Promise<unknown> {
  const story = new OperatorStory('12:01:25')
  for (const slot of jobs) story.controller.jobs.put(aJob({ slot: at(slot) }))
  await using running = await story.start(object)
  await running.until('12:01:30')
  assert.deepEqual(running.created(), [`01:30.000 beat-${seconds('12:01:30')}`])
  return running.objects.objects.get('beat')?.status.missedCount
}

test('what was missed before the newest Job is counted, though the one that launched it died before it could tell', async () => {
  // 30, 40, 50 and 70 seconds past the minute: between the status and the newest Job, and without one.
  assert.equal(await missedAfter(['12:01:00', '12:01:20']), 5)
})

test('Jobs that are all there leave nothing to count', async () => {
  const jobs = ['12:00:20', '12:00:30', '12:00:40', '12:00:50', '12:01:00', '12:01:10', '12:01:20']
  assert.equal(await missedAfter(jobs), 1)
})

test('no status at all: what passed since the first Job is counted, and nothing before it', async () => {
  assert.equal(await missedAfter(['12:00:30', '12:01:20'], aSecondCronJob()), 4)
})

test('the schedule was edited meanwhile: what passed is no affair of the new one', async () => {
  const story = new OperatorStory('12:01:25')
  for (const slot of ['12:01:00', '12:01:20']) story.controller.jobs.put(aJob({ slot: at(slot) }))
  await using running = await story.start(aSecondCronJob({ status, generation: 2 }, everySeconds(20)))
  await running.until('12:01:40')
  assert.equal(running.objects.objects.get('beat')?.status.missedCount, 1)
})

/** Suspended by the second generation, when nobody led. */
async function missedWhenSuspended(
  change: Parameters<typeof aSecondCronJob>[0],
  spec: Parameters<typeof aSecondCronJob>[1] = {},
): Promise<unknown> {
  const story = new OperatorStory('12:01:25')
  for (const slot of ['12:01:00', '12:01:20']) story.controller.jobs.put(aJob({ slot: at(slot) }))
  await using running = await story.start(aSecondCronJob({ status, ...change }, { suspend: true, ...spec }))
  await running.until('12:01:40')
  assert.deepEqual(running.created(), [])
  return running.objects.objects.get('beat')?.status.missedCount
}

test('it was only suspended meanwhile: the slots before its newest Job were due, and are counted', async () => {
  assert.equal(await missedWhenSuspended({ generation: 2 }), 5)
})

test('it was suspended and edited meanwhile: which slots were due is not known', async () => {
  assert.equal(await missedWhenSuspended({ generation: 2 }, everySeconds(20)), 1)
  assert.equal(await missedWhenSuspended({ generation: 3 }), 1)
})
