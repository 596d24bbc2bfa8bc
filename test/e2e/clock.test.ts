import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, untilTime } from '../support/cluster.ts'
import { assertClean, Fleet } from '../support/fleet.ts'
import { describeGaps } from '../support/gaps.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { writesOf } from '../support/pair.ts'
import { type Outage, percentile } from '../support/verdict.ts'

/** The shipped bundle with a wall clock that is wrong, beside one whose clock is the API server's. */

const hourMs = 3_600_000
const aheadMs = 3_000
/** A leader's next renewal shows it its clock; what it has decided meanwhile is not sent. */
const handOverLimit = 4

let cluster: Cluster
/** Its clock is right. */
let sound: OperatorProcess
let fleet: Fleet
before(async () => {
  cluster = await Cluster.start()
  sound = await (await cluster.operator()).start()
  fleet = await Fleet.create(cluster, 10, 3)
})
after(() => cluster[Symbol.asyncDispose]())

/** Gives leadership from the one to the other. */
async function handOver(from: OperatorProcess, to: OperatorProcess, how: 'kill' | 'terminate'): Promise<Outage> {
  const start = Date.now() - 500
  await Promise.all([from[how](), waitFor(`${to.name} to lead`, 12_000, () => to.leads())])
  return { start, end: Date.now() }
}

async function launchesOf(operator: OperatorProcess): Promise<number> {
  const writes = writesOf(operator, await cluster.audit())
  return writes.filter(({ verb, resource }) => verb === 'create' && resource === 'jobs').length
}

for (const [what, shiftMs] of [
  ['an hour ahead', hourMs],
  ['an hour behind', -hourMs],
] as const) {
  test(`started ${what}: it never leads, although nobody else does; who comes back with a right clock does`, async (t) => {
    const from = Date.now() + 1_000
    const wrong = await (await cluster.operator({ clock: { shiftMs } })).start('standby')
    const start = Date.now() - 500
    await sound.terminate()
    await untilTime(start + 8_000)
    assert.deepEqual([await wrong.leads(), await launchesOf(wrong)], [false, 0])
    assert.match(await wrong.log(), /differs from the API server/)
    await sound.start()
    const outage = { start, end: Date.now() }
    t.diagnostic(await fleet.judged(from, [outage]))
    await wrong.terminate()
  })

  test(`set ${what} while it leads: it gives the lease back, and launches nothing by that clock`, async (t) => {
    const stepped = await (await cluster.operator({ clock: { stepMs: shiftMs } })).start('standby')
    await handOver(sound, stepped, 'terminate')
    await sound.start('standby')
    const from = Date.now() + 1_000
    await untilTime(from + 2_000)
    const start = Date.now()
    stepped.signal('SIGUSR2')
    await waitFor('the other one to lead', 12_000, () => sound.leads())
    const outage = { start: start - 500, end: Date.now() }
    t.diagnostic(await fleet.judged(from, [outage]))
    const seconds = await fleet.gaps([outage])
    t.diagnostic(describeGaps(seconds))
    assert.ok(percentile(seconds, 1) <= handOverLimit)
    assert.match(await stepped.log(), /ClockSkew/)
    await stepped.terminate()
  })
}

describe('three seconds off: near enough to lead', () => {
  test('three seconds behind: its Jobs come three seconds late; killed: nothing twice, nothing lost', async (t) => {
    const behind = await (await cluster.operator({ clock: { shiftMs: -aheadMs } })).start('standby')
    const from = Date.now() + 1_000
    const outages = [await handOver(sound, behind, 'kill')]
    await sound.start('standby')
    await untilTime(Date.now() + 4_000)
    outages.push(await handOver(behind, sound, 'kill'))
    const excused = outages.map(({ start, end }) => ({ start: start - aheadMs, end }))
    const verdict = await fleet.verdict(from, excused)
    assertClean({ ...verdict, backRuns: [] })
    t.diagnostic(describeGaps(await fleet.gaps(outages)))
  })

  // The last one: what was early stays so in the audit log.
  test('three seconds ahead: its Jobs come three seconds early by the server’s clock; killed, and back again: nothing twice, nothing lost', async (t) => {
    const ahead = await (await cluster.operator({ clock: { shiftMs: aheadMs } })).start('standby')
    const from = Date.now() + 1_000
    await untilTime(from + 1_000)
    const outages = [await handOver(sound, ahead, 'kill')]
    await sound.start('standby')
    await untilTime(Date.now() + 4_000)
    outages.push(await handOver(ahead, sound, 'kill'))
    // By its own clock it was the next three seconds that it had launched, or had no time for.
    const excused = outages.map(({ start, end }) => ({ start, end: end + aheadMs }))
    const { early, lateness, ...verdict } = await fleet.verdict(from, excused)
    assertClean({ ...verdict, early: [], lateness })
    const earliest = Math.min(...lateness)
    t.diagnostic(
      `${early.length} of ${verdict.launched} before their second, the earliest by ${(-earliest).toFixed(0)} ms`,
    )
    assert.ok(early.length > 0 && earliest >= -aheadMs, `${earliest} ms`)
    t.diagnostic(describeGaps(await fleet.gaps(outages)))
  })
})
