import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aJob, aResource } from '../kinds.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

function phaseOf(namespace: KubeObject | null): unknown {
  return (namespace?.['status'] as { phase?: string } | undefined)?.phase
}

/** Deletes the world's namespace, which something in it holds. */
async function going(world: World): Promise<void> {
  await world.create(aResource({ name: 'holder', finalizers: ['example.com/hold'] }))
  await world.create(aJob({ name: 'a' }))
  const { code, body } = await world.delete('namespaces', world.namespace)
  assert.deepEqual([code, phaseOf(body as KubeObject)], [200, 'Terminating'])
}

async function letGo(world: World): Promise<void> {
  await world.merge('secondcronjobs', 'holder', { metadata: { finalizers: null } })
  await world.isGone('namespaces', world.namespace, 20_000)
}

export const namespaces = group('namespaces', {
  'a finalizer of its own holds a namespace that is empty': async (world) => {
    await world.merge('namespaces', world.namespace, { metadata: { finalizers: ['example.com/hold'] } })
    await world.delete('namespaces', world.namespace)
    const held = await world.until('it to be empty', 20_000, async () => {
      const namespace = await world.found('namespaces', world.namespace)
      return (namespace['spec'] as { finalizers?: unknown }).finalizers === undefined && namespace
    })
    assert.deepEqual([held.metadata['finalizers'], phaseOf(held)], [['example.com/hold'], 'Terminating'])
    await world.merge('namespaces', world.namespace, { metadata: { finalizers: null } })
    await world.isGone('namespaces', world.namespace)
  },
  'the namespace default can not be deleted: 403': only(
    'real',
    'the embedded server lets every namespace be deleted',
    async (world) => {
      assert.equal(
        await world.verdict('/api/v1/namespaces/default', { method: 'DELETE' }),
        '403 Forbidden: namespaces "default" is forbidden: this namespace may not be deleted',
      )
    },
  ),
  'a namespace is Active, has a label with its name, and a finalizer in its spec': async (world) => {
    const namespace = await world.found('namespaces', world.namespace)
    assert.equal(phaseOf(namespace), 'Active')
    assert.deepEqual(namespace.metadata['labels'], { 'kubernetes.io/metadata.name': world.namespace })
    assert.deepEqual(namespace['spec'], { finalizers: ['kubernetes'] })
  },
  'deleted: Terminating, with a time of deletion, and gone with all that is in it': async (world) => {
    await going(world)
    const namespace = await world.found('namespaces', world.namespace)
    assert.equal(phaseOf(namespace), 'Terminating')
    assert.match(String(namespace.metadata['deletionTimestamp']), /Z$/)
    await world.isGone('jobs', 'a', 15_000)
    assert.notEqual(await world.get('namespaces', world.namespace), null)
    // The kinds of a namespace are emptied one after the other, in no order that is promised.
    await world.until('what is held to be on its way', 15_000, async () => {
      return (await world.found('secondcronjobs', 'holder')).metadata['deletionTimestamp'] !== undefined
    })
    await letGo(world)
  },
  'nothing can be made in one that goes: 403 with the cause NamespaceTerminating': async (world) => {
    await going(world)
    const { code, body } = await world.send(world.path('jobs'), { method: 'POST', body: aJob({ name: 'late' }) })
    const { reason, message: said, details } = body as { reason: string; message: string; details: object }
    assert.deepEqual([code, reason], [403, 'Forbidden'])
    assert.equal(
      said,
      `jobs.batch "late" is forbidden: unable to create new content in namespace ${world.namespace} because it is being terminated`,
    )
    const message = `namespace ${world.namespace} is being terminated`
    assert.partialDeepStrictEqual(details, { kind: 'jobs', causes: [{ reason: 'NamespaceTerminating', message }] })
    await letGo(world)
  },
  'what is in it can still be changed': async (world) => {
    await going(world)
    await world.merge('secondcronjobs', 'holder', { metadata: { labels: { a: 'b' } } })
    await letGo(world)
  },
  'an empty one is gone in seconds': async (world) => {
    await world.delete('namespaces', world.namespace)
    await world.isGone('namespaces', world.namespace)
  },
  'one that is there: 409 AlreadyExists': async (world) => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: world.namespace } }
    assert.equal(
      await world.verdict('/api/v1/namespaces', { method: 'POST', body }),
      `409 AlreadyExists: namespaces "${world.namespace}" already exists`,
    )
  },
  'a list in a namespace that is not there is empty': async (world) => {
    assert.deepEqual((await world.ok('/apis/batch/v1/namespaces/nowhere/jobs'))['items'], [])
  },
  'what is in one that is not there: 404 that names the object': async (world) => {
    const path = '/apis/myyrakle.com/v1/namespaces/nowhere/secondcronjobs/a'
    assert.equal(await world.verdict(path), '404 NotFound: secondcronjobs.myyrakle.com "a" not found')
  },
})
