import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aResource, podSpec } from '../kinds.ts'
import { group, only, type Row } from '../row.ts'
import { condition, hasRun, jobsOf } from './stories.ts'

/** So many labels or annotations. */
export const many = (count: number, value = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`example.com/label-${n}`, value]))

/** A resource once a minute whose Jobs have this container and these marks. */
export function withTemplate(name: string, pod: { labels?: object; container?: object; spec?: object }): KubeObject {
  const containers = [{ ...podSpec.containers[0], ...pod.container }]
  const template = { metadata: { labels: pod.labels }, spec: { ...podSpec, ...pod.spec, containers } }
  return aResource({ name }, { intervalSeconds: 60, jobTemplate: { spec: { template } } })
}

/** Taken by the API server, shown as not accepted in one sentence, never launched; runs once it is mended. */
function notAccepted(pod: Parameters<typeof withTemplate>[1], sentence: RegExp): Row['run'] {
  return async (world) => {
    await world.operator()
    await world.create(withTemplate('bad', pod))
    const { reason, message } = await condition(world, 'bad', 'Accepted', 'False')
    assert.equal(reason, 'InvalidTemplate')
    assert.match(message, sentence)
    assert.ok(message.length <= 1_024, String(message.length))
    assert.deepEqual(await jobsOf(world, 'bad'), [])
    const { spec } = withTemplate('bad', {}) as unknown as { spec: { jobTemplate: object } }
    const value = spec.jobTemplate
    const body = [{ op: 'replace', path: '/spec/jobTemplate', value }]
    await world.ok(world.path('secondcronjobs', 'bad'), { method: 'PATCH', type: 'json-patch+json', body })
    await hasRun(world, 'bad')
  }
}

const unchecked = 'the embedded server does not look at the names inside of a Pod, but for those of containers'

/** Names in a template that are none: one sentence says which and how they are written. */
export const naming = group('names in a template', {
  'a label in Cyrillic in the template: not accepted, with a sentence': notAccepted(
    { labels: { team: 'отдел' } },
    /spec\.template\.labels: Invalid value: "отдел": a valid label must be an empty string or consist of/,
  ),
  '500 of them: one sentence that is not too long': notAccepted(
    { labels: many(500, 'отдел') },
    /spec\.template\.labels: Invalid value: "отдел": a valid label must be an empty string or consist of/,
  ),
  // Half a character is stored as another one, so that the status was never as it should be, and written again and again.
  'a sentence that is cut is made of whole characters, and written once': async (world) => {
    await world.operator()
    const names = ['odd', 'even']
    for (const name of names) await world.create(withTemplate(name, { labels: { team: '😀'.repeat(600) } }))
    const messages: string[] = []
    for (const name of names) messages.push((await condition(world, name, 'Accepted', 'False')).message)
    await world.pass(1_000)
    const quietSince = world.now()
    await world.pass(11_000)
    const patches = (await world.requests()).filter(({ verb, received }) => verb === 'patch' && received > quietSince)
    assert.deepEqual(patches, [])
    for (const message of messages) {
      assert.ok(message.length === 1_023 || message.length === 1_024, message)
      assert.match(message, /^Job\.batch .+😀$/u)
    }
  },
  'the key of a label in Cyrillic: not accepted, with a sentence': notAccepted(
    { labels: { отдел: 'a' } },
    /spec\.template\.labels: Invalid value: "отдел": name part must consist of alphanumeric characters/,
  ),
  'a container’s name in Cyrillic: not accepted, with a sentence': notAccepted(
    { container: { name: 'пульс' } },
    /spec\.template\.spec\.containers\[0\]\.name: Invalid value: "пульс": a lowercase RFC 1123 label must consist of/,
  ),
  'a container’s name with capitals: not accepted, with a sentence': notAccepted(
    { container: { name: 'Main_1' } },
    /spec\.template\.spec\.containers\[0\]\.name: Invalid value: "Main_1": a lowercase RFC 1123 label must consist of/,
  ),
  'the name of a variable in Cyrillic: not accepted, with a sentence': only(
    'real',
    unchecked,
    notAccepted(
      { container: { env: [{ name: 'ИМЯ', value: 'a' }] } },
      /containers\[0\]\.env\[0\]\.name: Invalid value: "ИМЯ": a valid environment variable name must consist/,
    ),
  ),
  'a volume’s name with capitals: not accepted, with a sentence': only(
    'real',
    unchecked,
    notAccepted(
      { spec: { volumes: [{ name: 'Scratch', emptyDir: {} }] } },
      /spec\.volumes\[0\]\.name: Invalid value: "Scratch": a lowercase RFC 1123 label must consist of/,
    ),
  ),
})
