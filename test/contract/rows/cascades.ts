import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aJob, aResource } from '../kinds.ts'
import { group } from '../row.ts'
import type { World } from '../world.ts'

/** A resource that waits for a Job of its own, which a finalizer holds. */
async function waiting(world: World): Promise<void> {
  const { metadata, apiVersion, kind } = await world.create(aResource({ name: 'a' }))
  const owner = { apiVersion, kind, name: 'a', uid: metadata['uid'], blockOwnerDeletion: true }
  await world.create(aJob({ name: 'child', finalizers: ['example.com/hold'], ownerReferences: [owner] }))
  await world.until('the child to be known', 5_000, async () => {
    await world.delete('secondcronjobs', 'a', { propagationPolicy: 'Foreground' })
    return (await world.found('jobs', 'child')).metadata['deletionTimestamp'] !== undefined
  })
}

/** The finalizers of what an answer shows, undefined when it says that the object is gone. */
function heldBy(body: unknown): unknown {
  return (body as KubeObject).metadata['finalizers']
}

export const cascades = group('cascades', {
  'a deletion that waits goes on as it was begun when it is asked for again without a policy': async (world) => {
    await waiting(world)
    const { body } = await world.send(world.path('secondcronjobs', 'a'), { method: 'DELETE' })
    assert.deepEqual(heldBy(body), ['foregroundDeletion'])
    await world.merge('jobs', 'child', { metadata: { finalizers: null } })
    await world.isGone('secondcronjobs', 'a', 20_000)
  },
  'Background after Foreground: it does not wait any longer': async (world) => {
    await waiting(world)
    await world.delete('secondcronjobs', 'a', { propagationPolicy: 'Background' })
    assert.equal(await world.get('secondcronjobs', 'a'), null)
    await world.merge('jobs', 'child', { metadata: { finalizers: null } })
  },
  'a policy that there is none of: 422, and it stays': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const { code, body } = await world.delete('secondcronjobs', 'a', { propagationPolicy: 'Gently' })
    assert.equal(code, 422)
    assert.match(
      (body as { message?: string }).message ?? '',
      /^DeleteOptions\.meta\.k8s\.io "" is invalid: propagationPolicy: Unsupported value: "Gently": supported values: /,
    )
    assert.notEqual(await world.get('secondcronjobs', 'a'), null)
  },
})
