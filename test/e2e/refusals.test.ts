import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { describeLateness } from '../support/verdict.ts'
import { Webhook } from '../support/webhook.ts'

let cluster: Cluster
let webhook: Webhook

before(async () => {
  cluster = await Cluster.start()
  webhook = await Webhook.start(cluster.plane)
  await (await cluster.operator()).start()
})
after(async () => {
  await webhook[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

const container = { name: 'a', image: 'a' }
const templateOf = (pod: Record<string, unknown>) => ({ spec: { template: { spec: pod } } })
const goodTemplate = templateOf({ restartPolicy: 'Never', containers: [container] })

describe('shown on the object, and no other is disturbed', { concurrency: true }, () => {
  test('a template that the API server refuses: Accepted=False within a second, in its words; mended, it runs', async () => {
    await cluster.create('bad-template', {
      intervalSeconds: 1,
      jobTemplate: templateOf({ restartPolicy: 'Always', containers: [container] }),
    })
    const applied = performance.now()
    const { reason, message } = await cluster.condition('bad-template', ['Accepted', 'False'])
    assert.ok(performance.now() - applied < 1_500)
    assert.equal(reason, 'InvalidTemplate')
    assert.match(message, /spec\.template\.spec\.restartPolicy: .*"Never"/)
    assert.deepEqual(await cluster.jobsOf('bad-template'), [])
    await cluster.edit('bad-template', { jobTemplate: goodTemplate })
    await waitFor('a Job', 5_000, async () => (await cluster.jobsOf('bad-template')).length > 0)
  })

  test('a misspelt field in the template: it runs, and Accepted says what the API server warned of', async () => {
    await cluster.create('typo', {
      intervalSeconds: 5,
      jobTemplate: templateOf({ restartPolicy: 'Never', containers: [{ ...container, imagee: 'b' }] }),
    })
    const { message } = await cluster.condition('typo', ['Accepted', 'True'])
    assert.match(message, /unknown field "spec\.template\.spec\.containers\[0\]\.imagee"/)
    await waitFor('a Job', 5_000, async () => (await cluster.jobsOf('typo')).length > 0)
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
    const { reason, message } = await cluster.condition('poor', ['Failing', 'True'], 'quota')
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
    await cluster.condition('poor', ['Failing', 'False'], 'quota')
    const status = (await cluster.get('poor', 'quota'))?.['status'] as {
      missedCount: number
      recent: { outcome: string; reason: string }[]
    }
    assert.ok(status.missedCount > 0)
    assert.deepEqual([status.recent[0]?.outcome, status.recent[0]?.reason], ['Refused', 'QuotaExceeded'])
  })

  test('Pod Security refuses the Pods: the Jobs are there, and Failing says why nothing runs', async () => {
    await cluster.createNamespace('restricted', { 'pod-security.kubernetes.io/enforce': 'restricted' })
    await cluster.create('rootly', { intervalSeconds: 2 }, 'restricted')
    const { reason, message } = await cluster.condition('rootly', ['Failing', 'True'], 'restricted')
    assert.equal(reason, 'PodsRefused')
    assert.match(message, /would violate PodSecurity "restricted:latest".*runAsNonRoot/)
  })

  test('a webhook denies: Failing says so in its words', async () => {
    await cluster.createNamespace('denied')
    await webhook.guard('denied', 'deny')
    await cluster.create('unlabelled', { intervalSeconds: 2 }, 'denied')
    const { reason, message } = await cluster.condition('unlabelled', ['Failing', 'True'], 'denied')
    assert.equal(reason, 'WebhookDenied')
    assert.match(message, /Jobs need a cost-centre label/)
    assert.equal((await cluster.condition('unlabelled', ['Accepted', 'Unknown'], 'denied')).reason, 'WebhookDenied')
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
    assert.match(
      (await cluster.condition('stuck0', ['Failing', 'True'], 'hanging')).reason,
      /WebhookFailed|Unavailable/,
    )
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
    await waitFor('a Job', 5_000, async () => (await cluster.jobsOf('going', 'stuck-ns')).length > 0)
    await cluster.admin.delete('/api/v1/namespaces/stuck-ns')
    await waitFor('the resource to be gone', 15_000, async () => (await cluster.get('going', 'stuck-ns')) === null)
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
