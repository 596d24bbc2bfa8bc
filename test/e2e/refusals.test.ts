import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AdminError, conditionOf, type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, manifests, untilTime } from '../support/cluster.ts'
import { describeLateness } from '../support/verdict.ts'
import { Webhook } from '../support/webhook.ts'

let cluster: Cluster
let webhook: Webhook

const pathOf = (name: string, namespace = 'default') =>
  `/apis/myyrakle.com/v1/namespaces/${namespace}/secondcronjobs/${name}`

/** What a first CRD without rules let in, before the shipped one replaced it. */
const oldObjects: Readonly<Record<string, Record<string, unknown>>> = {
  'with.dot': { intervalSeconds: 1, image: 'a' },
  [`old-${'a'.repeat(52)}`]: { intervalSeconds: 1, image: 'a' },
  'old-zero': { intervalSeconds: 0, image: 'a' },
  'old-neither': {},
  'old-good': { interval_seconds: 1, name: 'a', image: 'a' },
}

before(async () => {
  cluster = await Cluster.start({ first: [await permissiveCrd()] })
  for (const [name, spec] of Object.entries(oldObjects))
    await cluster.admin.create({ apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob', metadata: { name }, spec })
  for (const document of await manifests('deploy/crd.yaml')) await cluster.admin.apply(document)
  await waitFor('the shipped CRD to be in force', 15_000, async () => {
    const refused = await refusal('probe', { intervalSeconds: 0, image: 'a' })
    if (refused === null) await cluster.admin.delete(pathOf('probe'))
    return refused !== null
  })
  webhook = await Webhook.start(cluster.plane)
  await (await cluster.operator()).start()
})
after(async () => {
  await webhook[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

async function permissiveCrd(): Promise<KubeObject> {
  const [crd] = structuredClone(await manifests('deploy/crd.yaml'))
  const { versions } = crd?.['spec'] as { versions: Record<string, unknown>[] }
  Object.assign(versions[0] ?? {}, {
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  })
  return crd as KubeObject
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
    (error: AdminError) => error.message,
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
    'no schedule': ['bad', { image: 'a' }, /write exactly one of intervalSeconds and interval_seconds/],
    'two schedules': [
      'bad',
      { intervalSeconds: 1, interval_seconds: 1, image: 'a' },
      /write exactly one of intervalSeconds and interval_seconds/,
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

async function condition(
  name: string,
  type: string,
  status: string,
  namespace = 'default',
): Promise<{ reason: string; message: string }> {
  return waitFor(`${name} to be ${type}=${status}`, 15_000, async () => {
    const object = await cluster.admin.get(pathOf(name, namespace))
    const found = object === null ? undefined : conditionOf(object, type)
    return found?.status === status ? found : null
  })
}

async function jobsOf(name: string, namespace = 'default'): Promise<number> {
  return (await cluster.jobs(namespace)).filter(({ metadata }) => metadata.name.startsWith(`${name}-`)).length
}

describe('shown on the object, and no other is disturbed', { concurrency: true }, () => {
  test('a template that the API server refuses: Accepted=False within a second, in its words; mended, it runs', async () => {
    await cluster.create('bad-template', {
      intervalSeconds: 1,
      jobTemplate: templateOf({ restartPolicy: 'Always', containers: [container] }),
    })
    const applied = performance.now()
    const { reason, message } = await condition('bad-template', 'Accepted', 'False')
    assert.ok(performance.now() - applied < 1_500)
    assert.equal(reason, 'InvalidTemplate')
    assert.match(message, /spec\.template\.spec\.restartPolicy: .*"Never"/)
    assert.equal(await jobsOf('bad-template'), 0)
    await cluster.admin.patch(pathOf('bad-template'), 'merge', { spec: { jobTemplate: goodTemplate } })
    await waitFor('a Job', 5_000, async () => (await jobsOf('bad-template')) > 0)
  })

  test('a misspelt field in the template: it runs, and Accepted says what the API server warned of', async () => {
    await cluster.create('typo', {
      intervalSeconds: 5,
      jobTemplate: templateOf({ restartPolicy: 'Never', containers: [{ ...container, imagee: 'b' }] }),
    })
    const { message } = await condition('typo', 'Accepted', 'True')
    assert.match(message, /unknown field "spec\.template\.spec\.containers\[0\]\.imagee"/)
    await waitFor('a Job', 5_000, async () => (await jobsOf('typo')) > 0)
  })

  test('the quota is reached: Failing says so, at most one request a second; lifted, it goes on', async () => {
    await cluster.createNamespace('quota')
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'small', namespace: 'quota' },
      spec: { hard: { 'count/jobs.batch': '0' } },
    }
    await cluster.admin.create(quota)
    await waitFor('the quota to be in force', 10_000, async () => {
      const found = await cluster.admin.get('/api/v1/namespaces/quota/resourcequotas/small')
      return (found?.['status'] as { hard?: object } | undefined)?.hard !== undefined
    })
    const object = await cluster.create('poor', { intervalSeconds: 2 }, 'quota')
    const { reason, message } = await condition('poor', 'Failing', 'True', 'quota')
    assert.equal(reason, 'QuotaExceeded')
    assert.match(message, /exceeded quota: small/)
    await untilTime(createdAt(object) + 9_500)
    const refused = (await cluster.audit()).filter(
      ({ resource, namespace, verb, dryRun }) =>
        resource === 'jobs' && namespace === 'quota' && verb === 'create' && !dryRun,
    )
    assert.ok(refused.length <= 10, `${refused.length} requests in 10 seconds`)
    await cluster.admin.patch('/api/v1/namespaces/quota/resourcequotas/small', 'merge', {
      spec: { hard: { 'count/jobs.batch': '100' } },
    })
    await condition('poor', 'Failing', 'False', 'quota')
    const status = (await cluster.admin.get(pathOf('poor', 'quota')))?.['status'] as {
      missedCount: number
      recent: { outcome: string; reason: string }[]
    }
    assert.ok(status.missedCount > 0)
    assert.deepEqual([status.recent[0]?.outcome, status.recent[0]?.reason], ['Refused', 'QuotaExceeded'])
  })

  test('a webhook denies: Failing says so in its words', async () => {
    await cluster.createNamespace('denied')
    await webhook.guard('denied', 'deny')
    await cluster.create('unlabelled', { intervalSeconds: 2 }, 'denied')
    const { reason, message } = await condition('unlabelled', 'Failing', 'True', 'denied')
    assert.equal(reason, 'WebhookDenied')
    assert.match(message, /Jobs need a cost-centre label/)
    assert.equal((await condition('unlabelled', 'Accepted', 'Unknown', 'denied')).reason, 'WebhookDenied')
  })

  test('a webhook hangs for five resources: ten others keep their seconds', async (t) => {
    await cluster.createNamespace('hanging')
    const good = await Promise.all(
      Array.from({ length: 10 }, (_, n) => cluster.create(`good${n}`, { intervalSeconds: 1 })),
    )
    await webhook.guard('hanging', 'hang')
    await Promise.all(
      Array.from({ length: 5 }, (_, n) => cluster.create(`stuck${n}`, { intervalSeconds: 1 }, 'hanging')),
    )
    const from = Math.max(...good.map(createdAt)) + 3_000
    await untilTime(from + 25_000)
    const verdict = await cluster.judge(good.map((object) => expectationOf(object, from, from + 24_000)))
    const { lost, twice, early } = verdict
    assert.deepEqual({ lost, twice, early }, { lost: [], twice: [], early: [] })
    t.diagnostic(describeLateness(verdict))
    assert.match((await condition('stuck0', 'Failing', 'True', 'hanging')).reason, /WebhookFailed|Unavailable/)
  })

  test('a terminating namespace that something else holds: no Job, no hot loop, and our finalizer goes', async () => {
    await cluster.createNamespace('stuck-ns')
    const holder = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'holder', namespace: 'stuck-ns', finalizers: ['example.com/hold'] },
      spec: { suspend: true, ...goodTemplate.spec },
    }
    await cluster.admin.create(holder)
    await cluster.create('going', { intervalSeconds: 1 }, 'stuck-ns')
    await waitFor('a Job', 5_000, async () => (await jobsOf('going', 'stuck-ns')) > 0)
    await cluster.admin.delete('/api/v1/namespaces/stuck-ns')
    await waitFor(
      'the resource to be gone',
      15_000,
      async () => (await cluster.admin.get(pathOf('going', 'stuck-ns'))) === null,
    )
    await cluster.admin.patch('/apis/batch/v1/namespaces/stuck-ns/jobs/holder', 'merge', {
      metadata: { finalizers: null },
    })
    await waitFor(
      'the namespace to be gone',
      20_000,
      async () => (await cluster.admin.get('/api/v1/namespaces/stuck-ns')) === null,
    )
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
      assert.match((await condition(name, 'Accepted', 'False')).message, sentence)
      await cluster.admin.patch(pathOf(name), 'merge', { metadata: { annotations: { note: 'still editable' } } })
      assert.equal(await jobsOf(name), 0)
      await cluster.admin.delete(pathOf(name))
      await waitFor(`${name} to be gone`, 5_000, async () => (await cluster.admin.get(pathOf(name))) === null)
    })

  test('the good one among them just runs', async () => {
    await waitFor('Jobs', 10_000, async () => (await jobsOf('old-good')) >= 2)
  })
})
