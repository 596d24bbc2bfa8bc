import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster } from '../support/cluster.ts'
import type { OperatorProcess } from '../support/operator-process.ts'

let cluster: Cluster
let operator: OperatorProcess
before(async () => {
  cluster = await Cluster.start()
  operator = await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

const runNow = 'myyrakle.com/run-now'

async function servedToken(name: string): Promise<string | undefined> {
  return ((await cluster.get(name)) as KubeObject & { status?: { lastManualRun?: string } }).status?.lastManualRun
}

async function manualJobs(name: string): Promise<readonly KubeObject[]> {
  return (await cluster.jobsOf(name)).filter(({ metadata }) => metadata.name.startsWith(`${name}-m`))
}

async function isServed(name: string, token: string): Promise<void> {
  await waitFor(`the token ${token} to be served`, 5_000, async () => (await servedToken(name)) === token)
}

test('run-now of a suspended resource: one Job for each token, marked as manual, and never again after a restart', async () => {
  await cluster.create('report', { intervalSeconds: 3_600, suspend: true })
  await cluster.annotate('report', { [runNow]: 'first' })
  await isServed('report', 'first')
  await cluster.annotate('report', { [runNow]: 'second' })
  await isServed('report', 'second')
  const jobs = await manualJobs('report')
  assert.equal(jobs.length, 2)
  const annotations = jobs[0]?.metadata['annotations'] as Record<string, string>
  assert.equal(annotations['cronjob.kubernetes.io/instantiate'], 'manual')
  assert.ok(Date.parse(annotations['myyrakle.com/scheduled-at'] ?? '') > 0)

  await operator.kill()
  await operator.start()
  await cluster.create('witness', { intervalSeconds: 1 })
  await cluster.hasRun('witness', 2)
  assert.equal((await manualJobs('report')).length, 2)
})
