import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tmpdir } from 'node:os'
import { mkdtemp, rm } from 'node:fs/promises'
import { matrix } from '../faults/matrix.ts'
import { runRow, startCluster } from '../faults/run-row.ts'
import type { Cluster } from '../support/cluster.ts'

/** The rows of the fault matrix that tell most, in short. `npm run test:faults` plays all of them. */
const rows = new Set(['A2-job-create', 'C1-events-dropped', 'D5-api-server-killed'])
const seconds = 8

let cluster: Cluster
let folder: string
before(async () => {
  cluster = await startCluster()
  folder = await mkdtemp(`${tmpdir()}/second-cron-job-faults-`)
})
after(async () => {
  await cluster[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

for (const row of matrix.filter(({ id }) => rows.has(id)))
  test(`${row.id}: ${row.done}: ${row.holds}`, async (t) => {
    const { runs, due, launched, worstLatenessMs, examples } = await runRow(cluster, row, { seconds, folder })
    t.diagnostic(`${runs} times, ${due} slots due, ${launched} launched, the latest after ${worstLatenessMs} ms`)
    assert.deepEqual(examples, [])
  })
