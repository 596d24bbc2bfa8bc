import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { createdAt } from '../../support/expectations.ts'
import { aResource, podSpec } from '../kinds.ts'
import { group, type Row } from '../row.ts'
import type { World } from '../world.ts'
import { hasRun, jobsOf, jobsThat, judged, secondsOf, shows, since, statusOf } from './stories.ts'

type Spec = Readonly<Record<string, unknown>>

function edit(world: World, name: string, spec: Spec): Promise<KubeObject> {
  return world.merge('secondcronjobs', name, { spec })
}

/** An edit of what has nothing to do with time: each slot has its Job, those before the edit without it, those after with it. */
function changesJobs(spec: Spec, change: Spec, [before, after]: readonly [object, object]): Row['run'] {
  return async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'edited' }, { intervalSeconds: 2, ...spec }))
    await hasRun(world, 'edited')
    await since(world, object, 3_000)
    await edit(world, 'edited', change)
    await since(world, object, 7_500)
    const { lost, twice, offGrid } = await judged(world, object, createdAt(object), createdAt(object) + 7_000)
    assert.deepEqual({ lost, twice, offGrid }, { lost: [], twice: [], offGrid: [] })
    const jobs = await jobsOf(world, 'edited')
    assert.partialDeepStrictEqual(jobs[0], before)
    assert.partialDeepStrictEqual(jobs.at(-1), after)
    const { missedCount, observedGeneration } = await world.until('the status of the edit', 10_000, async () => {
      const status = await statusOf(world, 'edited')
      return status['observedGeneration'] === 2 && status
    })
    assert.deepEqual([missedCount, observedGeneration], [0, 2])
  }
}

const container = (fields: object) => ({ spec: { template: { spec: { containers: [fields] } } } })
const templateOf = (fields: object) => ({
  spec: { template: { spec: { ...podSpec, containers: [{ ...podSpec.containers[0], ...fields }] } } },
})
const marked = (team: string) => ({ metadata: { labels: { team }, annotations: { 'example.com/team': team } } })

/** After a limit of history was lowered, so many finished Jobs are left, and no slot was lost. */
function shortens(limit: string, spec: Spec): Row['run'] {
  return async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'kept' }, { intervalSeconds: 3, [limit]: 10, ...spec }))
    await since(world, object, 13_500)
    assert.equal((await jobsOf(world, 'kept')).length, 5)
    await edit(world, 'kept', { [limit]: 1 })
    await since(world, object, 19_500)
    const { lost, twice } = await judged(world, object, createdAt(object), createdAt(object) + 19_000)
    assert.deepEqual({ lost, twice }, { lost: [], twice: [] })
    await edit(world, 'kept', { suspend: true })
    await world.until('one to be left', 20_000, async () => (await jobsOf(world, 'kept')).length === 1)
  }
}

/** Each field of the spec, edited while the operator runs; `edits.test.ts` sees to it that none is left out. */
export const edits = group('edits', {
  'image: no slot is lost, and the next Job has it': changesJobs({}, { image: 'busybox:2' }, [
    container({ image: 'busybox' }),
    container({ image: 'busybox:2' }),
  ]),
  'image: edited while nobody leads, the run that is late starts with it': async (world) => {
    const first = await world.operator()
    const object = await world.create(aResource({ name: 'late' }, { intervalSeconds: 12 }))
    await shows(world, 'late', 'every 12s')
    await since(world, object, 6_000)
    await world.stop(first)
    await edit(world, 'late', { image: 'busybox:2' })
    await since(world, object, 15_500)
    await world.operator()
    await hasRun(world, 'late', 2)
    assert.deepEqual(await secondsOf(world, object), [0, 12])
    assert.partialDeepStrictEqual((await jobsOf(world, 'late')).at(-1), container({ image: 'busybox:2' }))
  },
  'name: no slot is lost, and the next Job has it': changesJobs({ name: 'old' }, { name: 'new' }, [
    container({ name: 'old' }),
    container({ name: 'new' }),
  ]),
  'command: no slot is lost, and the next Job has it': changesJobs({ command: ['a'] }, { command: ['b', 'c'] }, [
    container({ command: ['a'] }),
    container({ command: ['b', 'c'] }),
  ]),
  'args: no slot is lost, and the next Job has them': changesJobs({ args: ['a'] }, { args: ['b', 'c'] }, [
    container({ args: ['a'] }),
    container({ args: ['b', 'c'] }),
  ]),
  'jobTemplate: no slot is lost, and the next Job is made of it': changesJobs(
    { jobTemplate: { ...marked('a'), ...templateOf({ image: 'a' }) } },
    { jobTemplate: { ...marked('b'), ...templateOf({ image: 'b' }) } },
    [
      { ...marked('a'), ...container({ image: 'a' }) },
      { ...marked('b'), ...container({ image: 'b' }) },
    ],
  ),
  'jobTemplate in the place of image: no slot is lost': changesJobs(
    {},
    { image: null, jobTemplate: templateOf({ image: 'b' }) },
    [container({ image: 'busybox' }), container({ image: 'b' })],
  ),
  'successfulJobsHistoryLimit: what is too many now goes, and no slot is lost': shortens(
    'successfulJobsHistoryLimit',
    {},
  ),
  'failedJobsHistoryLimit: what is too many now goes, and no slot is lost': shortens(
    'failedJobsHistoryLimit',
    jobsThat('fail'),
  ),
  'activeJobsLimit: from the next run on, and the skipped ones are not run': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 2, activeJobsLimit: 1, ...jobsThat('never') }
    const object = await world.create(aResource({ name: 'limit' }, spec))
    await hasRun(world, 'limit')
    await since(world, object, 5_000)
    await edit(world, 'limit', { activeJobsLimit: 2 })
    await since(world, object, 11_500)
    assert.deepEqual(await secondsOf(world, object), [0, 6])
    await world.until('the skipped ones to be counted', 10_000, async () => {
      return Number((await statusOf(world, 'limit'))['skippedCount']) >= 4
    })
  },
  'concurrencyPolicy: Allow, Forbid, Replace, each from the next run on': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'policy' }, { intervalSeconds: 2, ...jobsThat('never') }))
    await hasRun(world, 'policy', 2)
    await since(world, object, 3_000)
    await edit(world, 'policy', { concurrencyPolicy: 'Forbid' })
    await since(world, object, 7_000)
    assert.deepEqual(await secondsOf(world, object), [0, 2])
    assert.equal((await jobsOf(world, 'policy')).length, 2)
    await edit(world, 'policy', { concurrencyPolicy: 'Replace' })
    await since(world, object, 9_500)
    assert.deepEqual(await secondsOf(world, object), [0, 2, 8])
    await world.until('only the newest Job to be left', 5_000, async () => (await jobsOf(world, 'policy')).length === 1)
  },
  'startingDeadlineSeconds: put in and taken out, no slot is lost': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'deadline' }, { intervalSeconds: 2 }))
    await hasRun(world, 'deadline')
    await since(world, object, 3_000)
    await edit(world, 'deadline', { startingDeadlineSeconds: 1 })
    await since(world, object, 5_000)
    await edit(world, 'deadline', { startingDeadlineSeconds: null })
    await since(world, object, 8_500)
    const { lost, twice } = await judged(world, object, createdAt(object), createdAt(object) + 8_100)
    assert.deepEqual({ lost, twice }, { lost: [], twice: [] })
  },
  'startingDeadlineSeconds: taken out while nobody leads, the run that is late starts after all': async (world) => {
    const first = await world.operator()
    const object = await world.create(aResource({ name: 'late' }, { intervalSeconds: 12, startingDeadlineSeconds: 1 }))
    await shows(world, 'late', 'every 12s')
    await since(world, object, 6_000)
    await world.stop(first)
    await edit(world, 'late', { startingDeadlineSeconds: null })
    await since(world, object, 15_500)
    await world.operator()
    await hasRun(world, 'late', 2)
    assert.deepEqual(await secondsOf(world, object), [0, 12])
  },
})
