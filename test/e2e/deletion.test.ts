import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
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

describe('with the operator up', { concurrency: true }, () => {
  for (const [way, propagationPolicy] of [
    ['background', 'Background'],
    ['foreground', 'Foreground'],
  ])
    test(`deleted (--cascade=${way}): no Job later than 1 s after, gone within 5 s, and everything with it`, async () => {
      const name = `up-${way}`
      await cluster.create(name, { intervalSeconds: 1 })
      await cluster.hasRun(name, 3)
      await cluster.delete(name, propagationPolicy)
      await cluster.isGone(name, 5_000)
      await leavesNothing(name)
      const late = (await lastReceived(name)) - (await cluster.acknowledged('delete', name))
      assert.ok(late <= 1_000, `a Job ${late} ms after the delete was acknowledged`)
    })

  test('deleted with --cascade=orphan: the Jobs stay, without an owner', async () => {
    await cluster.create('up-orphan', { intervalSeconds: 1 })
    await cluster.hasRun('up-orphan', 3)
    await cluster.delete('up-orphan', 'Orphan')
    await cluster.isGone('up-orphan', 10_000)
    const jobs = await cluster.jobsOf('up-orphan')
    assert.ok(jobs.length >= 3)
    assert.deepEqual(
      jobs.flatMap(({ metadata }) => metadata['ownerReferences'] ?? []),
      [],
    )
  })

  test('deleted while a Pod never ends: gone all the same', async () => {
    const template = {
      metadata: { annotations: { 'test/outcome': 'never' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] },
    }
    await cluster.create('endless', { intervalSeconds: 2, jobTemplate: { spec: { template } } })
    await cluster.hasRun('endless', 2)
    await cluster.delete('endless')
    await cluster.isGone('endless', 5_000)
    await leavesNothing('endless')
  })

  test('deleted and recreated under the same name within a second: the new one is served from its own creation', async () => {
    await cluster.create('again', { intervalSeconds: 2 })
    await cluster.hasRun('again')
    await cluster.delete('again')
    const object = await waitFor('the name to be free', 5_000, () => cluster.create('again', { intervalSeconds: 2 }))
    const from = createdAt(object)
    await untilTime(from + 6_900)
    const expectation = expectationOf(object, from + 2_000, from + 6_900)
    const { lost, early } = await cluster.judge([expectation])
    assert.deepEqual({ lost, early }, { lost: [], early: [] })
    const owners = (await cluster.jobsOf('again')).flatMap(
      ({ metadata }) => metadata['ownerReferences'] as { uid: string }[],
    )
    assert.deepEqual([...new Set(owners.map(({ uid }) => uid))], [object.metadata['uid']])
  })

  test('its namespace is deleted: gone within 30 s', async () => {
    await cluster.createNamespace('going')
    await Promise.all([1, 2, 3].map((n) => cluster.create(`n${n}`, { intervalSeconds: n }, 'going')))
    await cluster.hasRun('n1', 2, 'going')
    await cluster.admin.delete('/api/v1/namespaces/going')
    await waitFor(
      'the namespace to be gone',
      30_000,
      async () => (await cluster.admin.get('/api/v1/namespaces/going')) === null,
    )
  })
})

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
