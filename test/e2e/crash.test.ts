import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, untilTime } from '../support/cluster.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { Proxy } from '../support/proxy.ts'

/** Between the create of a Job and the write of what was run. */

let cluster: Cluster
let proxy: Proxy
/** Behind the proxy, and the first to lead. */
let first: OperatorProcess
let second: OperatorProcess

before(async () => {
  cluster = await Cluster.start({ runMs: 0 })
  proxy = await Proxy.start(cluster.plane)
  first = await (await cluster.operator({ server: proxy.url })).start()
  second = await (await cluster.operator()).start('standby')
})
after(async () => {
  await cluster[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

interface Status {
  readonly handledUntil?: string
  readonly missedCount?: number
}

async function statusOf(name: string): Promise<Status> {
  return (await cluster.get(name))?.['status'] ?? {}
}

const ends = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'busybox' }] } } }

test('the create is committed, its answer and every status are lost, and the leader is killed at once: not run twice', async () => {
  await cluster.create('killed', { intervalSeconds: 600 })
  proxy.loseCreates(() => first.signal('SIGKILL'))
  await waitFor('the first launch', 15_000, async () => (await cluster.launchesOf('killed')).length > 0)
  await waitFor('the standby to lead', 12_000, () => second.leads())
  proxy.keepCreates()
  await waitFor('the slot to be stored', 10_000, async () => (await statusOf('killed')).handledUntil !== undefined)
  const launches = await cluster.launchesOf('killed')
  assert.equal(launches.length, 1)
  const status = await statusOf('killed')
  assert.deepEqual([Date.parse(status.handledUntil ?? ''), status.missedCount], [launches[0]?.slot, 0])
})

test('no status is ever written, the Job goes by its TTL, and the leader is killed: the standby has seen the Job, and does not run it again', async (t) => {
  await first.start('standby')
  await second.terminate()
  await waitFor('the first one to lead', 12_000, () => first.leads())
  await second.start('standby')
  proxy.freeze((url) => url.endsWith('/gone-by-ttl/status'))
  const spec = { ...ends, ttlSecondsAfterFinished: 1 }
  await cluster.create('gone-by-ttl', { intervalSeconds: 600, jobTemplate: { spec } })
  await cluster.hasRun('gone-by-ttl')
  const startedAt = Date.now()
  await waitFor('the Job to go', 50_000, async () => (await cluster.jobsOf('gone-by-ttl')).length === 0)
  t.diagnostic(
    `the Job went ${((Date.now() - startedAt) / 1_000).toFixed(0)} s after its end, with a TTL of 1 s in the template`,
  )
  assert.equal((await statusOf('gone-by-ttl')).handledUntil, undefined)
  await first.kill()
  await waitFor('the standby to lead', 12_000, () => second.leads())
  await waitFor('the slot to be stored', 10_000, async () => (await statusOf('gone-by-ttl')).handledUntil !== undefined)
  assert.equal((await cluster.launchesOf('gone-by-ttl')).length, 1)
  assert.equal((await statusOf('gone-by-ttl')).missedCount, 0)
  proxy.thaw()
})

test('nobody is there for eight seconds: what was missed is counted to the last second, and none of it is run later', async (t) => {
  const objects = await Promise.all([
    cluster.create('each-one', { intervalSeconds: 1, startingDeadlineSeconds: 1 }),
    cluster.create('each-second-one', { intervalSeconds: 2, startingDeadlineSeconds: 1 }),
  ])
  await untilTime(Math.max(...objects.map(createdAt)) + 7_000)
  await second.kill()
  await untilTime(Date.now() + 8_000)
  await second.start()
  for (const [name, intervalMs] of [
    ['each-one', 1_000],
    ['each-second-one', 2_000],
  ] as const) {
    const counted = await waitFor(`the count of ${name}`, 15_000, async () => {
      const { handledUntil = '', missedCount } = await statusOf(name)
      const until = Date.parse(handledUntil)
      const launches = (await cluster.launchesOf(name)).filter(({ slot }) => slot <= until)
      const slots = launches.map(({ slot }) => slot)
      assert.equal(new Set(slots).size, slots.length)
      const due = (until - Math.min(...slots)) / intervalMs + 1
      return missedCount === due - slots.length && missedCount > 0 ? missedCount : null
    })
    t.diagnostic(`${name}: ${counted} missed`)
    const late = (await cluster.launchesOf(name)).slice(1).filter(({ slot, received }) => received - slot > 1_500)
    assert.deepEqual(late, [])
  }
})
