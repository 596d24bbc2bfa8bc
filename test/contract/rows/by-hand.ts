import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aResource, podSpec } from '../kinds.ts'
import { group } from '../row.ts'
import type { World } from '../world.ts'
import { condition, hasRun, jobsOf, jobsThat, launchesOf, shows, statusOf } from './stories.ts'

const runNow = 'myyrakle.com/run-now'

function ask(world: World, name: string, token: string): Promise<KubeObject> {
  return world.merge('secondcronjobs', name, { metadata: { annotations: { [runNow]: token } } })
}

async function isServed(world: World, name: string, token: string): Promise<void> {
  await world.until(`the token ${token} to be served`, 5_000, async () => {
    return (await statusOf(world, name))['lastManualRun'] === token
  })
}

async function manualJobs(world: World, name: string): Promise<readonly KubeObject[]> {
  return (await jobsOf(world, name)).filter(({ metadata }) => metadata.name.startsWith(`${name}-m`))
}

function templateWith(pod: object): object {
  return { spec: { template: { spec: { ...podSpec, ...pod } } } }
}

export const byHand = group('by hand', {
  'run-now: one extra Job for each new token, marked as manual; the same token again does nothing': async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'report' }, { intervalSeconds: 3_600 }))
    for (const token of ['first', 'second']) {
      await ask(world, 'report', token)
      await isServed(world, 'report', token)
    }
    await ask(world, 'report', 'second')
    await world.pass(3_000)
    const jobs = await manualJobs(world, 'report')
    assert.equal(jobs.length, 2)
    for (const { metadata } of jobs)
      assert.equal((metadata['annotations'] as Record<string, string>)['cronjob.kubernetes.io/instantiate'], 'manual')
  },
  'run-now: a token that comes back after another one is run again, though its first Job is still there': async (
    world,
  ) => {
    await world.operator()
    await world.create(aResource({ name: 'again' }, { intervalSeconds: 3_600, suspend: true }))
    for (const token of ['a', 'b', 'a']) {
      await ask(world, 'again', token)
      await isServed(world, 'again', token)
    }
    assert.equal((await manualJobs(world, 'again')).length, 3)
    assert.equal((await statusOf(world, 'again'))['manualRunCount'], 3)
  },
  'run-now waits while Accepted is False, and runs when the template is mended': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 3_600, suspend: true, jobTemplate: templateWith({ restartPolicy: 'Always' }) }
    await world.create(aResource({ name: 'broken' }, spec))
    await condition(world, 'broken', 'Accepted', 'False')
    await ask(world, 'broken', 'now')
    await world.pass(10_000)
    assert.deepEqual(await launchesOf(world, 'broken'), [])
    await world.merge('secondcronjobs', 'broken', { spec: { jobTemplate: templateWith({ restartPolicy: 'Never' }) } })
    await isServed(world, 'broken', 'now')
    assert.equal((await manualJobs(world, 'broken')).length, 1)
  },
  'the Jobs of a resource, and of no other, are listed by its label': async (world) => {
    await world.operator()
    for (const name of ['mine', 'mine-too']) await world.create(aResource({ name }, { intervalSeconds: 3_600 }))
    await hasRun(world, 'mine-too')
    await ask(world, 'mine', 'now')
    await isServed(world, 'mine', 'now')
    await hasRun(world, 'mine', 3)
    const names = await world.names('jobs', 'labelSelector=myyrakle.com/second-cron-job%3Dmine')
    assert.equal(names.length, 2)
    for (const name of names) assert.match(name, /^mine-(\d{10}|m[0-9a-f]{9})$/)
  },
  'run-now: also while suspended; neither the grid nor lastScheduleTime nor the generation moves': async (world) => {
    await world.operator()
    const { metadata } = await world.create(aResource({ name: 'asleep' }, { intervalSeconds: 5, suspend: true }))
    await shows(world, 'asleep', 'suspended')
    await ask(world, 'asleep', 'now')
    await isServed(world, 'asleep', 'now')
    const status = await statusOf(world, 'asleep')
    assert.deepEqual([status['lastScheduleTime'], status['handledUntil']], [undefined, undefined])
    assert.equal((await world.found('secondcronjobs', 'asleep')).metadata['generation'], metadata['generation'])
    assert.equal((await manualJobs(world, 'asleep')).length, 1)
  },
  'run-now ignores Forbid; its Job counts as active, so that the next run is skipped': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 4, firstRun: 'AfterInterval', concurrencyPolicy: 'Forbid', ...jobsThat('never') }
    await world.create(aResource({ name: 'busy' }, spec))
    await shows(world, 'busy', 'every 4s, first after the interval')
    await ask(world, 'busy', 'one')
    await isServed(world, 'busy', 'one')
    await world.until('a skipped run', 10_000, async () => Number((await statusOf(world, 'busy'))['skippedCount']) > 0)
    const slots = (await launchesOf(world, 'busy')).filter(({ slot }) => !Number.isNaN(slot))
    assert.deepEqual(slots, [])
  },
  'run-now served before the leader changes is not served again': async (world) => {
    const first = await world.operator()
    await world.create(aResource({ name: 'once' }, { intervalSeconds: 3_600 }))
    await ask(world, 'once', 'only')
    await isServed(world, 'once', 'only')
    await world.stop(first)
    await world.operator()
    await world.pass(3_000)
    assert.equal((await manualJobs(world, 'once')).length, 1)
  },
  'run-now: a token that is too long: an Event says so, and nothing runs': async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'long' }, { intervalSeconds: 3_600 }))
    await ask(world, 'long', 'x'.repeat(257))
    await world.until('the Event', 5_000, async () =>
      (await world.list('events')).some((event) => String(event['note']).includes('write a shorter one')),
    )
    assert.deepEqual(await manualJobs(world, 'long'), [])
  },
})
