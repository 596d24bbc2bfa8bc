import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, untilTime } from '../support/cluster.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { writesOf } from '../support/pair.ts'
import { Proxy } from '../support/proxy.ts'

/** Creates that the operator gives up on, and runs that were skipped and not noted: counted once, and never run again. */

let cluster: Cluster
let proxy: Proxy
/** Behind the proxy, and the first to lead. */
let first: OperatorProcess
let second: OperatorProcess

before(async () => {
  cluster = await Cluster.start({ runMs: 0 })
  proxy = await Proxy.start(cluster.plane)
  const args = ['--create-timeout-seconds', '1']
  first = await (await cluster.operator({ server: proxy.url, args })).start()
  second = await (await cluster.operator()).start('standby')
})
after(async () => {
  await cluster[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})
afterEach(() => proxy.thaw())

interface Status {
  readonly handledUntil?: string
  readonly lastScheduleTime?: string
  readonly missedCount?: number
  readonly skippedCount?: number
}

async function settled(name: string): Promise<Status & { readonly handledUntil: string }> {
  return waitFor(`a slot in the status of ${name}`, 15_000, async () => {
    const status: Status = (await cluster.get(name))?.['status'] ?? {}
    const { handledUntil } = status
    return handledUntil !== undefined && { ...status, handledUntil }
  })
}

/** The one launch of it, and a status that says so and nothing else. */
async function assertOnce(name: string): Promise<void> {
  const { handledUntil, lastScheduleTime, missedCount, skippedCount } = await settled(name)
  const slots = (await cluster.launchesOf(name)).map(({ slot }) => slot)
  assert.deepEqual(slots, [Date.parse(handledUntil)])
  assert.deepEqual([lastScheduleTime, missedCount, skippedCount], [handledUntil, 0, 0])
}

/** The trial of a template is a create as well. */
const isCreate = (url: string) => url.includes('/jobs?') && url.includes('timeout=') && !url.includes('dryRun')

test('a create is committed and its answer never comes: aborted, looked up, counted once', async () => {
  proxy.holdCreates()
  await cluster.create('held', { intervalSeconds: 600 })
  await waitFor('the look-up', 10_000, async () =>
    (await cluster.audit()).some(
      ({ verb, resource, name }) => verb === 'get' && resource === 'jobs' && name.startsWith('held-'),
    ),
  )
  await assertOnce('held')
})

test('a create is aborted that never arrived: tried again, counted once', async () => {
  proxy.freeze(isCreate)
  await cluster.create('lost', { intervalSeconds: 600 })
  await untilTime(Date.now() + 3_500)
  assert.equal((await cluster.launchesOf('lost')).length, 0)
  proxy.thaw()
  await assertOnce('lost')
})

test('Forbid: a skip that no status tells of is not run by the next leader, and every second is counted once', async (t) => {
  proxy.freeze((url) => url.endsWith('/busy/status'))
  const template = {
    metadata: { annotations: { 'test/run-ms': '12000' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] },
  }
  const spec = { intervalSeconds: 10, concurrencyPolicy: 'Forbid', jobTemplate: { spec: { template } } }
  const start = createdAt(await cluster.create('busy', spec))
  await untilTime(start + 13_500)
  assert.equal(((await cluster.get('busy'))?.['status'] as Status | undefined)?.handledUntil, undefined)
  await first.kill()
  await waitFor('the standby to lead', 12_000, () => second.leads())
  const { missedCount = 0, skippedCount = 0 } = await waitFor('the third second in the status', 20_000, async () => {
    const status = await settled('busy')
    return Date.parse(status.handledUntil) >= start + 20_000 && status
  })
  const slots = (await cluster.launchesOf('busy')).map(({ slot }) => slot - start)
  t.diagnostic(`launched at ${slots.join(', ')} ms; ${skippedCount} skipped, ${missedCount} missed`)
  assert.deepEqual(slots, [0, 20_000])
  assert.equal(missedCount + skippedCount, 1)
  assert.deepEqual(
    writesOf(first, await cluster.audit()).filter(({ name }) => name === `busy-${start / 1_000 + 10}`),
    [],
  )
})
