import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { Proxy } from '../support/proxy.ts'
import type { OperatorProcess } from '../support/operator-process.ts'

let cluster: Cluster
let proxy: Proxy
let operator: OperatorProcess
before(async () => {
  cluster = await Cluster.start()
  proxy = await Proxy.start(cluster.plane)
  operator = await (await cluster.operator({ server: proxy.url })).start()
})
after(async () => {
  await cluster[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

test('the API server is killed for 20 s and comes back: the operator stays, says so, and catches up once at most', async (t) => {
  const objects = await Promise.all(
    Array.from({ length: 12 }, (_, n) => cluster.create(`o${n}`, { intervalSeconds: 1 + (n % 4) * 3 })),
  )
  const from = Math.max(...objects.map(createdAt)) + 3_000
  await untilTime(from + 3_000)
  const { pid } = operator
  const start = Date.now() - 100
  await cluster.plane.killApiServer()
  await waitFor('/readyz to say no', 6_000, async () => (await operator.probe('/readyz')) === 503)
  assert.equal(await operator.probe('/healthz'), 200)
  await untilTime(start + 20_000)
  assert.equal(await operator.probe('/readyz'), 503)
  await cluster.plane.startApiServer()
  const backAt = Date.now()
  await waitFor('/readyz to say yes', 15_000, async () => (await operator.probe('/readyz')) === 200)
  t.diagnostic(`ready ${Date.now() - backAt} ms after the API server`)
  // Retries are at most five seconds apart.
  const end = backAt + 5_500
  await untilTime(end + 15_000)
  assert.deepEqual([operator.pid, operator.isRunning], [pid, true])
  const outages = [{ start, end }]
  const verdict = await cluster.judge(
    objects.map((object) => ({ ...expectationOf(object, from, end + 14_000), outages })),
  )
  const { lost, twice, offGrid, early, backRuns } = verdict
  assert.deepEqual(
    { lost, twice, offGrid, early, backRuns },
    { lost: [], twice: [], offGrid: [], early: [], backRuns: [] },
  )
  for (const object of objects) {
    const late = (await cluster.launchesOf(object.metadata.name)).filter(
      ({ received }) => received >= backAt - 1_500 && received < end,
    )
    const { intervalSeconds } = object['spec'] as { intervalSeconds: number }
    const regular = Math.ceil((end - backAt + 1_500) / 1_000 / intervalSeconds)
    assert.ok(
      late.length <= regular + 1,
      `${late.length} runs of a ${intervalSeconds} s resource right after the outage`,
    )
    await cluster.delete(object.metadata.name)
  }
})

test('the watches are silent for ever while the API is well: the scan keeps things right, /readyz says so, the watches come back', async () => {
  const running = await cluster.create('goes', { intervalSeconds: 1 })
  await waitFor('Jobs', 10_000, async () => (await cluster.launchesOf('goes')).length >= 2)
  // Fresh watches, so that the silence is not ended by the time that they were asked for.
  assert.ok(proxy.silenceWatches() >= 2)
  const silentAt = performance.now()

  await cluster.create('comes', { intervalSeconds: 1 })
  await waitFor(
    'a resource that no watch has told of to be served',
    12_000,
    async () => (await cluster.launchesOf('comes')).length > 0,
  )
  await cluster.edit('comes', { suspend: true })
  await cluster.delete('goes')
  const deletedAt = Date.now()
  await waitFor('the deleted resource to be gone', 17_000, async () => (await cluster.get('goes')) === null)
  await delay(1_000)
  assert.deepEqual(
    (await cluster.launchesOf('goes')).filter(({ received }) => received > deletedAt + 12_000),
    [],
  )
  assert.deepEqual(
    (await cluster.launchesOf('comes')).filter(({ received }) => received > deletedAt + 12_000),
    [],
  )
  assert.ok(createdAt(running) < deletedAt)

  const limitMs = 60_000 - (performance.now() - silentAt)
  await waitFor('/readyz to say no', limitMs, async () => (await operator.probe('/readyz')) === 503)
  await waitFor('/readyz to say yes again', 15_000, async () => (await operator.probe('/readyz')) === 200)
  await cluster.create('seen', { intervalSeconds: 60 })
  await waitFor('the watches to tell again', 2_000, async () => (await cluster.launchesOf('seen')).length > 0)
})

test('SIGTERM: it stops within ten seconds, with exit code 0', async () => {
  const startedAt = performance.now()
  assert.equal(await operator.terminate(), 0)
  assert.ok(performance.now() - startedAt < 10_000)
})

test('SIGTERM while the API server does not answer: it stops within ten seconds all the same', async () => {
  await operator.start()
  await cluster.create('hanging', { intervalSeconds: 1 })
  await waitFor('a Job', 5_000, async () => (await cluster.launchesOf('hanging')).length > 0)
  cluster.plane.parts.apiServer.signal('SIGSTOP')
  await delay(2_500)
  const startedAt = performance.now()
  assert.equal(await operator.terminate(), 0)
  assert.ok(performance.now() - startedAt < 10_000)
})
