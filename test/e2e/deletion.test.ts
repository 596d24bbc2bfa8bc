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

/** The receipt of the newest create of a Job of this resource, epoch milliseconds. */
async function lastReceived(name: string): Promise<number> {
  return Math.max(...(await cluster.launchesOf(name)).map(({ received }) => received))
}

async function podsOf(name: string, namespace = 'default'): Promise<readonly KubeObject[]> {
  const pods = await cluster.admin.list(`/api/v1/namespaces/${namespace}/pods`)
  return pods.filter(({ metadata }) => metadata.name.startsWith(`${name}-`))
}

async function leavesNothing(name: string, namespace = 'default'): Promise<void> {
  await waitFor(`Jobs and Pods of ${name} to be gone`, 15_000, async () => {
    return (await cluster.jobsOf(name, namespace)).length + (await podsOf(name, namespace)).length === 0
  })
}

test('deleted while the operator was down: clean within 15 s of its start', async () => {
  await Promise.all(['down1', 'down2'].map((name) => cluster.create(name, { intervalSeconds: 1 })))
  await cluster.hasRun('down1')
  await cluster.hasRun('down2')
  await operator.kill()
  await cluster.delete('down1')
  await cluster.delete('down2', 'Foreground')
  const killedAt = Date.now()
  await operator.start()
  await cluster.isGone('down1', 15_000)
  await cluster.isGone('down2', 15_000)
  await leavesNothing('down1')
  await leavesNothing('down2')
  assert.ok((await lastReceived('down1')) < killedAt)
})
