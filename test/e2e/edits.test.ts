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

async function statusShows(name: string, schedule: string): Promise<KubeObject> {
  return waitFor(`${name} to show ${schedule}`, 5_000, async () => {
    const object = await cluster.get(name)
    return (object?.['status'] as { observedSchedule?: string } | undefined)?.observedSchedule === schedule
      ? object
      : null
  })
}

describe('while the operator is up', { concurrency: true }, () => {
  test('suspend: no Job later than 1 s after it was acknowledged; resume: none of the slots in between', async () => {
    const object = await cluster.create('pause', { intervalSeconds: 1 })
    await untilTime(createdAt(object) + 3_000)
    await cluster.edit('pause', { suspend: true })
    const suspendedAt = await cluster.acknowledged('patch', 'pause')
    await statusShows('pause', 'suspended')
    await untilTime(suspendedAt + 4_000)
    await cluster.edit('pause', { suspend: false })
    const resumedAt = await cluster.acknowledged('patch', 'pause')
    await untilTime(resumedAt + 3_500)
    const launches = await cluster.launchesOf('pause')
    assert.deepEqual(
      launches.filter(({ received, slot }) => received > suspendedAt + 1_000 && slot < resumedAt),
      [],
    )
    const from = Math.ceil((resumedAt + 1_000) / 1_000) * 1_000
    const { lost } = await cluster.judge([expectationOf(object, from, from + 2_000)])
    assert.deepEqual(lost, [])
  })

  test('a new interval: its grid from the same creation, no slot of it from before the edit', async () => {
    const object = await cluster.create('faster', { intervalSeconds: 30 })
    await untilTime(createdAt(object) + 4_500)
    const edited = await cluster.edit('faster', { intervalSeconds: 2 })
    const editedAt = await cluster.acknowledged('patch', 'faster')
    await untilTime(createdAt(object) + 13_000)
    const launches = (await cluster.launchesOf('faster')).filter(({ slot }) => slot > createdAt(object))
    assert.deepEqual(
      launches.filter(({ slot }) => slot < editedAt),
      [],
    )
    const from = editedAt + 1_000
    const { lost, offGrid } = await cluster.judge([expectationOf(edited, from, createdAt(object) + 12_500)])
    assert.deepEqual({ lost, offGrid }, { lost: [], offGrid: [] })
  })

  test('an edit of the image: no slot is lost, and the next Job has the new image', async () => {
    const object = await cluster.create('image', { intervalSeconds: 1 })
    await untilTime(createdAt(object) + 3_400)
    await cluster.edit('image', { image: 'busybox:2' })
    await untilTime(createdAt(object) + 7_500)
    const from = createdAt(object) + 2_000
    const { lost, twice } = await cluster.judge([expectationOf(object, from, from + 5_000)])
    assert.deepEqual({ lost, twice }, { lost: [], twice: [] })
    const newest = (await cluster.jobsOf('image')).at(-1)
    assert.ok(newest !== undefined)
    const { template } = newest['spec'] as { template: { spec: { containers: { image: string }[] } } }
    assert.equal(template.spec.containers[0]?.image, 'busybox:2')
  })
})

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
