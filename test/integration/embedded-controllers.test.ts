import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { KubeObject } from '../support/admin.ts'
import { conditionOf } from '../support/admin.ts'
import { aJob, aSecondCronJob, definitions, Embedded, jobs, pods, scjs } from '../support/embedded.ts'

let api: Embedded
before(async () => {
  api = await Embedded.start()
})
after(() => api.server.stop())

async function job(name: string): Promise<KubeObject> {
  return (await api.get(`${jobs}/${name}`)).body
}

/** `active succeeded failed`, and what is true of it. */
async function stateOf(name: string): Promise<string> {
  const object = await job(name)
  const { active = 0, succeeded = 0, failed = 0 } = (object['status'] ?? {}) as Record<string, number>
  const types = ['Suspended', 'Complete', 'Failed'].filter((type) => conditionOf(object, type)?.status === 'True')
  return [active, succeeded, failed, ...types].join(' ')
}

async function podsOf(name: string): Promise<readonly string[]> {
  return (await api.names(`${pods}?labelSelector=job-name=${name}`)).map((pod) => pod.slice(0, -6))
}

test('a Job runs one Pod for its time, and is complete', async () => {
  await api.post(jobs, aJob('succeeds', {}, { 'test/run-ms': '3000' }))
  assert.equal(await stateOf('succeeds'), '1 0 0')
  await api.clock.advance(2_999)
  assert.equal(await stateOf('succeeds'), '1 0 0')
  await api.clock.advance(1)
  assert.equal(await stateOf('succeeds'), '0 1 0 Complete')
  const { status } = (await job('succeeds')) as unknown as { status: Record<string, unknown> }
  assert.deepEqual([status['startTime'], status['completionTime']], ['2026-12-01T09:00:00Z', '2026-12-01T09:00:03Z'])
})

test('a Pod that fails is made again after ten seconds, then twenty, until the limit', async () => {
  await api.post(jobs, aJob('fails', { backoffLimit: 2 }, { 'test/outcome': 'fail', 'test/run-ms': '0' }))
  assert.equal(await stateOf('fails'), '0 0 1')
  await api.clock.advance(9_999)
  assert.equal(await stateOf('fails'), '0 0 1')
  await api.clock.advance(1)
  assert.equal(await stateOf('fails'), '0 0 2')
  await api.clock.advance(20_000)
  assert.equal(await stateOf('fails'), '0 0 3 Failed')
  assert.equal(conditionOf(await job('fails'), 'Failed')?.reason, 'BackoffLimitExceeded')
})

test('the deadline of a Job ends its Pod, also one that never ends by itself', async () => {
  await api.post(jobs, aJob('late', { activeDeadlineSeconds: 5 }, { 'test/outcome': 'never' }))
  await api.clock.advance(5_000)
  assert.equal(await stateOf('late'), '0 0 1 Failed')
  assert.equal(conditionOf(await job('late'), 'Failed')?.reason, 'DeadlineExceeded')
  assert.deepEqual(await podsOf('late'), [])
})

test('a suspended Job has no Pod, until it is resumed', async () => {
  await api.post(jobs, aJob('paused', { suspend: true }))
  assert.equal(await stateOf('paused'), '0 0 0 Suspended')
  await api.patch(`${jobs}/paused`, { spec: { suspend: false } })
  assert.equal(await stateOf('paused'), '1 0 0')
  await api.patch(`${jobs}/paused`, { spec: { suspend: true } })
  assert.equal(await stateOf('paused'), '0 0 0 Suspended')
  assert.deepEqual(await podsOf('paused'), [])
  await api.patch(`${jobs}/paused`, { spec: { suspend: false } })
  await api.clock.advance(1_000)
  assert.equal(await stateOf('paused'), '0 1 0 Complete')
})

test('a Job with a time to live goes after it, and its Pods with it', async () => {
  await api.post(jobs, aJob('mortal', { ttlSecondsAfterFinished: 30 }))
  await api.clock.advance(1_000)
  await api.clock.advance(29_999)
  assert.equal(await stateOf('mortal'), '0 1 0 Complete')
  await api.clock.advance(1)
  assert.equal((await api.get(`${jobs}/mortal`)).code, 404)
  assert.deepEqual(await podsOf('mortal'), [])
})

async function family(name: string): Promise<void> {
  const { uid } = (await api.post(scjs, aSecondCronJob(name))).body.metadata
  const kind = { apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob', controller: true, blockOwnerDeletion: true }
  const child = aJob(`${name}-1`, {}, { 'test/outcome': 'never' }) as KubeObject
  await api.post(jobs, { ...child, metadata: { ...child.metadata, ownerReferences: [{ ...kind, name, uid }] } })
}

test('an owner takes its Jobs and their Pods with it, in the background', async () => {
  await family('owner')
  assert.deepEqual(await podsOf('owner-1'), ['owner-1'])
  assert.equal((await api.delete(`${scjs}/owner`)).code, 200)
  assert.equal((await api.get(`${jobs}/owner-1`)).code, 404)
  assert.deepEqual(await podsOf('owner-1'), [])
})

test('an owner that is deleted as an orphan maker leaves its Jobs without an owner', async () => {
  await family('leaver')
  await api.delete(`${scjs}/leaver`, { propagationPolicy: 'Orphan' })
  assert.equal((await api.get(`${scjs}/leaver`)).code, 404)
  assert.equal((await job('leaver-1')).metadata['ownerReferences'], undefined)
})

test('in the foreground, an owner waits for those that block it', async () => {
  await family('waiter')
  await api.patch(`${jobs}/waiter-1`, { metadata: { finalizers: ['test.example.com/hold'] } })
  await api.delete(`${scjs}/waiter`, { propagationPolicy: 'Foreground' })
  const waiting = await api.get(`${scjs}/waiter`)
  assert.deepEqual(waiting.body.metadata['finalizers'], ['foregroundDeletion'])
  assert.equal(
    (await api.patch(`${scjs}/waiter`, { metadata: { finalizers: ['foregroundDeletion', 'a.b/c'] } })).code,
    422,
  )
  await api.patch(`${jobs}/waiter-1`, { metadata: { finalizers: null } })
  assert.equal((await api.get(`${jobs}/waiter-1`)).code, 404)
  assert.equal((await api.get(`${scjs}/waiter`)).code, 404)
})

test('the default deletion of a Job leaves its Pods; a precondition that fails leaves all', async () => {
  await api.post(jobs, aJob('parent', {}, { 'test/outcome': 'never' }))
  assert.equal((await api.delete(`${jobs}/parent`, { preconditions: { uid: 'another' } })).code, 409)
  await api.delete(`${jobs}/parent`)
  assert.equal((await api.get(`${jobs}/parent`)).code, 404)
  assert.deepEqual(await podsOf('parent'), ['parent'])
})

test('an object whose owner does not exist is taken, and collected', async () => {
  const orphan = aJob('foundling') as KubeObject
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'nobody' }]
  const said = await api.post(jobs, { ...orphan, metadata: { ...orphan.metadata, ownerReferences } })
  assert.equal(said.code, 201)
  assert.equal((await api.get(`${jobs}/foundling`)).code, 404)
})

test('a namespace that goes refuses what is new, and waits for finalizers', async () => {
  const inside = jobs.replace('default', 'going')
  await api.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'going' } })
  const held = aJob('held') as KubeObject
  await api.post(inside, { ...held, metadata: { ...held.metadata, finalizers: ['test.example.com/hold'] } })
  await api.delete('/api/v1/namespaces/going')
  const { code, body } = await api.post(inside, aJob('new'))
  const { causes } = (body as unknown as { details: { causes: readonly { reason: string }[] } }).details
  assert.deepEqual([code, causes[0]?.reason], [403, 'NamespaceTerminating'])
  await api.patch(`${inside}/held`, { metadata: { finalizers: null } })
  assert.equal((await api.get('/api/v1/namespaces/going')).code, 404)
  assert.equal((await api.post(inside, aJob('new'))).code, 404)
})

test('without its CustomResourceDefinition a resource is no more, and neither is its path', async () => {
  await using own = await Embedded.start()
  await own.post(scjs, aSecondCronJob('last'))
  const watch = await fetch(`${own.server.url}${scjs}?watch=true`)
  await own.delete(`${definitions}/secondcronjobs.myyrakle.com`)
  assert.deepEqual((await own.get(scjs)).body.message, '404 page not found\n')
  const types = (await watch.text())
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  assert.deepEqual(types, ['ADDED', 'DELETED'])
})
