import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Tree } from '../mutants/tree.ts'
import { buildVariant, stopsBeforeItSends } from '../mutants/variant.ts'
import { fenceByPolicy } from '../support/admission-policy.ts'
import { waitFor } from '../support/admin.ts'
import { type AuditRecord, isLaunch } from '../support/audit.ts'
import { Cluster, untilTime } from '../support/cluster.ts'
import { Fleet } from '../support/fleet.ts'
import { createsOf, Pair, writesOf } from '../support/pair.ts'

/**
 * A build that stops, when it is told to, between the look at its fence and the system call that sends a Job: the one
 * place where no look of its own can help.
 */

const stoppedMs = 12_000
const lookedMs = 3_000

let cluster: Cluster
let tree: Tree
let pair: Pair

before(async () => {
  tree = await Tree.copy()
  const { bundle } = await buildVariant(tree, stopsBeforeItSends)
  cluster = await Cluster.start({ runMs: 0 })
  pair = await Pair.start(cluster, { bundle })
  await Fleet.create(cluster, 5, 1, { successfulJobsHistoryLimit: 0 })
})
after(async () => {
  await cluster[Symbol.asyncDispose]()
  await tree[Symbol.asyncDispose]()
})

test('without the policy that one Job is created when it wakes up, and no other', async () => {
  assert.deepEqual(
    (await sentWhenWokenUp()).map(({ code }) => code),
    [201],
  )
})

test('with deploy-fence the API server refuses it, and takes those of the new leader', async () => {
  await fenceByPolicy(cluster.admin)
  const sent = await sentWhenWokenUp()
  assert.deepEqual(
    sent.map(({ code }) => code),
    [422],
  )
  const refused = (await cluster.audit()).filter(
    ({ verb, resource, code, userAgent }) =>
      verb === 'create' && resource === 'jobs' && code === 422 && userAgent.includes('(operator-'),
  )
  assert.deepEqual(
    refused.map(({ name }) => name),
    sent.map(({ name }) => name),
  )
  const [leader] = await pair.roles()
  const ofTheLeader = writesOf(leader, await cluster.audit()).filter(isLaunch)
  assert.ok(ofTheLeader.some(({ received }) => received > (sent[0]?.received ?? Number.NaN)))
})

/** The creates of a leader that was stopped at one and woken up when the other one led. */
async function sentWhenWokenUp(): Promise<readonly AuditRecord[]> {
  const [leader, standby] = await pair.roles()
  const start = Date.now()
  leader.signal('SIGUSR2')
  await untilTime(start + stoppedMs)
  assert.equal(await standby.leads(), true)
  const continued = Date.now()
  leader.signal('SIGCONT')
  await untilTime(continued + lookedMs)
  await waitFor('the one that was stopped to stand by', lookedMs, async () => !(await leader.leads()))
  return createsOf(leader, await cluster.audit()).filter(({ received }) => received >= continued)
}
