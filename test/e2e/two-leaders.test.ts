import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildVariant, everybodyLeads } from '../mutants/variant.ts'
import { Tree } from '../mutants/tree.ts'
import { waitFor } from '../support/admin.ts'
import { Cluster, untilTime } from '../support/cluster.ts'
import { Fleet } from '../support/fleet.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { createsOf } from '../support/pair.ts'

/** A build of the operator in which the Lease keeps nobody from leading: what is left are the names and the guards. */

let cluster: Cluster
let tree: Tree
let both: readonly OperatorProcess[]
let fleet: Fleet

before(async () => {
  tree = await Tree.copy()
  const { bundle } = await buildVariant(tree, everybodyLeads)
  // Jobs end at once and go as soon as they may, so that names are free again while both are at work.
  cluster = await Cluster.start({ runMs: 0 })
  const first = await (await cluster.operator({ bundle })).start()
  both = [first, await (await cluster.operator({ bundle })).start()]
  fleet = await Fleet.create(cluster, 10, 3, { successfulJobsHistoryLimit: 0 })
})
after(async () => {
  await cluster[Symbol.asyncDispose]()
  await tree[Symbol.asyncDispose]()
})

test('two leaders for 25 seconds: every second once, by the names and the guards alone; the counters are right', async (t) => {
  const from = Date.now() + 1_000
  await untilTime(from + 25_000)
  assert.deepEqual(await Promise.all(both.map((operator) => operator.leads())), [true, true])
  t.diagnostic(await fleet.judged(from, []))
  const counted = await Promise.all(
    both.map(async (operator) => {
      const codes = createsOf(operator, await cluster.audit())
        .filter(({ received }) => received >= from)
        .map(({ code }) => code)
      return { won: codes.filter((code) => code === 201).length, taken: codes.filter((code) => code === 409).length }
    }),
  )
  t.diagnostic(counted.map(({ won, taken }) => `${won} created, ${taken} found taken`).join('; '))
  // Otherwise there were no two.
  for (const { won, taken } of counted) assert.ok(won > 0 && taken > 0)
  assert.ok(
    (await cluster.audit()).some(
      ({ verb, resource, code }) => verb === 'delete' && resource === 'jobs' && code === 200,
    ),
  )
  await waitFor('statuses that miss nothing', 15_000, async () => {
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => (await cluster.get(`f${index}`))?.['status'] as Status),
    )
    return statuses.every(({ missedCount, handledUntil }) => missedCount === 0 && Date.parse(handledUntil) > from)
  })
})

interface Status {
  readonly missedCount: number
  readonly handledUntil: string
}
