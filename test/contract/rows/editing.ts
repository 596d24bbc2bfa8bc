import assert from 'node:assert/strict'
import { createdAt } from '../../support/expectations.ts'
import { aResource } from '../kinds.ts'
import { group, only } from '../row.ts'
import { acknowledged, jobsOf, jobsThat, judged, launchesOf, shows, since } from './stories.ts'

export const editing = group('editing', {
  'suspend: no Job later than 1 s after it was acknowledged; resume: none of the slots in between': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'pause' }, { intervalSeconds: 1 }))
    await since(world, object, 3_000)
    await world.merge('secondcronjobs', 'pause', { spec: { suspend: true } })
    const suspendedAt = await acknowledged(world, 'patch', 'pause')
    await shows(world, 'pause', 'suspended')
    await world.passUntil(suspendedAt + 4_000)
    await world.merge('secondcronjobs', 'pause', { spec: { suspend: false } })
    const resumedAt = await acknowledged(world, 'patch', 'pause')
    await world.passUntil(resumedAt + 3_500)
    const between = (await launchesOf(world, 'pause')).filter(
      ({ received, slot }) => received > suspendedAt + 1_000 && slot < resumedAt,
    )
    assert.deepEqual(between, [])
    const from = Math.ceil((resumedAt + 1_000) / 1_000) * 1_000
    assert.deepEqual((await judged(world, object, from, from + 2_000)).lost, [])
  },
  'a new interval: its grid from the same creation, no slot of it from before the edit': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'faster' }, { intervalSeconds: 30 }))
    await since(world, object, 4_500)
    const edited = await world.merge('secondcronjobs', 'faster', { spec: { intervalSeconds: 2 } })
    const editedAt = await acknowledged(world, 'patch', 'faster')
    await since(world, object, 13_000)
    const launches = (await launchesOf(world, 'faster')).filter(({ slot }) => slot > createdAt(object))
    assert.deepEqual(
      launches.filter(({ slot }) => slot < editedAt),
      [],
    )
    const { lost, offGrid } = await judged(world, edited, editedAt + 1_000, createdAt(object) + 12_500)
    assert.deepEqual({ lost, offGrid }, { lost: [], offGrid: [] })
  },
  'an edit of the image: no slot is lost, and the next Job has the new image': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'image' }, { intervalSeconds: 1 }))
    await since(world, object, 3_400)
    await world.merge('secondcronjobs', 'image', { spec: { image: 'busybox:2' } })
    await since(world, object, 7_500)
    const from = createdAt(object) + 2_000
    const { lost, twice } = await judged(world, object, from, from + 5_000)
    assert.deepEqual({ lost, twice }, { lost: [], twice: [] })
    const newest = (await jobsOf(world, 'image')).at(-1)
    assert.partialDeepStrictEqual(newest?.['spec'], { template: { spec: { containers: [{ image: 'busybox:2' }] } } })
  },
  'suspended from the start: Ready, and nothing runs': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'asleep' }, { intervalSeconds: 1, suspend: true }))
    await shows(world, 'asleep', 'suspended')
    await since(world, object, 5_000)
    assert.deepEqual(await launchesOf(world, 'asleep'), [])
  },
  'nobody leads for a while: at most one run of what passed, the newest, and the others are counted': async (world) => {
    const first = await world.operator()
    const object = await world.create(aResource({ name: 'gap' }, { intervalSeconds: 2 }))
    await since(world, object, 5_000)
    await world.stop(first)
    const stoppedAt = world.now()
    await world.pass(9_000)
    await world.operator()
    const startedAt = world.now()
    await world.passUntil(startedAt + 4_500)
    const launches = (await launchesOf(world, 'gap')).filter(({ received }) => received > stoppedAt)
    const late = launches.filter(({ slot, received }) => received - slot > 2_000)
    assert.deepEqual(late, [])
    const { twice, offGrid } = await judged(world, object, createdAt(object), world.now())
    assert.deepEqual({ twice, offGrid }, { twice: [], offGrid: [] })
    const { missedCount } = await world.until('the missed ones to be told', 10_000, async () => {
      const status = (await world.found('secondcronjobs', 'gap'))['status'] as { missedCount: number }
      return status.missedCount > 0 && status
    })
    assert.ok(missedCount >= 2 && missedCount <= 6, String(missedCount))
  },
  'nobody leads for a day: one run of 86,400, and the others are counted': only(
    'embedded',
    'nobody waits a day',
    async (world) => {
      const first = await world.operator()
      const object = await world.create(aResource({ name: 'day' }, { intervalSeconds: 1 }))
      await since(world, object, 3_000)
      await world.stop(first)
      const stoppedAt = world.now()
      await world.pass(86_400_000)
      await world.operator()
      await world.pass(5_000)
      const launches = (await launchesOf(world, 'day')).filter(({ received }) => received > stoppedAt)
      assert.deepEqual(
        launches.filter(({ slot, received }) => received - slot > 1_000),
        [],
      )
      const { twice, offGrid } = await judged(world, object, createdAt(object), world.now())
      assert.deepEqual({ twice, offGrid }, { twice: [], offGrid: [] })
      const { missedCount } = (await world.found('secondcronjobs', 'day'))['status'] as { missedCount: number }
      assert.ok(missedCount >= 86_390 && missedCount <= 86_420, String(missedCount))
    },
  ),
  'suspended and resumed while nobody leads: no run of what passed': async (world) => {
    const first = await world.operator()
    const object = await world.create(aResource({ name: 'cycle' }, { intervalSeconds: 3 }))
    await shows(world, 'cycle', 'every 3s')
    await since(world, object, 7_000)
    await world.stop(first)
    const stoppedAt = world.now()
    await world.merge('secondcronjobs', 'cycle', { spec: { suspend: true } })
    await world.merge('secondcronjobs', 'cycle', { spec: { suspend: false } })
    await world.pass(4_000)
    await world.operator()
    const startedAt = world.now()
    await world.passUntil(startedAt + 5_000)
    const launches = (await launchesOf(world, 'cycle')).filter(({ received }) => received > stoppedAt)
    assert.ok(launches.length > 0)
    assert.deepEqual(
      launches.filter(({ slot, received }) => received - slot > 1_000),
      [],
    )
  },
  'a deadline that passed while nobody led: missed, and the status says why': async (world) => {
    const first = await world.operator()
    const spec = { intervalSeconds: 12, startingDeadlineSeconds: 2 }
    const object = await world.create(aResource({ name: 'strict' }, spec))
    await shows(world, 'strict', 'every 12s')
    await since(world, object, 6_000)
    await world.stop(first)
    await since(world, object, 15_500)
    await world.operator()
    const slot = new Date(createdAt(object) + 12_000).toISOString().replace('.000', '')
    const status = await world.until('it to be told as missed', 10_000, async () => {
      const found = (await world.found('secondcronjobs', 'strict'))['status'] as Record<string, unknown>
      return found['missedCount'] === 1 && found
    })
    assert.deepEqual(status['recent'], [{ slot, outcome: 'Missed', reason: 'DeadlineExceeded' }])
    const launched = (await launchesOf(world, 'strict')).map((launch) => launch.slot)
    assert.ok(!launched.includes(createdAt(object) + 12_000))
  },
  'a TTL is raised to 30 s, and Accepted says so': async (world) => {
    await world.operator()
    await world.create(
      aResource({ name: 'ttl' }, { intervalSeconds: 60, ...jobsThat(undefined, { ttlSecondsAfterFinished: 5 }) }),
    )
    await world.until('it to be said', 10_000, async () => {
      return /ttlSecondsAfterFinished is raised to 30/.test(JSON.stringify(await world.found('secondcronjobs', 'ttl')))
    })
    const job = await world.until('its Job', 5_000, async () => (await jobsOf(world, 'ttl'))[0])
    assert.equal((job['spec'] as { ttlSecondsAfterFinished: number }).ttlSecondsAfterFinished, 30)
  },
})
