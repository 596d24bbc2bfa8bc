import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { conditionOf, type KubeObject, waitFor } from '../support/admin.ts'
import { createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { skipUncontained } from '../support/container.ts'
import { Deployed } from '../support/deployed.ts'

/** As the first operator of this kind made its CRD: no status, no short name, one way to write a spec. */
const firstCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'secondcronjobs.myyrakle.com' },
  spec: {
    group: 'myyrakle.com',
    names: { kind: 'SecondCronJob', plural: 'secondcronjobs', singular: 'secondcronjob', shortNames: [] },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: firstSchema() } }],
  },
}

function firstSchema(): object {
  const texts = { type: 'array', nullable: true, items: { type: 'string' } }
  const spec = {
    type: 'object',
    required: ['image', 'interval_seconds', 'name'],
    properties: {
      interval_seconds: { type: 'integer', format: 'uint64', minimum: 0 },
      name: { type: 'string' },
      image: { type: 'string' },
      command: texts,
      args: texts,
    },
  }
  return { type: 'object', required: ['spec'], properties: { spec } }
}

/** Its Jobs have neither owner nor label, and names of their own. */
function firstJob(name: string): KubeObject {
  const containers = [{ name: 'hello', image: 'busybox' }]
  const template = { spec: { restartPolicy: 'Never', containers } }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: { suspend: true, template },
  }
}

let deployed: Deployed
let old: KubeObject
const oldJobs = ['from-before-x7k2p', 'from-before-q9d4m']

before(async () => {
  if (skipUncontained !== false) return
  deployed = await Deployed.start()
  const { admin } = deployed.cluster
  await admin.create(firstCrd)
  await admin.establishedCrds()
  old = await waitFor('the first CRD to be served', 10_000, () =>
    deployed.cluster.create('from-before', { interval_seconds: 2, name: 'hello', image: 'busybox', command: ['date'] }),
  )
  for (const job of oldJobs) await admin.create(firstJob(job))
})
after(() => deployed?.[Symbol.asyncDispose]())

describe('arrival from the first operator of this kind', { skip: skipUncontained }, () => {
  test('its resources are served as they are: same uid, same spec, on their grid', async () => {
    await deployed.install()
    await deployed.cluster.condition('from-before', ['Accepted', 'True'])
    const from = Date.now() + 1_000
    await untilTime(from + 8_000)
    const found = await deployed.cluster.get('from-before')
    assert.ok(found !== null)
    assert.equal(found.metadata['uid'], old.metadata['uid'])
    assert.partialDeepStrictEqual(found['spec'], old['spec'])
    const { due, lost, twice, offGrid, early } = await deployed.cluster.judge([
      expectationOf(found, Math.max(from, createdAt(found)), from + 7_000),
    ])
    assert.ok(due >= 3)
    assert.deepEqual({ lost, twice, offGrid, early }, { lost: [], twice: [], offGrid: [], early: [] })
    assert.equal(conditionOf(found, 'Ready')?.status, 'True')
  })

  test('its Jobs are nobody’s: they are left alone, also when the resource is deleted', async () => {
    await deployed.sh('kubectl delete secondcronjobs --all --all-namespaces --timeout=60s')
    const jobs = await deployed.cluster.admin.list('/apis/batch/v1/namespaces/default/jobs')
    assert.deepEqual(jobs.map(({ metadata }) => metadata.name).toSorted(), oldJobs.toSorted())
  })
})
