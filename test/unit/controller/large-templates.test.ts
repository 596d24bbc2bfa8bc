import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecondCronJob, Spec } from '../../../src/api/secondcronjob.ts'
import type { CreateOptions, JobManifest } from '../../../src/controller/ports.ts'
import { aSecondCronJob, anApiError, held } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'

const large = held({ template: { spec: { containers: [{ name: 'a', args: ['x'.repeat(100_000)] }] } } })

function aLargeOne(change: Partial<Omit<SecondCronJob, 'spec'>> = {}, spec: Partial<Spec> = {}): SecondCronJob {
  return aSecondCronJob({ status: {}, ...change }, { jobTemplate: large, ...spec })
}

function theTemplate(image: string) {
  return {
    metadata: { labels: {}, annotations: {} },
    spec: { template: { spec: { containers: [{ name: 'a', image }] } } },
  }
}

/** As the real one has it: a create that is not wanted in the turn in which it is written is not sent. */
function asWritten(_manifest: JobManifest, { isWanted }: CreateOptions) {
  return isWanted?.() === false ? anApiError({ kind: 'NotSent' }) : undefined
}

/** What is sent, and what was asked for it. */
function told(story: OperatorStory): string[] {
  return [...story.objects.log.splice(0).filter((call) => call.startsWith('get ')), ...story.created()]
}

test('a large template is not held: it is read for the trial, and for each launch', async () => {
  assert.equal(large.json, null)
  const story = new OperatorStory()
  story.objects.template = theTemplate('busybox')
  const sent: unknown[] = []
  story.jobs.onCreate = ({ json }) => void sent.push(JSON.parse(Buffer.from(json ?? []).toString()))
  await using running = await story.start(aLargeOne())
  assert.deepEqual(story.jobs.calls(), ['00:00.000 try beat-0000000000', '00:00.000 create beat-1767268800'])
  await running.until('12:00:10')
  assert.deepEqual(
    told(story),
    Array.from({ length: 3 }, () => 'get beat with its template').concat('00:10.000 beat-1767268810'),
  )
  for (const manifest of sent) assert.match(JSON.stringify(manifest), /"ownerReferences".*"image":"busybox"/)
})

test('edited while nobody saw it: the Job is made by the rules of the new generation', async () => {
  await using story = await new OperatorStory().start(aLargeOne())
  await story.until('12:00:09.900')
  told(story)
  story.objects.objects.set('beat', aLargeOne({ generation: 2 }, { suspend: true }))
  await story.until('12:00:30')
  // For the launch, and then for the trial of what was found.
  assert.deepEqual(told(story), ['get beat with its template', 'get beat with its template'])
  assert.equal(story.controller.objects.get('uid-beat')?.generation, 2)
})

test('edited between the answer and the create: it is read again, and the run is not lost', async () => {
  await using story = await new OperatorStory().start(aLargeOne())
  told(story)
  const manifests: JobManifest[] = []
  let edits = 0
  story.jobs.onCreate = (manifest, options) => {
    if (options.dryRun === true) return
    if (edits === 0) {
      edits += 1
      story.objects.template = theTemplate('alpine')
      story.apply(aLargeOne({ generation: 2 }))
    }
    manifests.push(manifest)
    return asWritten(manifest, options)
  }
  await story.until('12:00:10')
  assert.match(Buffer.from(manifests.at(-1)?.json ?? []).toString(), /alpine/)
  assert.equal(manifests.length, 2)
  assert.equal(story.controller.scheduler.track('uid-beat')?.missed, 0)
})

test('edited again and again: it gets a pause, and its run when there is peace', async () => {
  await using story = await new OperatorStory().start(aLargeOne())
  let edits = 0
  story.objects.onGetWithTemplate = () => {
    if (edits < 10) story.apply(aLargeOne({ generation: 2 + (edits += 1) }))
    return undefined
  }
  told(story)
  await story.until('12:00:10')
  assert.deepEqual(story.created(), [])
  await story.until('12:00:11')
  assert.deepEqual(story.created(), ['00:10.100 beat-1767268810'])
})

test('deleted meanwhile: nothing is sent', async () => {
  await using story = await new OperatorStory().start(aLargeOne())
  await story.until('12:00:09.900')
  told(story)
  story.objects.objects.delete('beat')
  await story.until('12:00:30')
  assert.deepEqual(told(story), ['get beat with its template'])
  assert.equal(story.controller.objects.size, 0)
})

test('suspended while it is read: nothing is sent', async () => {
  await using story = await new OperatorStory().start(aLargeOne())
  told(story)
  const answer = Promise.withResolvers<void>()
  story.objects.onGetWithTemplate = () => answer.promise
  await story.until('12:00:10')
  story.apply(aLargeOne({ generation: 2 }, { suspend: true }))
  answer.resolve()
  await story.until('12:00:30')
  assert.deepEqual(story.created(), [])
})

test('it can not be read: that is told, and tried again', async () => {
  await using story = await new OperatorStory().start(aLargeOne())
  told(story)
  story.objects.onGetWithTemplate = () => anApiError({ kind: 'ServerError', message: 'etcd is away' })
  await story.until('12:00:10')
  assert.equal(story.controller.scheduler.track('uid-beat')?.failing?.message, 'etcd is away')
  story.objects.onGetWithTemplate = () => undefined
  await story.until('12:00:10.900')
  assert.deepEqual(story.created(), ['00:10.100 beat-1767268810'])
})

test('at most four are read at once, and those with small templates wait for none', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `large-${n}`)
  const story = new OperatorStory()
  const answer = Promise.withResolvers<void>()
  story.objects.onGetWithTemplate = () => answer.promise
  await using running = await story.start(...names.map((name) => aLargeOne({ name })), aSecondCronJob())
  assert.equal(told(running).filter((call) => call.startsWith('get ')).length, 4)
  answer.resolve()
  await running.until('12:00:05')
  assert.equal(story.jobs.jobs.size, 21)
})

test('run-now reads it as well, and a token is served once', async () => {
  await using story = await new OperatorStory().start(aLargeOne({ runNow: 'now' }, { suspend: true }))
  await story.until('12:00:10')
  assert.deepEqual(
    [...story.jobs.jobs.keys()].map((name) => name.slice(0, 6)),
    ['beat-m'],
  )
  assert.equal(story.objects.objects.get('beat')?.status.lastManualRun, 'now')
})

test('the operator stops while one is read: nothing is sent, and nothing is waited for', async () => {
  const story = await new OperatorStory().start(aLargeOne({ runNow: 'now' }))
  told(story)
  story.objects.onGetWithTemplate = () => new Promise(() => undefined)
  await story.until('12:00:10')
  await story[Symbol.asyncDispose]()
  assert.deepEqual(story.created(), [])
})
