import assert from 'node:assert/strict'
import { createdAt } from '../../support/expectations.ts'
import { aResource } from '../kinds.ts'
import { group } from '../row.ts'
import type { World } from '../world.ts'
import { jobsOf, jobsThat, lasting, secondsOf, since, statusOf } from './stories.ts'

interface Status {
  readonly activeCount?: number
  readonly skippedCount?: number
  readonly missedCount?: number
  readonly recent?: readonly { readonly outcome: string; readonly reason: string }[]
}

async function skipped(world: World, name: string, times: number): Promise<Status> {
  return world.until(`${times} skipped runs of ${name}`, 20_000, async () => {
    const status: Status = await statusOf(world, name)
    return (status.skippedCount ?? 0) >= times && status
  })
}

async function reasonsOf(world: World, name: string): Promise<readonly unknown[]> {
  const own = (await world.list('events')).filter(
    (event) => (event['regarding'] as { name?: string } | undefined)?.name === name,
  )
  return own.map((event) => event['reason'])
}

export const together = group('together', {
  'Allow is the default: a Job is started beside those that have not finished': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'allow' }, { intervalSeconds: 2, ...lasting(7_000) }))
    await since(world, object, 5_500)
    assert.deepEqual(await secondsOf(world, object), [0, 2, 4])
    assert.equal((await statusOf(world, 'allow'))['skippedCount'], 0)
  },
  'Forbid: a run that is due while a Job has not finished is skipped, and not made up for': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 2, concurrencyPolicy: 'Forbid', ...lasting(4_500) }
    const object = await world.create(aResource({ name: 'forbid' }, spec))
    const { missedCount, recent } = await skipped(world, 'forbid', 3)
    const seconds = await secondsOf(world, object)
    assert.equal(seconds[0], 0)
    assert.ok(
      seconds.every((second, index) => index === 0 || second - (seconds[index - 1] ?? 0) >= 4),
      String(seconds),
    )
    assert.equal(missedCount, 0)
    assert.deepEqual(recent?.[0]?.outcome, 'Skipped')
    assert.deepEqual(recent?.[0]?.reason, 'JobAlreadyActive')
    assert.ok((await reasonsOf(world, 'forbid')).includes('JobAlreadyActive'))
  },
  'Forbid: a suspended Job, as a queue has it, has not finished': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 1, concurrencyPolicy: 'Forbid', ...jobsThat(undefined, { suspend: true }) }
    const object = await world.create(aResource({ name: 'queued' }, spec))
    await skipped(world, 'queued', 2)
    assert.deepEqual(await secondsOf(world, object), [0])
  },
  'Replace: the Job that has not finished is deleted, with its Pods, and the run starts': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 3, concurrencyPolicy: 'Replace', ...jobsThat('never') }
    const object = await world.create(aResource({ name: 'replace' }, spec))
    await since(world, object, 7_500)
    assert.deepEqual(await secondsOf(world, object), [0, 3, 6])
    const left = await world.until('only the newest Job to be left', 5_000, async () => {
      const jobs = await jobsOf(world, 'replace')
      return jobs.length === 1 && jobs
    })
    assert.equal(left[0]?.metadata.name, `replace-${createdAt(object) / 1_000 + 6}`)
    await world.until('their Pods to be gone', 10_000, async () => (await world.list('pods')).length <= 1)
  },
  'Replace: a Job that has finished is history, and stays': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 4, concurrencyPolicy: 'Replace', ...lasting(500) }
    const object = await world.create(aResource({ name: 'kept' }, spec))
    await since(world, object, 5_500)
    assert.equal((await jobsOf(world, 'kept')).length, 2)
  },
  'activeJobsLimit: at so many Jobs that have not finished, a run is skipped': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 1, activeJobsLimit: 2, ...jobsThat('never') }
    const object = await world.create(aResource({ name: 'limit' }, spec))
    const { recent } = await skipped(world, 'limit', 2)
    assert.deepEqual(await secondsOf(world, object), [0, 1])
    assert.equal(recent?.[0]?.reason, 'TooManyActiveJobs')
    assert.ok((await reasonsOf(world, 'limit')).includes('TooManyActiveJobs'))
  },
  'an edit of the policy counts from the next run on': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 2, concurrencyPolicy: 'Forbid', ...jobsThat('never') }
    const object = await world.create(aResource({ name: 'edited' }, spec))
    await skipped(world, 'edited', 1)
    await world.merge('secondcronjobs', 'edited', { spec: { concurrencyPolicy: 'Allow' } })
    const before = (await secondsOf(world, object)).length
    await world.until('a second Job', 6_000, async () => (await secondsOf(world, object)).length > before)
  },
})
