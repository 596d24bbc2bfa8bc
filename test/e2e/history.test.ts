import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import type { OperatorProcess } from '../support/operator-process.ts'

let cluster: Cluster
let operator: OperatorProcess
before(async () => {
  cluster = await Cluster.start()
  operator = await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

function template(annotations: Record<string, string>, extra: Record<string, unknown> = {}): Record<string, unknown> {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] }
  return { jobTemplate: { spec: { backoffLimit: 0, template: { metadata: { annotations }, spec }, ...extra } } }
}

/** Creates of the Job of this slot that the API server has committed. */
async function committed(name: string): Promise<number> {
  const records = await cluster.audit()
  return records.filter(
    (record) =>
      record.verb === 'create' &&
      record.resource === 'jobs' &&
      record.name === name &&
      record.code === 201 &&
      !record.dryRun,
  ).length
}

describe('history and locks', { concurrency: true }, () => {
  for (const [name, spec, want] of [
    ['keep-none', { intervalSeconds: 3, successfulJobsHistoryLimit: 0 }, 0],
    ['keep-two', { intervalSeconds: 3, successfulJobsHistoryLimit: 2 }, 2],
    ['failed-one', { intervalSeconds: 3, ...template({ 'test/outcome': 'fail' }) }, 1],
  ] as const)
    test(`${name}: ends at its limit, and no slot ran twice or was lost on the way`, async () => {
      const object = await cluster.create(name, spec)
      const from = createdAt(object)
      await untilTime(from + 20_500)
      await cluster.edit(name, { suspend: true })
      await waitFor(`${want} Jobs`, 30_000, async () => (await cluster.jobsOf(name)).length === want || null)
      const { lost, twice } = await cluster.judge([expectationOf(object, from, from + 20_000)])
      assert.deepEqual({ lost, twice }, { lost: [], twice: [] })
    })

  test('active Jobs are never deleted by the history', async () => {
    const object = await cluster.create('active', {
      intervalSeconds: 2,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 0,
      ...template({ 'test/outcome': 'never' }),
    })
    await untilTime(createdAt(object) + 20_500)
    assert.equal((await cluster.jobsOf('active')).length, 11)
  })

  test('the newest Job is deleted by hand: its slot is not run again', async () => {
    const object = await cluster.create('by-hand', { intervalSeconds: 15 })
    const job = `by-hand-${createdAt(object) / 1_000}`
    await waitFor('the first Job', 5_000, async () => (await committed(job)) === 1)
    await cluster.admin.delete(`/apis/batch/v1/namespaces/default/jobs/${job}`)
    await untilTime(createdAt(object) + 16_000)
    assert.equal(await committed(job), 1)
    assert.equal(await committed(`by-hand-${createdAt(object) / 1_000 + 15}`), 1)
  })
})

test('a TTL of 5 s at 60 s, killed 10 s after the slot, started when the Job is long gone: not run twice; a deadline that has passed: not run', async () => {
  const strict = await cluster.create('strict', { intervalSeconds: 25, startingDeadlineSeconds: 3 })
  const object = await cluster.create('ttl', { intervalSeconds: 60, ...template({}, { ttlSecondsAfterFinished: 5 }) })
  const job = `ttl-${createdAt(object) / 1_000}`
  await untilTime(createdAt(object) + 10_000)
  await operator.kill()
  await waitFor('the Job to be gone by its TTL', 40_000, async () => (await cluster.jobsOf('ttl')).length === 0)
  await operator.start()
  await untilTime(Date.now() + 4_000)
  assert.equal(await committed(job), 1)
  assert.deepEqual(
    (await cluster.launchesOf('strict')).map(({ slot }) => slot),
    [createdAt(strict)],
  )
  const shown = await cluster.get('strict')
  assert.ok(shown !== null)
  const { missedCount, recent } = shown['status'] as Record<string, unknown>
  const slot = new Date(createdAt(strict) + 25_000).toISOString().replace('.000', '')
  assert.deepEqual([missedCount, recent], [1, [{ slot, outcome: 'Missed', reason: 'DeadlineExceeded' }]])
  const accepted = await cluster.get('ttl')
  assert.match(JSON.stringify(accepted?.['status']), /ttlSecondsAfterFinished is raised to 30/)
})

test('a foreign Job sits on the name of a slot: a Warning, left alone, later slots run', async () => {
  const object = await cluster.create('foreign', { intervalSeconds: 5, firstRun: 'AfterInterval' })
  const second = createdAt(object) / 1_000 + 5
  const spec = {
    suspend: true,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } },
  }
  const metadata = { name: `foreign-${second}`, namespace: 'default' }
  const foreign = await cluster.admin.create({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec })
  await untilTime((second + 11) * 1_000)
  const events = await cluster.admin.list('/apis/events.k8s.io/v1/namespaces/default/events')
  const warning = events.find((event) => event['reason'] === 'UnexpectedJob')
  assert.equal(warning?.['type'], 'Warning')
  assert.match(String(warning?.['note']), new RegExp(`foreign-${second} exists and is not controlled by this resource`))
  const found = await cluster.admin.get(`/apis/batch/v1/namespaces/default/jobs/foreign-${second}`)
  assert.equal(found?.metadata['uid'], foreign.metadata['uid'])
  assert.equal(found?.metadata['ownerReferences'], undefined)
  const { lost } = await cluster.judge([expectationOf(object, (second + 5) * 1_000, (second + 10.5) * 1_000)])
  assert.deepEqual(lost, [])
})
