import { aJob } from './kinds.ts'
import type { World } from './world.ts'

/**
 * Until the garbage collector has heard of every Job that was created before: it hears of them in turn, and takes away one
 * whose owner is not there. Else the real one orphans none, and takes a child that it hears of later for one without an owner.
 */
export async function collectorKnows(world: World): Promise<void> {
  const nobody = { apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob', name: 'nobody', uid: 'u-nobody' }
  await world.create(aJob({ name: 'stray', ownerReferences: [nobody] }))
  await world.isGone('jobs', 'stray')
}
