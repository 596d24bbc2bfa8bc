import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aborted } from '../../../src/clock.ts'
import { manualJobName } from '../../../src/api/job.ts'
import type { SecondCronJob } from '../../../src/api/secondcronjob.ts'
import { accepted, aJob, anApiError } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { asking, first, manualCreates, second, stored } from '../../support/run-now.ts'

const firstAgain = manualJobName('beat', { token: 'first', before: 2 })

test('run-now: a token that comes back after another one is a new one, though its old Job is still there', async () => {
  await using story = await new OperatorStory().start(asking('first'))
  for (const [minute, token] of [
    ['01', 'second'],
    ['02', 'first'],
  ] as const) {
    await story.until(`12:${minute}:00`)
    story.apply({ ...(story.objects.objects.get('beat') ?? asking(null)), runNow: token })
  }
  await story.until('12:03:00')
  assert.deepEqual(manualCreates(story), [`00:00.000 ${first}`, `01:00.000 ${second}`, `02:00.000 ${firstAgain}`])
  assert.equal(story.objects.objects.get('beat')?.status.manualRunCount, 3)
})

test('run-now after a crash between create and status, of a token that came back: found by its name, not by its old Job', async () => {
  const story = new OperatorStory()
  for (const name of [first, second, firstAgain]) story.jobs.jobs.set(name, aJob({ name, uid: name, slot: null }))
  const status = { ...accepted(1), lastManualRun: 'second', manualRunCount: 2 }
  await using running = await story.start(asking('first', { status }))
  await running.until('12:00:10')
  assert.equal([...running.jobs.jobs.keys()].filter((name) => name.includes('-m')).length, 3)
  assert.deepEqual([stored(running), running.objects.objects.get('beat')?.status.manualRunCount], ['first', 3])
})

test('run-now: the next token waits until the last one is stored; a leader that comes in between runs neither twice', async () => {
  const story = new OperatorStory()
  story.objects.onWrite = () => anApiError({ kind: 'ServerError', code: 500 })
  await using running = await story.start(asking('first'))
  await running.until('12:00:05')
  running.apply(asking('second'))
  await running.until('12:00:10')
  assert.deepEqual(manualCreates(running), [`00:00.000 ${first}`])
  running.objects.onWrite = () => undefined
  await running.until('12:01:00')
  assert.deepEqual(
    manualCreates(running).map((call) => call.slice(10)),
    [second],
  )
  assert.equal(stored(running), 'second')
})

test('run-now: a token that is written while the create of another one is on its way is served after it', async () => {
  const story = new OperatorStory()
  const { promise, resolve } = Promise.withResolvers<void>()
  story.jobs.onCreate = ({ metadata }, { signal }) =>
    metadata.name === first && signal !== undefined ? Promise.race([promise, aborted(signal)]) : undefined
  await using running = await story.start(asking('first'))
  await running.until('12:00:00.300')
  running.apply(asking('second'))
  await running.until('12:00:00.400')
  resolve()
  await running.until('12:00:00.500')
  assert.deepEqual(manualCreates(running), [`00:00.000 ${first}`, `00:00.400 ${second}`])
  assert.equal(stored(running), 'second')
})

test('run-now: a token that is overwritten while it waits out a refusal is dropped, and the newer one goes at once', async () => {
  const story = new OperatorStory()
  story.jobs.onCreate = ({ metadata }) =>
    metadata.name === first ? anApiError({ kind: 'Forbidden', code: 403, message: 'exceeded quota: q' }) : undefined
  await using running = await story.start(asking('first'))
  await running.until('12:00:08')
  manualCreates(running)
  running.apply(asking('newer'))
  await running.until('12:00:08.100')
  assert.deepEqual(manualCreates(running), [`00:08.000 ${manualJobName('beat', { token: 'newer', before: 0 })}`])
})

test('run-now: a create is not written any more when another token has been written', async () => {
  const story = new OperatorStory()
  const answers: (boolean | undefined)[] = []
  story.jobs.onCreate = ({ metadata }, { isWanted }) => {
    if (metadata.name !== first) return undefined
    answers.push(isWanted?.())
    story.apply(asking('newer'))
    answers.push(isWanted?.())
    return anApiError({ kind: 'NotSent' })
  }
  await using running = await story.start(asking('first'))
  await running.until('12:00:01')
  assert.deepEqual(answers.slice(0, 2), [true, false])
})

function hanging(name: string, namespace: string): SecondCronJob {
  return asking('now', { name, namespace, uid: `uid-${name}` }, { suspend: true })
}

test('run-now: twenty that hang hold up no other, be it in their namespace or not', async () => {
  const story = new OperatorStory()
  story.jobs.onCreate = ({ metadata }, { timeoutMs, dryRun }) =>
    metadata.name.startsWith('bad') && dryRun !== true
      ? story.clock.sleep(timeoutMs).then(() => {
          throw anApiError({ kind: 'Unanswered' })
        })
      : undefined
  const bad = Array.from({ length: 20 }, (_, n) => hanging(`bad-${n}`, 'trouble'))
  await using running = await story.start(...bad, hanging('good', 'calm'), hanging('neighbour', 'trouble'))
  await running.until('12:00:30')
  const calls = running.created()
  const when = (name: string) => calls.find((call) => call.includes(` ${name}-m`))?.slice(0, 9)
  assert.equal(when('good'), '00:00.000')
  assert.ok((when('neighbour') ?? '') < '00:02.000', when('neighbour'))
})

test('run-now waits while the template is not accepted, and comes at once when it is mended', async () => {
  const story = new OperatorStory()
  let isBroken = true
  const broken = anApiError({ kind: 'Invalid', code: 422, message: 'spec.template: Required value' })
  story.jobs.onCreate = () => (isBroken ? broken : undefined)
  await using running = await story.start(asking('first', { status: {} }))
  await running.until('12:05:00')
  assert.deepEqual(manualCreates(running), [])
  isBroken = false
  running.apply({ ...(running.objects.objects.get('beat') ?? asking(null)), generation: 2 })
  await running.until('12:05:00.100')
  assert.deepEqual(manualCreates(running), [`05:00.000 ${first}`])
})

test('run-now: its back-off ends with an edit of the resource', async () => {
  const story = new OperatorStory()
  let isDenied = true
  story.jobs.onCreate = (_manifest, { dryRun }) =>
    isDenied && dryRun !== true
      ? anApiError({ kind: 'Forbidden', code: 403, message: 'admission webhook "w" denied the request' })
      : undefined
  await using running = await story.start(asking('first'))
  await running.until('12:05:10')
  assert.ok(manualCreates(running).length > 5)
  isDenied = false
  running.apply({ ...(running.objects.objects.get('beat') ?? asking(null)), generation: 2 })
  await running.until('12:05:10.100')
  assert.deepEqual(manualCreates(running), [`05:10.000 ${first}`])
})

/** It was committed after the Jobs had been listed and the finalizer taken off. */
test('run-now: a deletion waits for the create that is on its way, and deletes its Job', async () => {
  const story = new OperatorStory()
  const { promise, resolve } = Promise.withResolvers<void>()
  story.jobs.onCreate = ({ metadata }, { signal }) =>
    metadata.name === first && signal !== undefined ? Promise.race([promise, aborted(signal)]) : undefined
  await using running = await story.start(asking('first', {}, { suspend: true }))
  await running.until('12:00:01')
  running.apply({ ...(running.objects.objects.get('beat') ?? asking(null)), deletingSince: running.clock.now() })
  await running.until('12:00:02')
  assert.ok(!running.objects.log.includes('remove finalizer beat'))
  resolve()
  await running.until('12:00:03')
  assert.ok(running.objects.log.includes('remove finalizer beat'))
  assert.deepEqual([...running.jobs.jobs.keys()], [])
})
