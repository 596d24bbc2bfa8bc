import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fenceByPolicy } from '../support/admission-policy.ts'
import { Cluster, untilTime } from '../support/cluster.ts'
import { assertClean, Fleet } from '../support/fleet.ts'
import { describeGaps } from '../support/gaps.ts'
import { Pair, writesOf } from '../support/pair.ts'
import type { Outage } from '../support/verdict.ts'

/** How often: twenty by hand (`STOPS=20`), a few in the suite. */
const times = Number(process.env['STOPS'] ?? 2)
const stoppedMs = 20_000
const lookedMs = 6_000
/** What it takes a stopped leader's successor to begin. */
const takeoverMs = 8_000

let cluster: Cluster
let pair: Pair
let fleet: Fleet
before(async () => {
  // Jobs end at once, and go as soon as they may: the name of a slot is free again when the old leader wakes up.
  cluster = await Cluster.start({ runMs: 0 })
  pair = await Pair.start(cluster)
  // For what is sent by a leader that is stopped between its look at the fence and the system call (paused.test.ts).
  await fenceByPolicy(cluster.admin)
  fleet = await Fleet.create(cluster, 20, 2, { successfulJobsHistoryLimit: 0 })
})
after(() => cluster[Symbol.asyncDispose]())

test(`the leader is stopped for 20 seconds and continued, ${times} times: none of its creates, patches and deletes commits, nothing runs twice`, {
  timeout: 60_000 + times * 40_000,
}, async (t) => {
  const from = Date.now() + 1_000
  await untilTime(from + 2_000)
  const outages: Outage[] = []
  for (let time = 0; time < times; time += 1) outages.push(await stopAndContinue(2 + 4 * (time % 5)))
  const verdict = await fleet.verdict(from, outages)
  assertClean(verdict)
  const deleted = (await cluster.audit()).filter(
    ({ verb, resource, code }) => verb === 'delete' && resource === 'jobs' && code === 200,
  )
  t.diagnostic(`${verdict.launched} Jobs, ${deleted.length} of them cleaned up while the operators changed`)
  assert.ok(deleted.length > 0, 'no Job was deleted: no name was free again')
  t.diagnostic(describeGaps(await fleet.gaps(outages)))
})

/** So long after a second: some of its creates are decided and not written yet. Answers when nobody could launch. */
async function stopAndContinue(afterMs: number): Promise<Outage> {
  const [leader, standby] = await pair.roles()
  await delay(1_000 - (Date.now() % 1_000) + afterMs)
  const start = Date.now()
  leader.signal('SIGSTOP')
  await untilTime(start + stoppedMs)
  const continued = Date.now()
  leader.signal('SIGCONT')
  await untilTime(continued + lookedMs)
  const records = await cluster.audit()
  const stale = writesOf(leader, records).filter(({ received }) => received >= continued)
  const [events, others] = [true, false].map((isEvent) =>
    stale
      .filter(({ resource }) => (resource === 'events') === isEvent)
      .map(({ verb, resource, name }) => `${verb} ${resource} ${name}`),
  )
  assert.deepEqual(others, [])
  // No policy looks at those: the one that it was about to send when it was stopped.
  assert.ok((events?.length ?? 0) <= 1, events?.join())
  assert.ok(writesOf(standby, records).some(({ resource, received }) => resource === 'jobs' && received >= continued))
  assert.deepEqual([await leader.leads(), await standby.leads()], [false, true])
  return { start: start - 500, end: start + takeoverMs }
}
