import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status } from '../../../src/api/secondcronjob.ts'
import { aborted } from '../../../src/clock.ts'
import type { CreateOptions } from '../../../src/controller/ports.ts'
import { anApiError, aJob, aSecondCronJob, everySeconds, held } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at, seconds } from '../../support/times.ts'

/** Nobody answers the create of a slot; a leader ends, and the next one reads what is stored. */

const statusOf = (story: OperatorStory): Status => story.objects.objects.get('beat')?.status ?? {}

const counts = ({ handledUntil, missedCount, skippedCount }: Status) => [
  handledUntil?.slice(11, 19),
  missedCount,
  skippedCount,
]

/** No answer, until the leader ends. */
async function hangs({ signal }: CreateOptions): Promise<never> {
  if (signal !== undefined) await aborted(signal)
  throw anApiError({ kind: 'Unanswered' })
}

/** A leader for which the creates of this slot have no answer. */
async function unanswered(time: string, spec = everySeconds(10)): Promise<OperatorStory> {
  const story = new OperatorStory()
  story.jobs.onCreate = ({ metadata }, options) =>
    metadata.name === `beat-${seconds(time)}` ? hangs(options) : undefined
  return story.start(aSecondCronJob({}, spec))
}

/** Whoever leads next, from what the one before has stored and created. */
async function next(before: OperatorStory, time: string): Promise<OperatorStory> {
  const story = new OperatorStory(time)
  for (const job of before.jobs.jobs.values()) {
    story.jobs.jobs.set(job.name, job)
    story.controller.jobs.put(job)
  }
  return story.start(...before.objects.objects.values())
}

test('a newer slot is launched while the create of an older one has no answer: who leads next counts that as missed', async () => {
  await using story = await unanswered('12:00:10')
  await story.until('12:00:26')
  assert.deepEqual(counts(statusOf(story)), ['12:00:00', 0, 0])
  assert.equal(statusOf(story).lastScheduleTime, '2026-01-01T12:00:20Z')
  await using after = await next(story, '12:00:28')
  await after.until('12:00:36')
  assert.deepEqual(after.created(), [`00:30.000 beat-${seconds('12:00:30')}`])
  assert.deepEqual(counts(statusOf(after)), ['12:00:30', 1, 0])
  assert.deepEqual(statusOf(after).recent, [{ slot: '2026-01-01T12:00:10Z', outcome: 'Missed', reason: 'Unknown' }])
})

test('the create arrives after all, when the next one leads: it is no longer counted', async () => {
  await using story = await unanswered('12:00:10')
  await story.until('12:00:26')
  await using after = await next(story, '12:00:28')
  await after.until('12:00:36')
  after.controller.jobs.put(aJob({ slot: at('12:00:10') }))
  await after.until('12:00:46')
  assert.deepEqual(counts(statusOf(after)), ['12:00:40', 0, 0])
})

test('the third leader reads a Job that the second one has counted as missed and never saw', async () => {
  await using story = await unanswered('12:00:10')
  await story.until('12:00:26')
  await using second = await next(story, '12:00:28')
  await second.until('12:00:36')
  second.jobs.jobs.set('late', aJob({ slot: at('12:00:10') }))
  await using third = await next(second, '12:00:38')
  await third.until('12:00:46')
  assert.deepEqual(counts(statusOf(third)), ['12:00:40', 0, 0])
})

test('what is skipped behind a create without an answer is told with it, and the counts fit handledUntil all the time', async () => {
  await using story = await unanswered('12:00:10', { ...everySeconds(10), activeJobsLimit: 2 })
  await story.until('12:00:19')
  story.jobs.onGet = () => anApiError({ kind: 'Unanswered' })
  await story.until('12:00:36')
  assert.deepEqual(counts(statusOf(story)), ['12:00:00', 0, 0])
  story.controller.jobs.put(aJob({ slot: at('12:00:10') }))
  await story.until('12:00:46')
  assert.deepEqual(counts(statusOf(story)), ['12:00:40', 0, 3])
})

test('slots that passed are not counted twice when the run that makes up for them has no answer', async () => {
  const status = { ...aSecondCronJob().status, handledUntil: '2026-01-01T12:00:20Z', missedCount: 2 }
  const story = new OperatorStory('12:01:05')
  story.jobs.onCreate = (_manifest, options) => hangs(options)
  await using first = await story.start(aSecondCronJob({ status }))
  await first.until('12:01:09')
  assert.deepEqual(counts(statusOf(first)), ['12:00:50', 5, 0])
  await using after = await next(first, '12:01:09')
  await after.until('12:01:16')
  assert.deepEqual(counts(statusOf(after)), ['12:01:10', 5, 0])
})

test('with a TTL the lock of a newer slot is stored at once, whatever an older one waits for', async () => {
  const ttl = held({ ttlSecondsAfterFinished: 60, template: {} })
  await using story = await unanswered('12:00:01', { ...everySeconds(1), jobTemplate: ttl })
  await story.until('12:00:02.500')
  assert.equal(statusOf(story).lastScheduleTime, '2026-01-01T12:00:02Z')
})

test('recent has the newest slot first, though an older one was given up later', async () => {
  await using story = await unanswered('12:00:10', { ...everySeconds(10), activeJobsLimit: 2 })
  const create = Promise.withResolvers<void>()
  story.jobs.onCreate = ({ metadata }) =>
    metadata.name.endsWith(`${seconds('12:00:10')}`) ? create.promise : undefined
  await story.until('12:00:26')
  create.reject(anApiError({ kind: 'Forbidden', message: 'exceeded quota' }))
  await story.until('12:00:36')
  const told = statusOf(story).recent?.map(({ slot, outcome }) => `${slot.slice(17, 19)} ${outcome}`)
  assert.deepEqual(told, ['20 Skipped', '10 Refused'])
})
