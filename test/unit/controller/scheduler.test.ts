import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, anApiError, aJob, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at, seconds } from '../../support/times.ts'

test('one Job per slot, although neither status nor Jobs ever come back by the watch', async () => {
  await using story = await new OperatorStory('12:00:00.400').start(aSecondCronJob({}, everySeconds(2)))
  assert.deepEqual(story.created(), [`00:00.400 beat-${seconds('12:00:00')}`])
  await story.until('12:00:01.999')
  assert.deepEqual(story.created(), [])
  await story.until('12:00:06.500')
  assert.deepEqual(story.created(), [
    `00:02.000 beat-${seconds('12:00:02')}`,
    `00:04.000 beat-${seconds('12:00:04')}`,
    `00:06.000 beat-${seconds('12:00:06')}`,
  ])
})

test('restarted without any status: the names of the Jobs tell what was run', async () => {
  const story = new OperatorStory('12:00:25')
  const slot = at('12:00:20')
  story.controller.jobs.put(aJob({ slot }))
  await using running = await story.start(aSecondCronJob())
  await running.until('12:00:30')
  assert.deepEqual(running.created(), [`00:30.000 beat-${seconds('12:00:30')}`])
})

test('down for an hour: one catch-up, the rest is counted, and the user is told', async () => {
  const status = {
    ...accepted(1),
    handledUntil: '2026-01-01T12:00:20Z',
    lastScheduleTime: '2026-01-01T12:00:20Z',
    scheduleSince: '2026-01-01T12:00:00Z',
    observedSchedule: 'every 10s',
    observedGeneration: 1,
  }
  await using story = await new OperatorStory('13:00:25').start(aSecondCronJob({ status }))
  assert.deepEqual(story.created(), [`00:25.000 beat-${seconds('13:00:20')}`])
  assert.equal(story.objects.objects.get('beat')?.status.missedCount, 359)
  assert.deepEqual(story.events.events, [
    'beat Warning MissSchedule: 359 slots were missed and will not be run later; 359 since the creation',
  ])
})

test('edited to a shorter interval: no slot of the new grid before the edit was seen', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(60)))
  await story.until('12:00:37.300')
  story.created()
  story.apply(aSecondCronJob({ generation: 2, status: accepted(1) }, everySeconds(5)))
  await story.until('12:00:41')
  assert.deepEqual(story.created(), [`00:40.000 beat-${seconds('12:00:40')}`])
  assert.equal(story.objects.objects.get('beat')?.status.scheduleSince, '2026-01-01T12:00:38Z')
})

test('an edit of the image loses no slot, even while its trial hangs', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob())
  await story.until('12:00:09.900')
  story.created()
  story.jobs.onCreate = (_manifest, { dryRun }) => (dryRun === true ? new Promise(() => {}) : undefined)
  story.apply(aSecondCronJob({ generation: 2, status: accepted(1) }))
  await story.until('12:00:10')
  assert.deepEqual(story.created(), [`00:10.000 beat-${seconds('12:00:10')}`])
})

test('suspended and resumed while nobody looked: taken as a change of schedule', async () => {
  const status = {
    ...accepted(1),
    handledUntil: '2026-01-01T12:00:20Z',
    observedSchedule: 'every 10s',
    observedGeneration: 1,
  }
  await using story = await new OperatorStory('12:01:05').start(aSecondCronJob({ status, generation: 3 }))
  await story.until('12:01:10')
  assert.deepEqual(story.created(), [`01:10.000 beat-${seconds('12:01:10')}`])
})

test('suspend stops at once, resume does not back-run, both are told', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(1)))
  await story.until('12:00:02')
  story.apply(aSecondCronJob({ generation: 2 }, { ...everySeconds(1), suspend: true }))
  story.created()
  await story.until('12:00:30.500')
  assert.deepEqual(story.created(), [])
  story.apply(aSecondCronJob({ generation: 3 }, everySeconds(1)))
  await story.until('12:00:31')
  assert.deepEqual(story.created(), [`00:31.000 beat-${seconds('12:00:31')}`])
  assert.deepEqual(story.events.events.slice(1, 3), [
    'beat Normal Suspended: No Job is launched while suspended',
    'beat Normal Resumed: Runs every 1s again; no slot before 2026-01-01T12:00:31Z is run',
  ])
})

test('nothing is launched before the finalizer is on the object', async () => {
  const story = new OperatorStory('12:00:00.500')
  story.objects.onWrite = () => anApiError({ kind: 'ServerError', code: 500 })
  await using running = await story.start(aSecondCronJob({ finalizers: [] }))
  await running.until('12:00:05')
  assert.deepEqual(running.created(), [])
  story.objects.onWrite = () => undefined
  await running.until('12:00:10')
  assert.deepEqual(running.created()[0]?.slice(10), `beat-${seconds('12:00:00')}`)
})

test('a new object: tried, finalizer, launched, status; all at once', async () => {
  await using story = await new OperatorStory('12:00:00.500').start(aSecondCronJob({ finalizers: [], status: {} }))
  assert.deepEqual(story.jobs.calls(), [
    '00:00.500 try beat-0000000000',
    `00:00.500 create beat-${seconds('12:00:00')}`,
  ])
  assert.deepEqual(story.objects.log.slice(0, 2), ['add finalizer beat', 'status beat'])
  assert.deepEqual(
    story.objects.objects
      .get('beat')
      ?.status.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`),
    ['Accepted True Accepted', 'Ready True Scheduled', 'Failing False NoFailure'],
  )
})

test('a template that the server refuses: never launched, and the condition says why', async () => {
  const story = new OperatorStory()
  story.jobs.onCreate = () =>
    anApiError({ kind: 'Invalid', code: 422, message: 'spec.template.spec.containers: Required value' })
  await using running = await story.start(aSecondCronJob({ status: {} }))
  await running.until('12:01:00')
  assert.deepEqual(running.created(), [])
  const conditions = running.objects.objects.get('beat')?.status.conditions
  assert.equal(conditions?.[0]?.status, 'False')
  assert.match(conditions?.[0]?.message ?? '', /containers: Required value/)
  assert.deepEqual(running.events.events, [
    'beat Warning InvalidTemplate: spec.template.spec.containers: Required value',
  ])
})

test('the Pods are refused: only a warning of the create tells; told once, and gone with the first create without it', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob())
  story.jobs.warnings = ['would violate PodSecurity "restricted:latest": runAsNonRoot']
  await story.until('12:00:30')
  const told = () => story.events.events.filter((event) => event.includes('FailedCreate'))
  assert.deepEqual(told(), [
    'beat Warning FailedCreate: PodsRefused: would violate PodSecurity "restricted:latest": runAsNonRoot',
  ])
  story.jobs.warnings = ['unknown field "spec.a"']
  await story.until('12:00:40')
  assert.equal(story.controller.scheduler.track('uid-beat')?.failing, null)
})

test('an object that does not parse: shown as not accepted, launched never, the others go on', async () => {
  const bad = {
    ...aSecondCronJob({ name: 'bad', status: {} }),
    spec: { valid: false as const, reason: 'InvalidSpec' as const, problems: ['spec.intervalSeconds: 0 is too small'] },
  }
  await using story = await new OperatorStory().start(bad, aSecondCronJob())
  await story.until('12:00:10')
  assert.equal(story.created().length, 2)
  const stored = story.objects.objects.get('bad')?.status.conditions?.[0]
  assert.deepEqual([stored?.type, stored?.status, stored?.reason], ['Accepted', 'False', 'InvalidSpec'])
})

test('deleted and recreated under the same name: another uid, another grid, no slot of the old one', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(5)))
  await story.until('12:00:07')
  story.created()
  story.controller.objects.bury('uid-beat')
  story.apply(aSecondCronJob({ uid: 'uid-2', createdAt: at('12:00:07') }, everySeconds(5)))
  await story.until('12:00:12')
  assert.deepEqual(story.created(), [`00:07.000 beat-${seconds('12:00:07')}`, `00:12.000 beat-${seconds('12:00:12')}`])
})

test('the wall clock is set back ten seconds: nothing runs twice; then everything goes on', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(2)))
  await story.until('12:00:10')
  story.created()
  await story.clock.stepWall(-10_000)
  await story.until('12:00:12.500')
  assert.deepEqual(story.created(), [`00:12.000 beat-${seconds('12:00:12')}`])
})

test('a machine suspended for an hour: one run, not 3,600', async () => {
  await using story = await new OperatorStory().start(aSecondCronJob({}, everySeconds(1)))
  await story.until('12:00:02')
  story.created()
  await story.clock.stepWall(3_600_000)
  assert.deepEqual(story.created(), [`00:02.000 beat-${seconds('13:00:02')}`])
})
