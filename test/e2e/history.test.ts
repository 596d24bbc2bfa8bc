import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, untilTime } from '../support/cluster.ts'
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
