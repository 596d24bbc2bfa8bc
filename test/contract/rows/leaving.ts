import assert from 'node:assert/strict'
import { createdAt } from '../../support/expectations.ts'
import { aJob, aResource } from '../kinds.ts'
import { group, type Row } from '../row.ts'
import type { World } from '../world.ts'
import { acknowledged, hasRun, jobsOf, jobsThat, judged, launchesOf, since } from './stories.ts'

async function leavesNothing(world: World, name: string): Promise<void> {
  await world.until(`Jobs and Pods of ${name} to be gone`, 15_000, async () => {
    const pods = (await world.names('pods')).filter((pod) => pod.startsWith(`${name}-`))
    return (await jobsOf(world, name)).length + pods.length === 0
  })
}

function goneWith(propagationPolicy: 'Background' | 'Foreground'): Row['run'] {
  return async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'beat' }, { intervalSeconds: 1 }))
    await hasRun(world, 'beat', 3)
    await world.delete('secondcronjobs', 'beat', { propagationPolicy })
    await world.isGone('secondcronjobs', 'beat', 5_000)
    await leavesNothing(world, 'beat')
    const last = (await launchesOf(world, 'beat')).at(-1)?.received ?? Number.NaN
    const late = last - (await acknowledged(world, 'delete', 'beat'))
    assert.ok(late <= 1_000, `a Job ${late} ms after the delete was acknowledged`)
  }
}

/** After twenty seconds of one Job every three there are so many left, and no slot ran twice or was lost on the way. */
export function keeps(spec: Record<string, unknown>, want: number): Row['run'] {
  return async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'kept' }, { intervalSeconds: 3, ...spec }))
    await since(world, object, 20_500)
    await world.merge('secondcronjobs', 'kept', { spec: { suspend: true } })
    await world.until(`${want} Jobs`, 30_000, async () => (await jobsOf(world, 'kept')).length === want)
    const { lost, twice } = await judged(world, object, createdAt(object), createdAt(object) + 20_000)
    assert.deepEqual({ lost, twice }, { lost: [], twice: [] })
  }
}

export const leaving = group('leaving', {
  'deleted in the background: no Job later than 1 s after, gone within 5 s, and everything with it':
    goneWith('Background'),
  'deleted in the foreground: no Job later than 1 s after, gone within 5 s, and everything with it':
    goneWith('Foreground'),
  'deleted as an orphan: the Jobs stay, without an owner': async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'beat' }, { intervalSeconds: 1 }))
    await hasRun(world, 'beat', 3)
    await world.delete('secondcronjobs', 'beat', { propagationPolicy: 'Orphan' })
    await world.isGone('secondcronjobs', 'beat', 10_000)
    const jobs = await jobsOf(world, 'beat')
    assert.ok(jobs.length >= 3)
    assert.deepEqual(
      jobs.flatMap(({ metadata }) => metadata['ownerReferences'] ?? []),
      [],
    )
  },
  'deleted while a Pod never ends: gone all the same': async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'endless' }, { intervalSeconds: 2, ...jobsThat('never') }))
    await hasRun(world, 'endless', 2)
    await world.delete('secondcronjobs', 'endless', { propagationPolicy: 'Background' })
    await world.isGone('secondcronjobs', 'endless', 5_000)
    await leavesNothing(world, 'endless')
  },
  'deleted and made anew under its name: the new one is served from its own creation': async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'again' }, { intervalSeconds: 2 }))
    await hasRun(world, 'again')
    await world.delete('secondcronjobs', 'again', { propagationPolicy: 'Background' })
    await world.isGone('secondcronjobs', 'again', 5_000)
    const object = await world.create(aResource({ name: 'again' }, { intervalSeconds: 2 }))
    await since(world, object, 6_900)
    const { lost, early } = await judged(world, object, createdAt(object) + 2_000, createdAt(object) + 6_900)
    assert.deepEqual({ lost, early }, { lost: [], early: [] })
    const owners = (await jobsOf(world, 'again')).flatMap(
      ({ metadata }) => metadata['ownerReferences'] as { uid: string }[],
    )
    assert.deepEqual([...new Set(owners.map(({ uid }) => uid))], [object.metadata['uid']])
  },
  'its namespace is deleted: gone within 30 s': async (world) => {
    await world.operator()
    for (const n of [1, 2, 3]) await world.create(aResource({ name: `n${n}` }, { intervalSeconds: n }))
    await hasRun(world, 'n1', 2)
    await world.delete('namespaces', world.namespace)
    await world.isGone('namespaces', world.namespace, 30_000)
  },
  'its namespace goes, and something else holds it: our finalizer goes, and the rest waits': async (world) => {
    await world.operator()
    await world.create(aJob({ name: 'holder', finalizers: ['example.com/hold'] }))
    await world.create(aResource({ name: 'beat' }, { intervalSeconds: 1 }))
    await hasRun(world, 'beat')
    await world.delete('namespaces', world.namespace)
    await world.isGone('secondcronjobs', 'beat', 15_000)
    await world.merge('jobs', 'holder', { metadata: { finalizers: null } })
    await world.isGone('namespaces', world.namespace, 20_000)
  },
  'a finalizer of ours is on it before its first Job': async (world) => {
    await world.operator()
    const watch = await world.client.watch(`${world.path('secondcronjobs')}?watch=true`)
    await world.create(aResource({ name: 'held' }, { intervalSeconds: 30 }))
    await hasRun(world, 'held')
    const held = watch.events.find(({ object }) => object.metadata['finalizers'] !== undefined)?.object
    assert.deepEqual(held?.metadata['finalizers'], ['myyrakle.com/second-cron-job'])
    const [job] = await jobsOf(world, 'held')
    assert.ok(Number(held?.metadata['resourceVersion']) < Number(job?.metadata['resourceVersion']))
  },
  'history of none: no finished Job stays': keeps({ successfulJobsHistoryLimit: 0 }, 0),
  'history of two: the newest two stay': keeps({ successfulJobsHistoryLimit: 2 }, 2),
  'history of failed Jobs: the newest one stays, whatever is kept of the others': keeps(
    { successfulJobsHistoryLimit: 0, ...jobsThat('fail') },
    1,
  ),
  'active Jobs are never deleted by the history': async (world) => {
    await world.operator()
    const limits = { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }
    const object = await world.create(
      aResource({ name: 'active' }, { intervalSeconds: 2, ...limits, ...jobsThat('never') }),
    )
    await since(world, object, 20_500)
    assert.equal((await jobsOf(world, 'active')).length, 11)
  },
  'the newest Job is deleted by hand: its slot is not run again': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'by-hand' }, { intervalSeconds: 15 }))
    await hasRun(world, 'by-hand')
    await world.delete('jobs', `by-hand-${createdAt(object) / 1_000}`, { propagationPolicy: 'Background' })
    await since(world, object, 16_000)
    const slots = (await launchesOf(world, 'by-hand')).map(({ slot }) => slot - createdAt(object))
    assert.deepEqual(slots, [0, 15_000])
  },
})
