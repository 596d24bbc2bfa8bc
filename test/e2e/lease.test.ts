import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, untilTime } from '../support/cluster.ts'
import { Fleet } from '../support/fleet.ts'
import { describeGaps } from '../support/gaps.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { writesOf } from '../support/pair.ts'
import { Proxy } from '../support/proxy.ts'
import type { Outage } from '../support/verdict.ts'
import { leasePath } from '../support/service-account.ts'

let cluster: Cluster
let proxy: Proxy
/** The first to lead, behind the proxy. */
let first: OperatorProcess
let second: OperatorProcess
let fleet: Fleet

before(async () => {
  cluster = await Cluster.start()
  proxy = await Proxy.start(cluster.plane)
  first = await (await cluster.operator({ server: proxy.url })).start()
  second = await (await cluster.operator()).start('standby')
  fleet = await Fleet.create(cluster, 10, 3)
})
after(async () => {
  await cluster[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

async function holder(): Promise<string> {
  const lease = await cluster.admin.get(leasePath)
  return String((lease?.['spec'] as { holderIdentity?: string } | undefined)?.holderIdentity)
}

/** From now until somebody leads who is not this one (or anybody, when none is given). */
async function untilLed(by: OperatorProcess, start: number): Promise<Outage> {
  await waitFor(`${by.name} to lead`, 15_000, () => by.leads())
  return { start: start - 500, end: Date.now() }
}

describe('the Lease under the leader’s feet', () => {
  test('when idle: what the leader and the standby ask for in ten seconds', async (t) => {
    const since = Date.now()
    await untilTime(since + 10_000)
    const asked = (await cluster.audit()).filter(
      ({ received, resource }) => received >= since && resource === 'leases' && received < since + 10_000,
    )
    const of = ({ name }: OperatorProcess) => asked.filter(({ userAgent }) => userAgent.includes(`(${name})`)).length
    t.diagnostic(`requests for the Lease in 10 s: leader ${of(first)}, standby ${of(second)}`)
    assert.ok(of(first) <= 12 && of(second) <= 2)
  })

  test('a create whose answer is lost after it was committed: counted once, and looked up', async () => {
    const from = Date.now() + 1_000
    proxy.loseCreates()
    await untilTime(from + 5_000)
    proxy.keepCreates()
    await fleet.judged(from, [])
    const status = (await cluster.get('f0'))?.['status'] as { missedCount: number }
    assert.equal(status.missedCount, 0)
  })

  test('it is deleted by hand: the leader makes it anew, and no second is lost', async () => {
    const from = Date.now() + 1_000
    await cluster.admin.delete(leasePath)
    await waitFor('the Lease to be back', 5_000, async () => (await holder()).startsWith(first.name))
    await fleet.judged(from, [])
    assert.deepEqual([await first.leads(), await second.leads()], [true, false])
  })

  test('the leader’s requests for it alone are swallowed: it stops writing before the other one begins', async (t) => {
    const from = Date.now() + 1_000
    const start = Date.now()
    proxy.freeze((url) => url.includes('/leases'))
    const outage = await untilLed(second, start)
    await untilTime(outage.end + 2_000)
    const records = await cluster.audit()
    const lastOfFirst = Math.max(...writesOf(first, records).map(({ received }) => received))
    const firstOfSecond = writesOf(second, records).find(
      ({ resource, received }) => resource === 'jobs' && received > start,
    )
    t.diagnostic(
      `last write of the old leader ${((lastOfFirst - start) / 1_000).toFixed(1)} s, first of the new one ${(((firstOfSecond?.received ?? Number.NaN) - start) / 1_000).toFixed(1)} s after the fault`,
    )
    assert.ok(firstOfSecond !== undefined && lastOfFirst < firstOfSecond.received)
    await fleet.judged(from, [outage])
    proxy.thaw()
    assert.equal(await first.leads(), false)
  })

  test('it is handed to a stranger by hand: the leader stops at once, and somebody leads when the stranger’s time is over', async (t) => {
    const from = Date.now() + 1_000
    const start = Date.now()
    await cluster.admin.patch(leasePath, 'merge', { spec: { holderIdentity: 'stranger' } })
    await waitFor('nobody to lead', 2_000, async () => !(await second.leads()) && !(await first.leads()))
    const outage = await Promise.any([untilLed(first, start), untilLed(second, start)])
    await fleet.judged(from, [outage])
    t.diagnostic(describeGaps(await fleet.gaps([outage])))
  })
})
