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

describe('shown on the object, and no other is disturbed', { concurrency: true }, () => {
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
})
