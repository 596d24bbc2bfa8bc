import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../support/admin.ts'
import { Cluster } from '../support/cluster.ts'
import { Fleet } from '../support/fleet.ts'
import { describeGaps } from '../support/gaps.ts'
import { Pair } from '../support/pair.ts'
import { percentile } from '../support/verdict.ts'
import { leasePath } from '../support/service-account.ts'

let cluster: Cluster
let pair: Pair
let fleet: Fleet

before(async () => {
  // Jobs end at once, and go as soon as they may: names are free again.
  cluster = await Cluster.start({ runMs: 0 })
  pair = await Pair.start(cluster)
  fleet = await Fleet.create(cluster, 10, 3, { successfulJobsHistoryLimit: 0 })
})
after(() => cluster[Symbol.asyncDispose]())

/** Somebody who writes another label into the Lease every 50 ms. */
class Labels {
  #count = 0
  readonly #stop = new AbortController()
  readonly #writing = this.#write()

  async #write(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#count += 1
      await cluster.admin.patch(leasePath, 'merge', { metadata: { labels: { count: String(this.#count) } } })
      await delay(50)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#writing
  }
}

for (const { way, end, limit } of [
  { way: 'told to stop', end: 'terminate', limit: 2 },
  { way: 'killed', end: 'kill', limit: 8 },
] as const)
  test(`somebody labels the Lease every 50 ms, and the leader is ${way}: at most ${limit} s without a launch`, async (t) => {
    await using _ = new Labels()
    const from = Date.now() + 1_000
    await delay(4_000)
    const outage = await pair.handOver((leader) => leader[end]())
    await pair.restore()
    t.diagnostic(await fleet.judged(from, [outage]))
    const seconds = await fleet.gaps([outage])
    t.diagnostic(describeGaps(seconds))
    assert.ok(percentile(seconds, 1) <= limit)
  })

test('a label stays there; a count of transitions at its end keeps nobody from leading', async () => {
  const spec = { holderIdentity: '', leaseTransitions: 2_147_483_647 }
  await cluster.admin.patch(leasePath, 'merge', { metadata: { labels: { team: 'a' } }, spec })
  await waitFor('somebody to lead', 8_000, async () => {
    const lease = await cluster.admin.get(leasePath)
    return ((lease?.['spec'] as { holderIdentity?: string } | undefined)?.holderIdentity ?? '') !== ''
  })
  await delay(2_000)
  await pair.roles()
  const lease = await cluster.admin.get(leasePath)
  assert.equal((lease?.metadata['labels'] as { team?: string } | undefined)?.team, 'a')
})
