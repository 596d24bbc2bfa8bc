import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecondCronJob, Spec, Status } from '../../../src/api/secondcronjob.ts'
import { accepted, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at, seconds } from '../../support/times.ts'

/** What the first look at a resource makes of the status that somebody else has left, or of none. */

const seenOnce: Status = {
  ...accepted(1),
  observedGeneration: 1,
  observedSchedule: 'every 10s',
  scheduleSince: '2026-01-01T12:00:00Z',
}
const served: Status = {
  ...seenOnce,
  handledUntil: '2026-01-01T12:00:20Z',
  lastScheduleTime: '2026-01-01T12:00:20Z',
}

async function begun(time: string, change: Partial<Omit<SecondCronJob, 'spec'>>, spec: Partial<Spec> = {}) {
  const story = await new OperatorStory(time).start(aSecondCronJob(change, spec))
  const status = () => story.objects.objects.get('beat')?.status ?? {}
  const told = (reason: string) => story.events.events.filter((event) => event.includes(reason)).length
  return { story, status, told }
}

test('seen by a leader that has decided nothing: what passed before the first decision does not count', async () => {
  const { story, status } = await begun('12:01:05', { status: seenOnce })
  await using _ = story
  await story.until('12:01:16')
  assert.deepEqual([status().missedCount, status().recent], [0, undefined])
  assert.deepEqual(
    story.tally.counted.filter((line) => line.startsWith('missed')),
    [],
  )
})

test('edited once before anybody looked: its first slot is run, as that of any other new resource', async () => {
  const { story, status } = await begun('12:00:01.500', { generation: 2, finalizers: [], status: {} })
  await using _ = story
  assert.deepEqual(story.created(), [`00:01.500 beat-${seconds('12:00:00')}`])
  assert.equal(status().scheduleSince, '2026-01-01T12:00:00Z')
})

test('suspended and resumed before anybody looked: nothing of that time is run, only what comes', async () => {
  const { story } = await begun('12:00:31.500', { generation: 3, finalizers: [], status: {} })
  await using _ = story
  assert.deepEqual(story.created(), [])
  await story.until('12:00:41')
  assert.deepEqual(story.created(), [`00:40.000 beat-${seconds('12:00:40')}`])
})

test('edited twice since somebody looked: taken for a change, as before', async () => {
  const { story } = await begun('12:00:31.500', { generation: 3, status: served })
  await using _ = story
  assert.deepEqual(story.created(), [])
})

test('nobody led: recent and the metric tell why, of the newest slot that passed', async () => {
  const { story, status } = await begun('12:01:05', { status: served })
  await using _ = story
  await story.until('12:01:06')
  assert.deepEqual(status().recent, [{ slot: '2026-01-01T12:00:50Z', outcome: 'Missed', reason: 'Downtime' }])
  assert.ok(story.tally.counted.includes('missed 3 Downtime'))
})

test('slots that passed while the resource was not accepted are told as that', async () => {
  const refused = served.conditions?.map((each) => ({ ...each, status: 'False' as const, reason: 'InvalidTemplate' }))
  const { story, status } = await begun('12:00:25', { status: { ...served, conditions: refused } })
  await using _ = story
  await story.until('12:00:55')
  story.apply(aSecondCronJob({ generation: 2, status: status() }))
  await story.until('12:00:56')
  assert.ok(story.tally.counted.includes('missed 2 NotAccepted'), story.tally.counted.join())
  assert.deepEqual(status().recent?.[0]?.reason, 'NotAccepted')
})

test('an edit of the schedule that the leader before has seen and not served: its first Job is told, once', async () => {
  const edited = { ...served, scheduleSince: '2026-01-01T12:00:25Z' }
  const first = await begun('12:00:29', { status: edited })
  await using _ = first.story
  await first.story.until('12:00:36')
  assert.equal(first.told('SuccessfulCreate'), 1)
  const second = await begun('12:00:38', { status: first.status() })
  await using __ = second.story
  await second.story.until('12:00:46')
  assert.equal(second.told('SuccessfulCreate'), 0)
})

test('a clock behind what was handled: the next run is one that is still to come', async () => {
  const { story, status } = await begun('12:00:03', { status: { ...served, handledUntil: '2026-01-01T12:00:40Z' } })
  await using _ = story
  await story.until('12:00:05')
  assert.equal(status().nextScheduleTime, '2026-01-01T12:00:50Z')
})

test('created at the other end of a leader: nothing of a fresh resource is lost or counted', async () => {
  const { story, status } = await begun(
    '12:00:04.500',
    { generation: 2, createdAt: at('12:00:04'), finalizers: [], status: {} },
    everySeconds(1),
  )
  await using _ = story
  await story.until('12:00:10.500')
  assert.equal(story.created().length, 7)
  assert.equal(status().missedCount, 0)
})
