import assert from 'node:assert/strict'
import { createdAt } from '../../support/expectations.ts'
import { aResource } from '../kinds.ts'
import { group } from '../row.ts'
import { typesOf } from './job-stories.ts'
import { condition, hasRun, jobsOf, lasting, launchesOf, secondsOf, shows, since, statusOf } from './stories.ts'

/** What the documentation of CronJob says about when Jobs start: docs/cronjob.md has all of it. */
export const likeCronJobInTime = group('like a CronJob, in time', {
  'Jobs are created at the times of the schedule, none when the resource is': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'cron' }, { schedule: '*/3 * * * * *' }))
    await shows(world, 'cron', '*/3 * * * * * (UTC)')
    const from = createdAt(object)
    await since(world, object, 12_900)
    const slots = (await launchesOf(world, 'cron')).map(({ slot }) => slot)
    const first = Math.floor(from / 3_000) * 3_000 + 3_000
    const due = [0, 1, 2, 3].map((n) => first + n * 3_000).filter((slot) => slot <= from + 12_000)
    assert.deepEqual(
      slots.filter((slot) => slot > from + 3_000),
      due.filter((slot) => slot > from + 3_000),
    )
    assert.ok(
      slots.every((slot) => due.includes(slot)),
      String(slots),
    )
  },
  'a run past its deadline is given up, and the later ones start as ever': async (world) => {
    const first = await world.operator()
    const object = await world.create(aResource({ name: 'late' }, { intervalSeconds: 8, startingDeadlineSeconds: 2 }))
    await shows(world, 'late', 'every 8s')
    await since(world, object, 4_000)
    await world.stop(first)
    await since(world, object, 11_500)
    await world.operator()
    await since(world, object, 17_500)
    assert.deepEqual(await secondsOf(world, object), [0, 16])
  },
  'Forbid: when the Job ends before the deadline of a run that was skipped, that run starts; differs, since a skipped run is decided: it stays skipped':
    async (world) => {
      await world.operator()
      const spec = { intervalSeconds: 6, concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 300, ...lasting(6_500) }
      const object = await world.create(aResource({ name: 'forbid' }, spec))
      await hasRun(world, 'forbid')
      await since(world, object, 12_900)
      assert.deepEqual(await secondsOf(world, object), [0, 12])
    },
  'suspend leaves alone what has begun': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'pause' }, { intervalSeconds: 60, ...lasting(4_000) }))
    await hasRun(world, 'pause')
    await world.merge('secondcronjobs', 'pause', { spec: { suspend: true } })
    await shows(world, 'pause', 'suspended')
    await world.until('its Job to be complete', 20_000, async () => {
      const [job] = await jobsOf(world, 'pause')
      return job !== undefined && typesOf(job).includes('Complete=True')
    })
    assert.deepEqual(await secondsOf(world, object), [0])
  },
  'runs that were due while suspended count as missed; differs, since that was wanted: nothing counts them': async (
    world,
  ) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'pause' }, { intervalSeconds: 1, suspend: true }))
    await shows(world, 'pause', 'suspended')
    await since(world, object, 5_000)
    await world.merge('secondcronjobs', 'pause', { spec: { suspend: false } })
    await shows(world, 'pause', 'every 1s')
    await hasRun(world, 'pause')
    await world.until('a launch in the status', 10_000, async () => {
      return (await statusOf(world, 'pause'))['lastScheduleTime'] !== undefined
    })
    const { missedCount, skippedCount, recent } = await statusOf(world, 'pause')
    assert.deepEqual([missedCount, skippedCount, recent], [0, 0, undefined])
  },
  'a time zone that is not known: nothing is started, and an Event has the reason UnknownTimeZone': async (world) => {
    await world.operator()
    await world.create(aResource({ name: 'lost' }, { schedule: '* * * * * *', timeZone: 'Europe/Atlantis' }))
    const { reason, message } = await condition(world, 'lost', 'Accepted', 'False')
    assert.equal(reason, 'UnknownTimeZone')
    assert.match(message, /"Europe\/Atlantis" is not known; write the name of a time zone/)
    await world.until('the Event', 10_000, async () => {
      return (await world.list('events')).some((event) => event['reason'] === 'UnknownTimeZone')
    })
    assert.deepEqual(await jobsOf(world, 'lost'), [])
  },
})
