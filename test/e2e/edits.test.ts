import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, createdAt, untilTime } from '../support/cluster.ts'
import type { OperatorProcess } from '../support/operator-process.ts'

let cluster: Cluster
let operator: OperatorProcess
before(async () => {
  cluster = await Cluster.start()
  operator = await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

async function statusShows(name: string, schedule: string): Promise<KubeObject> {
  return waitFor(`${name} to show ${schedule}`, 5_000, async () => {
    const object = await cluster.get(name)
    return (object?.['status'] as { observedSchedule?: string } | undefined)?.observedSchedule === schedule
      ? object
      : null
  })
}

test('suspended, resumed and edited while the operator was down: never a back-run', async () => {
  const names = ['down-suspend', 'down-cycle', 'down-faster']
  const [suspended, , faster] = await Promise.all(
    names.map((name) => cluster.create(name, { intervalSeconds: name === 'down-faster' ? 60 : 1 })),
  )
  assert.ok(suspended !== undefined && faster !== undefined)
  for (const name of names) await statusShows(name, name === 'down-faster' ? 'every 60s' : 'every 1s')
  await untilTime(createdAt(suspended) + 6_500)
  await operator.kill()
  const killedAt = Date.now()
  await cluster.edit('down-suspend', { suspend: true })
  await cluster.edit('down-cycle', { suspend: true })
  await cluster.edit('down-cycle', { suspend: false })
  await cluster.edit('down-faster', { intervalSeconds: 3 })
  await untilTime(killedAt + 4_000)
  await operator.start()
  const startedAt = Date.now()
  await untilTime(startedAt + 5_000)

  const launchedSince = async (name: string) =>
    (await cluster.launchesOf(name)).filter(({ received }) => received > killedAt)
  assert.deepEqual(await launchedSince('down-suspend'), [])
  for (const name of ['down-cycle', 'down-faster']) {
    const launches = await launchedSince(name)
    assert.ok(launches.length >= 1, `${name} was not served`)
    assert.deepEqual(
      launches.filter(({ slot, received }) => received - slot > 1_000),
      [],
      `${name} ran a slot from before the start`,
    )
  }
})
