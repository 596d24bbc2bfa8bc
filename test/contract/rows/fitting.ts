import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aResource, podSpec } from '../kinds.ts'
import { group, only, type Row } from '../row.ts'
import type { World } from '../world.ts'
import { many, withTemplate } from './naming.ts'
import { condition, hasRun, jobsOf, statusOf } from './stories.ts'

/** Cyrillic, Chinese, from right to left, an accent of its own, a family of four, and what a shell would read. */
const texts = ['Привет, мир', '每十秒', 'שלום', 'e\u0301', '👩‍👩‍👧‍👦', '"$(date)"\t\\ \u2028']

async function firstJob(world: World, object: KubeObject): Promise<KubeObject> {
  await world.operator()
  await world.create(object)
  await condition(world, object.metadata.name, 'Accepted', 'True')
  await hasRun(world, object.metadata.name)
  const [job] = await jobsOf(world, object.metadata.name)
  assert.ok(job !== undefined)
  return job
}

/** As `kubectl apply` asks for it. */
function applied(world: World, body: KubeObject): Promise<string> {
  return world.verdict(`${world.path('secondcronjobs')}?fieldValidation=Strict`, { method: 'POST', body })
}

function refused(body: KubeObject, sentence: RegExp): Row['run'] {
  return async (world) => {
    assert.match(await applied(world, body), sentence)
    assert.deepEqual(await world.names('secondcronjobs'), [])
  }
}

const labelled = (labels: object) => aResource({ name: 'a', labels })
const noSubdomain =
  /^422 Invalid: .*metadata\.name: Invalid value: ".+": a lowercase RFC 1123 subdomain must consist of/

/** What is large, and what is written in other letters than English: it works, or one sentence says why not. */
export const fitting = group('what fits', {
  '500 labels on the resource: it runs, and none of them is on its Jobs': async (world) => {
    const job = await firstJob(world, aResource({ name: 'beat', labels: many(500) }, { intervalSeconds: 60 }))
    assert.doesNotMatch(JSON.stringify(job.metadata['labels']), /example\.com/)
  },
  '500 labels on the Pods of the template: they are on the Job’s template': async (world) => {
    const job = await firstJob(world, withTemplate('beat', { labels: many(500) }))
    assert.partialDeepStrictEqual(job['spec'], { template: { metadata: { labels: many(500) } } })
  },
  '256 labels and annotations of the Jobs: they are on the Job': async (world) => {
    const marks = { labels: many(256), annotations: many(256, 'длинная') }
    const jobTemplate = { metadata: marks, spec: { template: { spec: podSpec } } }
    const job = await firstJob(world, aResource({ name: 'beat' }, { intervalSeconds: 60, jobTemplate }))
    assert.partialDeepStrictEqual(job.metadata, marks)
  },
  '500 labels of the Jobs: refused': refused(
    aResource(
      { name: 'a' },
      { jobTemplate: { metadata: { labels: many(500) }, spec: { template: { spec: podSpec } } } },
    ),
    /^422 Invalid: .*spec\.jobTemplate\.metadata\.labels: Too many: 500: must have at most 256 items/,
  ),
  'an annotation of 250,000 characters on the resource: it runs, and its Jobs are without it': async (world) => {
    const annotations = { 'example.com/note': 'x'.repeat(250_000) }
    const job = await firstJob(world, aResource({ name: 'beat', annotations }, { intervalSeconds: 60 }))
    assert.ok(JSON.stringify(job).length < 10_000)
  },
  'annotations of more than 256 KiB: refused': only(
    'real',
    'the embedded server does not measure annotations',
    refused(
      aResource({ name: 'a', annotations: { 'example.com/note': 'x'.repeat(262_144) } }),
      /^422 Invalid: .*metadata\.annotations: Too long: may not be more than 262144 bytes/,
    ),
  ),
  'an annotation of the Jobs of 4,097 characters: refused': refused(
    aResource(
      { name: 'a' },
      { jobTemplate: { metadata: { annotations: { a: 'x'.repeat(4_097) } }, spec: { template: { spec: podSpec } } } },
    ),
    /^422 Invalid: .*spec\.jobTemplate\.metadata\.annotations\.a: Too long: may not be more than 4096 bytes/,
  ),
  'annotations, arguments and environment in any letters: they are on the Job as they were written': async (world) => {
    const annotations = Object.fromEntries(texts.map((text, n) => [`example.com/note-${n}`, text]))
    const env = texts.map((value, n) => ({ name: `TEXT_${n}`, value }))
    const containers = [{ ...podSpec.containers[0], command: ['echo'], args: texts, env }]
    const template = { metadata: { annotations }, spec: { ...podSpec, containers } }
    const jobTemplate = { metadata: { annotations }, spec: { template } }
    const job = await firstJob(world, aResource({ name: 'beat', annotations }, { intervalSeconds: 60, jobTemplate }))
    assert.partialDeepStrictEqual(job, { metadata: { annotations }, spec: { template } })
  },
  'with the shorthand as well': async (world) => {
    const job = await firstJob(world, aResource({ name: 'beat' }, { intervalSeconds: 60, command: texts, args: texts }))
    assert.partialDeepStrictEqual(job['spec'], {
      template: { spec: { containers: [{ command: texts, args: texts }] } },
    })
  },
  'an argument of 4,096 characters, whatever they are: it runs': async (world) => {
    const args = ['😀'.repeat(4_096)]
    const job = await firstJob(world, aResource({ name: 'beat' }, { intervalSeconds: 60, args }))
    assert.partialDeepStrictEqual(job['spec'], { template: { spec: { containers: [{ args }] } } })
  },
  'an argument of 4,097 characters: refused': refused(
    aResource({ name: 'a' }, { args: ['😀'.repeat(4_097)] }),
    /^422 Invalid: .*spec\.args\[0\]: Too long: may not be more than 4096 bytes/,
  ),
  'a run-now token in any letters: one Job, and the status has the token': async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'beat' }, { intervalSeconds: 3_600 }))
    await world.merge('secondcronjobs', 'beat', { metadata: { annotations: { 'myyrakle.com/run-now': 'сейчас 🚀' } } })
    await world.until('the token to be served', 5_000, async () => {
      return (await statusOf(world, 'beat'))['lastManualRun'] === 'сейчас 🚀'
    })
    const manual = (await jobsOf(world, 'beat')).filter(({ metadata }) => metadata.name.startsWith('beat-m'))
    assert.equal(manual.length, 1)
  },
  'a name in Cyrillic: refused': refused(aResource({ name: 'пульс' }), noSubdomain),
  'a name that is a picture: refused': refused(aResource({ name: '💓' }), noSubdomain),
  'a label in Cyrillic on the resource: refused': refused(
    labelled({ team: 'отдел' }),
    /^422 Invalid: .*metadata\.labels: Invalid value: "отдел": a valid label must be an empty string or consist of/,
  ),
  'the key of a label in Cyrillic on the resource: refused': refused(
    labelled({ отдел: 'a' }),
    /^422 Invalid: .*metadata\.labels: Invalid value: "отдел": name part must consist of alphanumeric characters/,
  ),
  'the key of an annotation in Cyrillic on the resource: refused': refused(
    aResource({ name: 'a', annotations: { отдел: 'a' } }),
    /^422 Invalid: .*metadata\.annotations: Invalid value: "отдел": name part must consist of alphanumeric characters/,
  ),
  'a container’s name in Cyrillic, with the shorthand: refused': refused(
    aResource({ name: 'a' }, { name: 'пульс' }),
    /^422 Invalid: .*spec\.name: Invalid value: "пульс": spec\.name in body should match '/,
  ),
  'a time zone in Cyrillic: refused': refused(
    aResource({ name: 'a' }, { schedule: '@daily', timeZone: 'Европа/Москва' }),
    /^422 Invalid: .*timeZone: write the name of a time zone, such as Europe\/Berlin/,
  ),
  'other digits in a schedule: not accepted, with a sentence': async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'digits' }, { schedule: '*/١٠ * * * * *' }))
    const { reason, message } = await condition(world, 'digits', 'Accepted', 'False')
    assert.equal(reason, 'InvalidSchedule')
    assert.match(message, /^spec\.schedule: "\*\/١٠ \* \* \* \* \*": seconds: .*write/)
  },
})
