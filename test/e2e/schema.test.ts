import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, manifests, rights } from '../support/cluster.ts'

let cluster: Cluster

/** What a first CRD without rules let in, before the shipped one replaced it. */
const oldObjects: Readonly<Record<string, Record<string, unknown>>> = {
  'with.dot': { intervalSeconds: 1, image: 'a' },
  [`old-${'a'.repeat(52)}`]: { intervalSeconds: 1, image: 'a' },
  'old-zero': { intervalSeconds: 0, image: 'a' },
  'old-neither': {},
  'old-good': { interval_seconds: 1, name: 'a', image: 'a' },
}

before(async () => {
  cluster = await Cluster.start({ first: [await permissiveCrd(), ...(await rights())] })
  for (const [name, spec] of Object.entries(oldObjects))
    await cluster.admin.create({ apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob', metadata: { name }, spec })
  for (const document of await manifests('deploy/crd.yaml')) await cluster.admin.apply(document)
  await waitFor('the shipped CRD to be in force', 15_000, async () => {
    const refused = await refusal('probe', { intervalSeconds: 0, image: 'a' })
    if (refused === null) await cluster.delete('probe')
    return refused !== null
  })
  await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

async function permissiveCrd(): Promise<KubeObject> {
  const [crd] = await manifests('deploy/crd.yaml')
  assert.ok(crd !== undefined)
  const spec = crd['spec'] as { versions: readonly object[] }
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return { ...crd, spec: { ...spec, versions: spec.versions.map((version) => ({ ...version, schema })) } }
}

/** The API server's words, as kubectl would show them; null when it accepts the object. */
async function refusal(name: string, spec: Record<string, unknown>): Promise<string | null> {
  const object = {
    apiVersion: 'myyrakle.com/v1',
    kind: 'SecondCronJob',
    metadata: { name, namespace: 'default' },
    spec,
  }
  const path = '/apis/myyrakle.com/v1/namespaces/default/secondcronjobs?fieldValidation=Strict'
  return cluster.admin.request('POST', path, object).then(
    () => null,
    (error: Error) => error.message,
  )
}

const container = { name: 'a', image: 'a' }
const templateOf = (pod: Record<string, unknown>) => ({ spec: { template: { spec: pod } } })
const goodTemplate = templateOf({ restartPolicy: 'Never', containers: [container] })

describe('refused at apply, with a sentence that says what to do', () => {
  const cases: Record<string, [name: string, spec: Record<string, unknown>, sentence: RegExp]> = {
    'interval 0': [
      'bad',
      { intervalSeconds: 0, image: 'a' },
      /spec\.intervalSeconds: Invalid value: 0: .*greater than or equal to 1/,
    ],
    'interval -1': [
      'bad',
      { intervalSeconds: -1, image: 'a' },
      /spec\.intervalSeconds: Invalid value: -1: .*greater than or equal to 1/,
    ],
    'interval 1.5': [
      'bad',
      { intervalSeconds: 1.5, image: 'a' },
      /spec\.intervalSeconds: Invalid value: .*must be of type integer/,
    ],
    'interval "10"': [
      'bad',
      { intervalSeconds: '10', image: 'a' },
      /spec\.intervalSeconds: Invalid value: "string": .*must be of type integer/,
    ],
    'interval 1e12': [
      'bad',
      { intervalSeconds: 1e12, image: 'a' },
      /spec\.intervalSeconds: Invalid value: .*less than or equal to 31536000/,
    ],
    'the older spelling, 0': ['bad', { interval_seconds: 0, image: 'a' }, /spec\.interval_seconds: Invalid value: 0/],
    'a name of 53 characters': [
      'a'.repeat(53),
      { intervalSeconds: 1, image: 'a' },
      /metadata\.name must be at most 52 lower case letters, digits and -/,
    ],
    'a name of 63 characters': [
      'a'.repeat(63),
      { intervalSeconds: 1, image: 'a' },
      /metadata\.name must be at most 52/,
    ],
    'a name with a dot': [
      'a.b',
      { intervalSeconds: 1, image: 'a' },
      /metadata\.name must be at most 52 lower case letters, digits and -/,
    ],
    'no schedule': ['bad', { image: 'a' }, /write exactly one of intervalSeconds and schedule/],
    'two schedules': [
      'bad',
      { intervalSeconds: 1, interval_seconds: 1, image: 'a' },
      /write exactly one of intervalSeconds and schedule/,
    ],
    'nothing to run': ['bad', { intervalSeconds: 1 }, /write exactly one of jobTemplate and image/],
    'two things to run': [
      'bad',
      { intervalSeconds: 1, image: 'a', jobTemplate: goodTemplate },
      /write exactly one of jobTemplate and image/,
    ],
    'command without image': [
      'bad',
      { intervalSeconds: 1, command: ['a'], jobTemplate: goodTemplate },
      /name, command and args go with image/,
    ],
    'a template without containers': [
      'bad',
      { intervalSeconds: 1, jobTemplate: templateOf({ restartPolicy: 'Never' }) },
      /spec\.jobTemplate\.spec\.template\.spec\.containers: Required value/,
    ],
    'an empty list of containers': [
      'bad',
      { intervalSeconds: 1, jobTemplate: templateOf({ containers: [] }) },
      /containers in body should have at least 1 items/,
    ],
    'a misspelt field': ['bad', { intervalSeconds: 1, image: 'a', suspendd: true }, /unknown field "spec\.suspendd"/],
    'startingDeadlineSeconds 0': [
      'bad',
      { intervalSeconds: 1, image: 'a', startingDeadlineSeconds: 0 },
      /spec\.startingDeadlineSeconds: Invalid value: 0/,
    ],
  }
  for (const [what, [name, spec, sentence]] of Object.entries(cases))
    test(what, async () => assert.match((await refusal(name, spec)) ?? 'it was accepted', sentence))

  test('the shipped example that is refused on purpose', async () => {
    const [manifest] = await manifests('deploy/examples/refused.yaml')
    await assert.rejects(cluster.admin.apply(manifest ?? {}), /spec\.intervalSeconds: Invalid value: 0/)
  })
})

describe('what an older CRD let in', { concurrency: true }, () => {
  const wanted: Readonly<Record<string, RegExp>> = {
    'with.dot': /metadata\.name: with\.dot can't be served; create it anew/,
    [`old-${'a'.repeat(52)}`]: /metadata\.name: old-a+ can't be served; create it anew/,
    'old-zero': /spec\.intervalSeconds: 0 is not possible here; write a whole number of seconds from 1 to 31536000/,
    'old-neither': /spec: no schedule; write intervalSeconds.*spec: nothing to run; write either jobTemplate or image/,
  }
  for (const [name, sentence] of Object.entries(wanted))
    test(`${name.slice(0, 12)}: shown as not accepted, never launched, can be patched and deleted`, async () => {
      assert.match((await cluster.condition(name, ['Accepted', 'False'])).message, sentence)
      await cluster.annotate(name, { note: 'still editable' })
      assert.deepEqual(await cluster.jobsOf(name), [])
      await cluster.delete(name)
      await waitFor(`${name} to be gone`, 5_000, async () => (await cluster.get(name)) === null)
    })

  test('the good one among them just runs', async () => {
    await waitFor('Jobs', 10_000, async () => (await cluster.jobsOf('old-good')).length >= 2)
  })
})
