import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { collectorKnows } from '../collector.ts'
import { aJob, aPod, aResource } from '../kinds.ts'
import { group, lacking, only } from '../row.ts'
import type { World } from '../world.ts'

/** A resource with a Job that it controls. */
async function family(world: World, finalizers: readonly string[] = []): Promise<KubeObject> {
  const owner = await world.create(aResource({ name: 'owner', finalizers }))
  await world.create(aJob({ name: 'child', ownerReferences: [referenceTo(owner)] }))
  return owner
}

function referenceTo(owner: KubeObject): object {
  const { name, uid } = owner.metadata
  const { apiVersion, kind } = owner
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

function patched(world: World, body: readonly object[]): Promise<KubeObject> {
  return world.ok(world.path('secondcronjobs', 'a'), { method: 'PATCH', type: 'json-patch+json', body })
}

function finalizersOf(object: KubeObject | null): unknown {
  return object?.metadata['finalizers'] ?? []
}

export const deletes = group('deletes', {
  'what nothing holds is gone at once: 200, a Success with its name, kind and uid': async (world) => {
    const { metadata } = await world.create(aResource({ name: 'a' }))
    const { code, body } = await world.delete('secondcronjobs', 'a')
    const { kind, status, details } = body as Record<string, unknown>
    assert.deepEqual([code, kind, status], [200, 'Status', 'Success'])
    assert.deepEqual(details, { name: 'a', group: 'myyrakle.com', kind: 'secondcronjobs', uid: metadata['uid'] })
    assert.equal(await world.get('secondcronjobs', 'a'), null)
  },
  'what is not there: 404': async (world) => {
    assert.equal(
      await world.verdict(world.path('jobs', 'a'), { method: 'DELETE' }),
      '404 NotFound: jobs.batch "a" not found',
    )
  },
  'a finalizer holds it: answered with the object, which has a time of deletion and one generation more': async (
    world,
  ) => {
    await world.create(aResource({ name: 'a', finalizers: ['example.com/hold'] }))
    const { code, body } = await world.delete('secondcronjobs', 'a')
    const { metadata } = body as KubeObject
    assert.deepEqual([code, metadata['generation'], metadata['deletionGracePeriodSeconds']], [200, 2, 0])
    assert.match(String(metadata['deletionTimestamp']), /^\d{4}-.*Z$/)
    const again = (await world.delete('secondcronjobs', 'a')).body as KubeObject
    assert.equal(again.metadata['deletionTimestamp'], metadata['deletionTimestamp'])
    await world.merge('secondcronjobs', 'a', { metadata: { finalizers: null } })
    assert.equal(await world.get('secondcronjobs', 'a'), null)
  },
  'the last finalizer is taken out of its list by a JSON patch: the list is gone, and a patch can test for that':
    async (world) => {
      await world.create(aResource({ name: 'a', finalizers: ['example.com/hold'] }))
      const path = '/metadata/finalizers'
      const taken = await patched(world, [{ op: 'remove', path: `${path}/0` }])
      assert.equal(taken.metadata['finalizers'], undefined)
      const put = await patched(world, [
        { op: 'test', path, value: null },
        { op: 'add', path, value: ['example.com/more'] },
      ])
      assert.deepEqual(finalizersOf(put), ['example.com/more'])
      await world.merge('secondcronjobs', 'a', { metadata: { finalizers: [], labels: {} } })
      const { metadata } = await world.found('secondcronjobs', 'a')
      assert.deepEqual([metadata['finalizers'], metadata['labels']], [undefined, undefined])
    },
  'a finalizer can not be put on what is being deleted: 422': async (world) => {
    await world.create(aResource({ name: 'a', finalizers: ['example.com/hold'] }))
    await world.delete('secondcronjobs', 'a')
    const body = { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } }
    assert.match(
      await world.verdict(world.path('secondcronjobs', 'a'), { method: 'PATCH', type: 'merge-patch+json', body }),
      /^422 Invalid: .*metadata\.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers .*"example\.com\/more"/,
    )
  },
  'what is being deleted can still be labelled': async (world) => {
    await world.create(aResource({ name: 'a', finalizers: ['example.com/hold'] }))
    await world.delete('secondcronjobs', 'a')
    const { metadata } = await world.merge('secondcronjobs', 'a', { metadata: { labels: { a: 'b' } } })
    assert.deepEqual(metadata['labels'], { a: 'b' })
  },
  'preconditions: the wrong uid or version is 409, and nothing is deleted': async (world) => {
    await world.create(aJob({ name: 'a' }))
    // Until then the controller may write it once more.
    await world.until('it to be seen as suspended', 10_000, async () => {
      return JSON.stringify((await world.found('jobs', 'a'))['status']).includes('Suspended')
    })
    const { metadata } = await world.found('jobs', 'a')
    const wrongUid = await world.delete('jobs', 'a', { preconditions: { uid: 'x' } })
    const wrongVersion = await world.delete('jobs', 'a', { preconditions: { resourceVersion: '1' } })
    const words = [wrongUid, wrongVersion].map(({ body }) => (body as { message: string }).message)
    assert.deepEqual([wrongUid.code, wrongVersion.code], [409, 409])
    assert.match(words[0] ?? '', /UID in (the )?precondition/)
    assert.match(words[1] ?? '', /ResourceVersion in (the )?precondition/)
    const preconditions = { uid: metadata['uid'], resourceVersion: metadata['resourceVersion'] }
    assert.equal((await world.delete('jobs', 'a', { preconditions, propagationPolicy: 'Background' })).code, 200)
    await world.isGone('jobs', 'a')
  },
  'Background: the owner is gone at once, what it owns soon after': async (world) => {
    await family(world)
    assert.equal((await world.delete('secondcronjobs', 'owner', { propagationPolicy: 'Background' })).code, 200)
    assert.equal(await world.get('secondcronjobs', 'owner'), null)
    await world.isGone('jobs', 'child')
  },
  'a custom resource without a policy goes as in the background': async (world) => {
    await family(world)
    await world.delete('secondcronjobs', 'owner')
    assert.equal(await world.get('secondcronjobs', 'owner'), null)
    await world.isGone('jobs', 'child')
  },
  'Foreground: the owner waits, with a finalizer, until what it owns is gone': async (world) => {
    await family(world)
    await world.merge('jobs', 'child', { metadata: { finalizers: ['example.com/hold'] } })
    const { body } = await world.delete('secondcronjobs', 'owner', { propagationPolicy: 'Foreground' })
    assert.deepEqual(finalizersOf(body as KubeObject), ['foregroundDeletion'])
    await world.until('the child to be on its way', 10_000, async () => {
      return (await world.get('jobs', 'child'))?.metadata['deletionTimestamp'] !== undefined
    })
    assert.notEqual(await world.get('secondcronjobs', 'owner'), null)
    await world.merge('jobs', 'child', { metadata: { finalizers: null } })
    await world.isGone('jobs', 'child')
    await world.isGone('secondcronjobs', 'owner')
  },
  'Orphan: what it owns stays, and has no owner any more': async (world) => {
    await family(world)
    await collectorKnows(world)
    const { body } = await world.delete('secondcronjobs', 'owner', { propagationPolicy: 'Orphan' })
    assert.deepEqual(finalizersOf(body as KubeObject), ['orphan'])
    await world.isGone('secondcronjobs', 'owner')
    assert.equal((await world.found('jobs', 'child')).metadata['ownerReferences'], undefined)
  },
  'Orphan beside another finalizer: released, and then held by that one alone': async (world) => {
    await family(world, ['example.com/hold'])
    await collectorKnows(world)
    await world.delete('secondcronjobs', 'owner', { propagationPolicy: 'Orphan' })
    await world.until('the orphan finalizer to be gone', 10_000, async () => {
      return JSON.stringify(finalizersOf(await world.get('secondcronjobs', 'owner'))) === '["example.com/hold"]'
    })
    assert.equal((await world.found('jobs', 'child')).metadata['ownerReferences'], undefined)
    await world.merge('secondcronjobs', 'owner', { metadata: { finalizers: null } })
    await world.isGone('secondcronjobs', 'owner')
  },
  'the policy may stand in the query': async (world) => {
    await family(world)
    await collectorKnows(world)
    const path = `${world.path('secondcronjobs', 'owner')}?propagationPolicy=Orphan`
    assert.equal(await world.verdict(path, { method: 'DELETE' }), '200')
    await world.isGone('secondcronjobs', 'owner')
    assert.notEqual(await world.get('jobs', 'child'), null)
  },
  'a Job that is deleted without a policy leaves its Pods, as it has always been': async (world) => {
    const job = await world.create(aJob({ name: 'a' }))
    await world.create(aPod({ name: 'p', ownerReferences: [referenceTo(job)] }))
    await world.delete('jobs', 'a')
    await world.isGone('jobs', 'a')
    assert.equal((await world.found('pods', 'p')).metadata['ownerReferences'], undefined)
  },
  'what is created under an owner that is not there is taken away': async (world) => {
    const owner = await world.create(aResource({ name: 'owner' }))
    await world.delete('secondcronjobs', 'owner')
    await world.create(aJob({ name: 'late', ownerReferences: [referenceTo(owner)] }))
    await world.isGone('jobs', 'late')
  },
  'an owner of the same name but another uid is none': async (world) => {
    const owner = await world.create(aResource({ name: 'owner' }))
    await world.delete('secondcronjobs', 'owner')
    await world.create(aResource({ name: 'owner' }))
    await world.create(aJob({ name: 'late', ownerReferences: [referenceTo(owner)] }))
    await world.isGone('jobs', 'late')
  },
  'two owners: it stays while one of them is there': async (world) => {
    const [one, other] = [
      await world.create(aResource({ name: 'one' })),
      await world.create(aResource({ name: 'other' })),
    ]
    const second = { ...referenceTo(other), controller: false }
    await world.create(aJob({ name: 'child', ownerReferences: [referenceTo(one), second] }))
    await world.delete('secondcronjobs', 'one', { propagationPolicy: 'Background' })
    await world.pass(2_000)
    assert.notEqual(await world.get('jobs', 'child'), null)
    await world.delete('secondcronjobs', 'other', { propagationPolicy: 'Background' })
    await world.isGone('jobs', 'child')
  },
  'a whole collection, by a label selector': only('real', lacking, async (world) => {
    await world.create(aResource({ name: 'a', labels: { app: 'x' } }))
    await world.create(aResource({ name: 'b' }))
    const path = `${world.path('secondcronjobs')}?labelSelector=app%3Dx`
    assert.equal(await world.verdict(path, { method: 'DELETE' }), '200')
    await world.isGone('secondcronjobs', 'a')
    assert.deepEqual(await world.names('secondcronjobs'), ['b'])
  }),
})
