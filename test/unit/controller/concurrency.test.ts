import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aJob, aSecondCronJob, anApiError, everySeconds, nextVersion } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at } from '../../support/times.ts'

const forbid = { ...everySeconds(10), concurrencyPolicy: 'Forbid' } as const
const replace = { ...everySeconds(10), concurrencyPolicy: 'Replace' } as const
const name = (time: string) => `beat-${at(time) / 1_000}`

function counters(story: OperatorStory): string {
  const track = story.controller.scheduler.track('uid-beat')
  return `${track?.skipped ?? 0} skipped, ${track?.missed ?? 0} missed`
}

test('Forbid: a run that is due while a Job has not finished is skipped, counted, told once, and not run later', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, forbid))
  await story.until('12:00:32')
  assert.deepEqual(story.created(), [`00:00.000 ${name('12:00:00')}`])
  story.finish(name('12:00:00'))
  await story.until('12:00:39.999')
  assert.deepEqual(story.created(), [])
  await story.until('12:00:50')
  assert.deepEqual(story.created(), [`00:40.000 ${name('12:00:40')}`])
  assert.equal(counters(story), '4 skipped, 0 missed')
  assert.deepEqual(story.controller.scheduler.track('uid-beat')?.recent[0], {
    slot: '2026-01-01T12:00:50Z',
    outcome: 'Skipped',
    reason: 'JobAlreadyActive',
  })
  const told = story.events.events.filter((event) => event.includes('JobAlreadyActive'))
  assert.equal(told.length, 2, 'once for each time that it began')
  assert.equal(story.tally.counted.filter((line) => line === 'skipped JobAlreadyActive').length, 4)
})

test('Forbid: the watch has not shown our Job yet; the answer to the create has', async () => {
  await using story = await new OperatorStory().start(
    aSecondCronJob({}, { ...everySeconds(1), concurrencyPolicy: 'Forbid' }),
  )
  await story.until('12:00:05')
  assert.equal(story.created().length, 1)
})

test('Forbid: a create without an answer is looked up before the next run is decided; its Job is there: skipped', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, forbid))
  story.finish(name('12:00:00'))
  const lost = Promise.withResolvers<void>()
  story.jobs.onCreate = (manifest) => {
    story.jobs.onCreate = () => undefined
    story.jobs.arrives(manifest)
    return lost.promise
  }
  await story.until('12:00:20')
  assert.equal(story.created().at(-1), `00:10.000 ${name('12:00:10')}`)
  assert.equal(counters(story), '0 skipped, 0 missed', 'the run at :20 waits for what became of the one at :10')
  await story.until('12:00:21')
  lost.reject(anApiError({ kind: 'Unanswered' }))
  await story.until('12:00:22')
  assert.deepEqual(story.created(), [])
  assert.equal(counters(story), '1 skipped, 0 missed')
})

test('Forbid: the API server is away while a create is on its way; back again, the newest run is launched, once', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, forbid))
  story.finish(name('12:00:00'))
  story.jobs.onCreate = () => anApiError({ kind: 'Unanswered' })
  story.jobs.onGet = () => anApiError({ kind: 'Unanswered' })
  await story.until('12:00:44')
  assert.equal(story.created().length, 2, 'one create, then only look-ups')
  story.jobs.onCreate = () => undefined
  story.jobs.onGet = () => undefined
  await story.until('12:00:49.999')
  assert.deepEqual(
    story.created().map((call) => call.slice(10)),
    [name('12:00:40')],
  )
  assert.equal(counters(story), '0 skipped, 3 missed')
})

test('Replace: the Jobs that have not finished are deleted first, then the run is launched', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, replace))
  await story.until('12:00:10')
  const calls = story.jobs.calls().filter((call) => !call.includes('try'))
  assert.deepEqual(calls, [
    `00:00.000 create ${name('12:00:00')}`,
    `00:10.000 delete ${name('12:00:00')}`,
    `00:10.000 create ${name('12:00:10')}`,
  ])
})

test('Replace: a Job that comes to its end while it is being deleted is history, and stays', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, replace))
  story.jobs.onDelete = () => {
    story.jobs.onDelete = () => undefined
    const job = story.jobs.jobs.get(name('12:00:00'))
    assert.ok(job)
    const finished = { result: 'Complete', at: at('12:00:10') } as const
    story.jobs.jobs.set(job.name, { ...job, resourceVersion: nextVersion(), finished })
    return anApiError({ kind: 'Conflict', code: 409 })
  }
  await story.until('12:00:12')
  assert.deepEqual([...story.jobs.jobs.keys()], [name('12:00:00'), name('12:00:10')])
})

test('Replace: what can not be deleted is not replaced; the reason is shown, and it is tried again', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, replace))
  story.jobs.onDelete = () => anApiError({ kind: 'Forbidden', code: 403, message: 'no right to delete' })
  await story.until('12:00:13')
  assert.equal(story.created().length, 1)
  assert.equal(story.controller.scheduler.track('uid-beat')?.failing?.message, 'no right to delete')
  story.jobs.onDelete = () => undefined
  await story.until('12:00:19')
  assert.deepEqual(
    story.created().map((call) => call.slice(10)),
    [name('12:00:10')],
  )
})

test('Allow: at activeJobsLimit Jobs that have not finished a run is skipped', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, { ...everySeconds(1), activeJobsLimit: 3 }))
  await story.until('12:00:05')
  assert.equal(story.created().length, 3)
  assert.equal(counters(story), '3 skipped, 0 missed')
  story.finish(name('12:00:00'))
  await story.until('12:00:06')
  assert.equal(story.created().length, 1)
  assert.ok(story.events.events.some((event) => event.startsWith('beat Warning TooManyActiveJobs')))
})

test('a create that may not run beside another one is to be given up by the server before anybody else can lead', async () => {
  for (const [policy, timeoutMs] of [
    ['Allow', 10_000],
    ['Forbid', 5_500],
    ['Replace', 5_500],
  ] as const) {
    const story = new OperatorStory()
    const timeouts: number[] = []
    story.jobs.onCreate = (_manifest, options) => {
      if (options.dryRun !== true) timeouts.push(options.timeoutMs)
      return undefined
    }
    await using running = await story.start(aSecondCronJob({}, { concurrencyPolicy: policy }))
    assert.equal(running.created().length, 1)
    assert.deepEqual(timeouts, [timeoutMs], policy)
  }
})

test('Forbid: a run that was skipped by a leader which was killed before it could note that is not run by the next one', async () => {
  const story = new OperatorStory('12:00:16')
  const status = {
    ...aSecondCronJob().status,
    handledUntil: '2026-01-01T12:00:00Z',
    scheduleSince: '2026-01-01T12:00:00Z',
  }
  const finished = { result: 'Complete', at: at('12:00:13') } as const
  story.controller.jobs.put(aJob({ slot: at('12:00:00'), finished }))
  await using running = await story.start(aSecondCronJob({ status }, forbid))
  await running.until('12:00:19')
  assert.deepEqual(running.created(), [])
  assert.equal(counters(running), '1 skipped, 0 missed')
  await running.until('12:00:20')
  assert.deepEqual(
    running.created().map((call) => call.slice(10)),
    [name('12:00:20')],
  )
})
