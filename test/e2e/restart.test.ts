import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { describeLateness, type Outage } from '../support/verdict.ts'
import type { OperatorProcess } from '../support/operator-process.ts'

let cluster: Cluster
before(async () => {
  cluster = await Cluster.start()
})
after(() => cluster[Symbol.asyncDispose]())

/** Ten by hand (`KILLS=10`), some in the suite. */
const kills = Number(process.env['KILLS'] ?? 6)
/** A slot that became due just before the kill may have its create still on its way. */
const underwayMs = 100
/** How long a new process may take until it serves: the lease of the dead one has to end first. */
const startLimitMs = 9_000

test(`killed ${kills} times at random moments under 20 resources of 1 to 5 seconds: nothing twice, nothing lost while it was up`, async (t) => {
  const operator = await (await cluster.operator()).start()
  const objects = await Promise.all(
    Array.from({ length: 20 }, (_, index) => cluster.create(`r${index}`, { intervalSeconds: 1 + (index % 5) })),
  )
  const from = Math.max(...objects.map(createdAt)) + 3_000
  await untilTime(from)

  const outages: Outage[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(1_000 + Math.random() * 3_000)
    outages.push(await killAndRestart(operator))
  }
  const until = Date.now() + 5_000
  await untilTime(until + 1_000)

  const verdict = await cluster.judge(objects.map((object) => ({ ...expectationOf(object, from, until), outages })))
  const { lost, twice, offGrid, early, backRuns } = verdict
  assert.deepEqual(
    { lost, twice, offGrid, early, backRuns },
    { lost: [], twice: [], offGrid: [], early: [], backRuns: [] },
  )
  const downMs = outages.reduce((sum, { start, end }) => sum + end - start, 0) / kills
  t.diagnostic(
    `${verdict.due} slots due, ${verdict.launched} launched, down ${downMs.toFixed(0)} ms a time, ${describeLateness(verdict)}`,
  )
})

/** From the kill until the process has said that it runs; its own word decides only what is excused, never what counts. */
async function killAndRestart(operator: OperatorProcess): Promise<Outage> {
  const start = Date.now() - underwayMs
  await operator.kill()
  await operator.start()
  const end = Date.now()
  assert.ok(end - start < startLimitMs, `not ready again after ${end - start} ms`)
  return { start, end }
}
