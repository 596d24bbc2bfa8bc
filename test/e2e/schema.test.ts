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
