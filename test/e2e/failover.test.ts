import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Cluster } from '../support/cluster.ts'
import { Fleet } from '../support/fleet.ts'
import { describeGaps } from '../support/gaps.ts'
import { Pair } from '../support/pair.ts'
import { type Outage, percentile } from '../support/verdict.ts'

/** How often each: twenty by hand, or every night (`FAILOVERS=20`); a few in the suite. */
const times = Number(process.env['FAILOVERS'] ?? 3)
const count = 50
/** From the Lease to the first launch: a consistent list of both kinds, on a busy machine. */
const beginningLimitMs = 2_000

let cluster: Cluster
let pair: Pair
let fleet: Fleet
before(async () => {
  cluster = await Cluster.start()
  pair = await Pair.start(cluster)
  fleet = await Fleet.create(cluster, count, 5)
})
after(() => cluster[Symbol.asyncDispose]())

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
      const begun = pair.beginnings.splice(0).toSorted((a, b) => a - b)
      const [half = Number.NaN, most = Number.NaN] = [0.5, 1].map((share) => percentile(begun, share))
      t.diagnostic(`first launch after the first moment of leading: p50 ${half.toFixed(0)} max ${most.toFixed(0)} ms`)
      assert.ok(most <= beginningLimitMs, `the first launch came ${most.toFixed(0)} ms after the Lease`)
      t.diagnostic(await fleet.judged(from, outages))
      const seconds = await fleet.gaps(outages)
      t.diagnostic(describeGaps(seconds))
      assert.ok(percentile(seconds, 1) <= limit, describeGaps(seconds))
    })

  test('a rolling restart of both: nothing lost at five seconds', async (t) => {
    const from = Date.now() + 1_000
    await delay(2_000)
    const outages: Outage[] = []
    // Of both, so often that each of the restarts above has one here.
    for (let time = 0; time < Math.max(2, times); time += 1) {
      outages.push(await pair.handOver((leader) => leader.terminate()))
      await pair.restore()
    }
    t.diagnostic(await fleet.judged(from, [], 5_000))
    t.diagnostic(describeGaps(await fleet.gaps(outages)))
  })
})
