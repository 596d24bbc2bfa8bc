import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { KubeObject } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { gapsAround, Pair, writesOf } from '../support/pair.ts'
import { describeLateness, type Outage, percentile } from '../support/verdict.ts'

/** How often each: twenty by hand, or every night; a few in the suite. */
const times = Number(process.env['FAILOVERS'] ?? 5)
const count = 50

let cluster: Cluster
let pair: Pair
let objects: readonly KubeObject[]
before(async () => {
  cluster = await Cluster.start()
  pair = await Pair.start(cluster)
  objects = await Promise.all(
    Array.from({ length: count }, (_, index) => cluster.create(`f${index}`, { intervalSeconds: 1 + (index % 5) })),
  )
  await untilTime(Math.max(...objects.map(createdAt)) + 3_000)
})
after(() => cluster[Symbol.asyncDispose]())

/** Judges all slots from `from` on; answers what was printed. */
async function judged(from: number, outages: readonly Outage[], shortestSeconds = 1): Promise<string> {
  const until = Date.now() + 4_000
  await untilTime(until + 1_500)
  const looked = objects.filter((object) => intervalOf(object) >= shortestSeconds)
  const verdict = await cluster.judge(looked.map((object) => ({ ...expectationOf(object, from, until), outages })))
  const { lost, twice, offGrid, early, backRuns } = verdict
  assert.deepEqual(
    { lost, twice, offGrid, early, backRuns },
    { lost: [], twice: [], offGrid: [], early: [], backRuns: [] },
  )
  return `${verdict.due} slots due while somebody led, ${verdict.launched} launched; ${describeLateness(verdict)}`
}

function intervalOf(object: KubeObject): number {
  return (object['spec'] as { intervalSeconds: number }).intervalSeconds
}

async function gaps(outages: readonly Outage[]): Promise<{ readonly text: string; readonly max: number }> {
  const seconds = gapsAround(
    outages.map(({ start }) => start),
    await cluster.audit(),
  )
  const [p50, max] = [percentile(seconds, 0.5), percentile(seconds, 1)]
  return { text: `seconds without a launch: p50 ${p50.toFixed(1)} max ${max.toFixed(1)} of ${seconds.length}`, max }
}

describe(`the leader ends ${times} times under ${count} resources of 1 to 5 seconds`, () => {
  for (const { way, end, limit } of [
    { way: 'SIGKILL', end: 'kill', limit: 8 },
    { way: 'SIGTERM', end: 'terminate', limit: 2 },
  ] as const)
    test(`${way}: nothing twice, off the grid, early or lost while somebody led; at most ${limit} s without a launch`, async (t) => {
      const from = Date.now() + 1_000
      const outages: Outage[] = []
      for (let time = 0; time < times; time += 1) {
        await delay(1_000 + Math.random() * 2_000)
        outages.push(await pair.handOver((leader) => leader[end]()))
        await pair.restore()
      }
      t.diagnostic(await judged(from, outages))
      const { text, max } = await gaps(outages)
      t.diagnostic(text)
      assert.ok(max <= limit, text)
    })

  test('a rolling restart of both: nothing lost at five seconds', async (t) => {
    const from = Date.now() + 1_000
    await delay(2_000)
    for (let time = 0; time < 2; time += 1) {
      await pair.handOver((leader) => leader.terminate())
      await pair.restore()
    }
    t.diagnostic(await judged(from, [], 5))
  })
})

test('the leader is stopped for 20 seconds and continued: none of its writes commits, and nothing runs twice', async (t) => {
  await cluster.create('ends-at-once', { intervalSeconds: 1, successfulJobsHistoryLimit: 0 })
  await cluster.hasRun('ends-at-once', 3)
  const [leader, standby] = await pair.roles()
  const start = Date.now() - 100
  leader.signal('SIGSTOP')
  await untilTime(start + 20_000)
  const continued = Date.now()
  leader.signal('SIGCONT')
  await untilTime(continued + 10_000)
  const records = await cluster.audit()
  const stale = writesOf(leader, records).filter(({ received }) => received >= continued)
  assert.deepEqual(
    stale.map(({ verb, resource, name }) => `${verb} ${resource} ${name}`),
    [],
  )
  assert.ok(writesOf(standby, records).some(({ received }) => received >= continued))
  assert.equal(await standby.leads(), true)
  const names = (await cluster.launchesOf('ends-at-once')).map(({ slot }) => slot)
  assert.equal(new Set(names).size, names.length)
  t.diagnostic((await gaps([{ start, end: continued }])).text)
})
