import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finalizer } from '../../../src/api/names.ts'
import { accepted, anApiError, aJob, aSecondCronJob, everySeconds, nextVersion, held } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at } from '../../support/times.ts'

const deleting = { deletingSince: at('12:00:05') }

/** The writes to the object since the last time this was asked. */
const writes = (story: OperatorStory) => story.objects.log.splice(0)

test('deletion: launches stop, the Jobs go, then the finalizer', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(1)))
  await story.until('12:00:04.500')
  writes(story)
  story.jobs.calls()
  story.apply(aSecondCronJob(deleting, everySeconds(1)))
  await story.until('12:00:08')
  const calls = story.jobs.calls().map((call) => call.slice(10))
  assert.deepEqual(calls, ['list', ...[0, 1, 2, 3, 4].map((n) => `delete beat-${at('12:00:00') / 1_000 + n}`)])
  assert.deepEqual(writes(story), ['remove finalizer beat'])
})

test('deletion waits for a create on its way, so that its Job is seen', async () => {
  const answer = Promise.withResolvers<void>()
  await using story = await new OperatorStory('12:00:00.500').start(aSecondCronJob({ finalizers: [] }))
  story.jobs.onCreate = () => answer.promise
  await story.until('12:00:10')
  story.apply(aSecondCronJob(deleting))
  await story.until('12:00:11.500')
  assert.ok(!writes(story).includes('remove finalizer beat'))
  answer.resolve()
  await story.until('12:00:13')
  assert.deepEqual([...story.jobs.jobs.keys()], [])
  assert.ok(writes(story).includes('remove finalizer beat'))
})

test('deletion ends within five seconds even when nothing works: the garbage collector has the rest', async () => {
  const story = new OperatorStory()
  story.jobs.onDelete = () => anApiError({ kind: 'Forbidden' })
  await using running = await story.start(aSecondCronJob())
  await running.until('12:00:02')
  running.apply(aSecondCronJob(deleting))
  await running.until('12:00:06')
  assert.ok(writes(running).includes('remove finalizer beat'))
})

test('deletion with more Jobs than can be deleted in time: the garbage collector has the rest', async () => {
  const story = new OperatorStory()
  await using running = await story.start(aSecondCronJob())
  for (let n = 0; n < 100; n += 1) running.jobs.jobs.set(`j${n}`, aJob({ uid: `j${n}`, name: `j${n}` }))
  running.jobs.onDelete = () => running.clock.sleep(1_000)
  await running.until('12:00:02')
  running.apply(aSecondCronJob(deleting))
  await running.until('12:00:07')
  assert.ok(writes(running).includes('remove finalizer beat'))
})

for (const collector of ['orphan', 'foregroundDeletion'])
  test(`deletion with ${collector}: the Jobs are the garbage collector’s until it is done`, async () => {
    await using story = await new OperatorStory().start(aSecondCronJob())
    await story.until('12:00:02')
    story.jobs.calls()
    story.apply(aSecondCronJob({ ...deleting, finalizers: [finalizer, collector] }))
    await story.until('12:00:20')
    assert.deepEqual([story.jobs.calls(), writes(story).includes('remove finalizer beat')], [[], false])
    // Released: they are no longer ours to delete.
    for (const [name, job] of story.jobs.jobs) story.jobs.jobs.set(name, { ...job, ownerUid: null })
    story.apply(aSecondCronJob(deleting))
    await story.until('12:00:22')
    assert.deepEqual(
      story.jobs.calls().map((call) => call.slice(10)),
      ['list'],
    )
    assert.ok(writes(story).includes('remove finalizer beat'))
  })

test('the status is written at most every five seconds, and at once when a condition changes', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(1)))
  await story.until('12:00:00.500')
  writes(story)
  await story.until('12:00:20.500')
  assert.deepEqual(writes(story).length, 4)
  await story.until('12:00:20.900')
  story.jobs.onCreate = () => anApiError({ kind: 'Forbidden', message: 'exceeded quota' })
  await story.until('12:00:21')
  assert.deepEqual(writes(story), ['status beat'])
})

test('a template with a TTL: the slot is stored right after each create, or its lock could go first', async () => {
  const ttl = held({ ttlSecondsAfterFinished: 60, template: {} })
  await using story = await new OperatorStory().start(aSecondCronJob({}, { ...everySeconds(1), jobTemplate: ttl }))
  for (const second of [3, 4, 5, 6]) {
    await story.until(`12:00:0${second}.500`)
    assert.equal(story.objects.objects.get('beat')?.status.handledUntil, `2026-01-01T12:00:0${second}Z`)
  }
})

test('history: a Job goes when its slot is stored, and not before', async () => {
  const beginning = new OperatorStory()
  beginning.objects.onWrite = () => anApiError({ kind: 'ServerError' })
  await using story = await beginning.start(aSecondCronJob({}, { successfulJobsHistoryLimit: 0 }))
  await story.until('12:00:10.100')
  const finished = { result: 'Complete', at: at('12:00:11') } as const
  for (const job of story.jobs.jobs.values())
    story.controller.jobs.put({ ...job, resourceVersion: nextVersion(), finished })
  const deleted = () => story.jobs.calls().flatMap((call) => (call.includes('delete') ? call.slice(10) : []))
  await story.until('12:00:29')
  assert.deepEqual(deleted(), [])
  story.objects.onWrite = () => undefined
  await story.until('12:01:05')
  assert.deepEqual(deleted(), [`delete beat-${at('12:00:00') / 1_000}`, `delete beat-${at('12:00:10') / 1_000}`])
})

test('a guard fails because somebody else has written: the object is read again, and the work is done on that', async () => {
  const story = new OperatorStory()
  const errors = [anApiError({ kind: 'Invalid', code: 422 })]
  story.objects.onWrite = () => errors.pop()
  await using running = await story.start(aSecondCronJob({ status: accepted(1) }))
  await running.until('12:00:03')
  assert.deepEqual(writes(running), ['status beat', 'status beat'])
})

test('a status that was refused is not as far apart from the next one as two that were written', async () => {
  const story = new OperatorStory()
  await using running = await story.start(aSecondCronJob({}, everySeconds(1)))
  await running.until('12:00:05.500')
  writes(running)
  const errors = [anApiError({ kind: 'Conflict', code: 409 }), anApiError({ kind: 'Conflict', code: 409 })]
  story.objects.onWrite = () => errors.pop()
  await running.until('12:00:12')
  assert.deepEqual(writes(running).length, 3)
  assert.ok(String(running.objects.objects.get('beat')?.status.handledUntil) >= '2026-01-01T12:00:10Z')
})

test('what fails again and again is tried ever more seldom, however often the Jobs change', async () => {
  const story = new OperatorStory()
  story.objects.onWrite = () => anApiError({ kind: 'Forbidden', code: 403 })
  await using running = await story.start(aSecondCronJob({ finalizers: [] }))
  for (let second = 1; second <= 60; second += 1) {
    await running.clock.advance(1_000)
    running.controller.jobs.put(aJob({ uid: 'other', resourceVersion: nextVersion() }))
  }
  assert.ok(writes(running).length <= 9)
})

test('a patch that is answered with "not found": the object is buried, and nothing more is sent for it', async () => {
  const story = new OperatorStory()
  await using running = await story.start(aSecondCronJob({ status: {} }))
  await running.until('12:00:05')
  running.objects.objects.clear()
  running.objects.onWrite = () => anApiError({ kind: 'NotFound', code: 404 })
  await running.until('12:00:30')
  running.created()
  await running.until('12:01:00')
  assert.deepEqual(running.created(), [])
})
