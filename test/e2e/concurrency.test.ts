import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ActiveJobs } from '../support/active-jobs.ts'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster } from '../support/cluster.ts'
import { Pair } from '../support/pair.ts'
import { isLaunch } from '../support/verdict.ts'

/** A few in the suite; 200 resources for 120 seconds by hand. */
const resources = Number(process.env['FORBID_RESOURCES'] ?? 20)
const seconds = Number(process.env['FORBID_SECONDS'] ?? 20)

let cluster: Cluster
let pair: Pair
before(async () => {
  cluster = await Cluster.start({ runMs: 2_500 })
  pair = await Pair.start(cluster)
})
after(() => cluster[Symbol.asyncDispose]())

const policy = (index: number) => (index % 5 === 0 ? 'Replace' : 'Forbid')

interface Counts {
  readonly activeCount?: number
  readonly skippedCount?: number
  readonly missedCount?: number
}

async function countsOf(name: string): Promise<Counts> {
  return ((await cluster.get(name)) as KubeObject & { readonly status?: Counts }).status ?? {}
}

test('Forbid and Replace at one second with Jobs that last longer: never two active, also when the leader is killed', async (t) => {
  await using active = await ActiveJobs.watch(cluster)
  await Promise.all(
    Array.from({ length: resources }, (_, index) =>
      cluster.create(`alone-${index}`, { intervalSeconds: 1, concurrencyPolicy: policy(index) }),
    ),
  )
  for (let kills = 0; kills < 2; kills += 1) {
    await delay((seconds * 1_000) / 3)
    await pair.handOver((leader) => leader.kill())
    await pair.restore()
  }
  await delay((seconds * 1_000) / 3)
  assert.deepEqual([...active.crowded], [])
  assert.equal(active.resources, resources)
  const names = (await cluster.audit()).filter(isLaunch).map(({ name }) => name)
  assert.equal(new Set(names).size, names.length, 'none twice')
  const [replace = 0, forbid = 0] = [0, 1].map(
    (index) => names.filter((name) => name.startsWith(`alone-${index}-`)).length,
  )
  assert.ok(replace > forbid && forbid > 2, `${replace} under Replace, ${forbid} under Forbid`)
  t.diagnostic(
    `${names.length} Jobs of ${resources} resources, at most one active of each; ${forbid} under Forbid, ${replace} under Replace`,
  )
  await Promise.all(Array.from({ length: resources }, (_, index) => cluster.delete(`alone-${index}`)))
})

test('Forbid: what is skipped is counted and named, and told by one Event', async () => {
  await cluster.create('busy', { intervalSeconds: 1, concurrencyPolicy: 'Forbid' })
  const { skippedCount, missedCount } = await waitFor('skipped runs in the status', 15_000, async () => {
    const counts = await countsOf('busy')
    return (counts.skippedCount ?? 0) >= 4 && counts
  })
  assert.ok((skippedCount ?? 0) >= 4)
  assert.equal(missedCount, 0)
  const events = await cluster.admin.list('/apis/events.k8s.io/v1/namespaces/default/events')
  const own = events.filter((event) => (event['regarding'] as { name: string }).name === 'busy')
  assert.ok(own.some((event) => event['reason'] === 'JobAlreadyActive'))
  await cluster.delete('busy')
})

test('activeJobsLimit: a guard rail for Jobs that never end', async () => {
  const never = {
    metadata: { annotations: { 'test/outcome': 'never' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] },
  }
  await cluster.create('stuck', { intervalSeconds: 1, activeJobsLimit: 3, jobTemplate: { spec: { template: never } } })
  await waitFor('skipped runs in the status', 15_000, async () => {
    const { activeCount, skippedCount } = await countsOf('stuck')
    return activeCount === 3 && (skippedCount ?? 0) > 0
  })
  assert.equal((await cluster.launchesOf('stuck')).length, 3)
  await cluster.delete('stuck')
})
