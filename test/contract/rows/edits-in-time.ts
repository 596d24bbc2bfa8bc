import assert from 'node:assert/strict'
import { createdAt } from '../../support/expectations.ts'
import { aResource } from '../kinds.ts'
import { group } from '../row.ts'
import type { World } from '../world.ts'
import { acknowledged, hasRun, judged, launchesOf, secondsOf, shows, since } from './stories.ts'

/** This hour and the next one, so that a row that begins just before the next is right as well. */
function theseHours(world: World): string {
  const hour = new Date(world.now()).getUTCHours()
  return `${hour},${(hour + 1) % 24}`
}

async function edited(world: World, name: string, spec: object): Promise<number> {
  await world.merge('secondcronjobs', name, { spec })
  return acknowledged(world, 'patch', name)
}

/** Creates a resource, and edits it to a second of the minute that has passed meanwhile: nothing runs. */
async function justPassed(world: World, specs: (second: number) => readonly [object, object]): Promise<void> {
  await world.operator()
  const [spec, change] = specs((Math.floor(world.now() / 1_000) + 4) % 60)
  const object = await world.create(aResource({ name: 'passed' }, { ...spec }))
  await since(world, object, 6_000)
  const at = await edited(world, 'passed', change)
  await world.passUntil(at + 5_000)
  assert.deepEqual(await launchesOf(world, 'passed'), [])
}

/** The launches that were received later than a second after this time, when the edit was seen for sure. */
async function launchesAfter(world: World, name: string, instant: number): Promise<readonly number[]> {
  return (await launchesOf(world, name)).filter(({ received }) => received > instant + 1_000).map(({ slot }) => slot)
}

/** Each field of the spec that says when, edited while the operator runs. */
export const editsInTime = group('edits of when', {
  'intervalSeconds: made longer, the grid of the new one from the same creation': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'slower' }, { intervalSeconds: 1 }))
    await since(world, object, 4_400)
    const at = await edited(world, 'slower', { intervalSeconds: 6 })
    await since(world, object, 13_500)
    const seconds = (await launchesAfter(world, 'slower', at)).map((slot) => (slot - createdAt(object)) / 1_000)
    assert.deepEqual(seconds, [6, 12])
  },
  'interval_seconds: the same number in the newer spelling changes nothing': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'old' }, { interval_seconds: 2 }))
    await shows(world, 'old', 'every 2s')
    const since0 = (await world.found('secondcronjobs', 'old'))['status'] as { scheduleSince: string }
    await since(world, object, 3_000)
    await edited(world, 'old', { interval_seconds: null, intervalSeconds: 2 })
    await since(world, object, 8_500)
    const { lost, twice, offGrid } = await judged(world, object, createdAt(object), createdAt(object) + 8_100)
    assert.deepEqual({ lost, twice, offGrid }, { lost: [], twice: [], offGrid: [] })
    const { scheduleSince } = (await world.found('secondcronjobs', 'old'))['status'] as { scheduleSince: string }
    assert.equal(scheduleSince, since0.scheduleSince)
  },
  'firstRun: AtCreation after the creation does not run the creation': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'first' }, { intervalSeconds: 5, firstRun: 'AfterInterval' }))
    await shows(world, 'first', 'every 5s, first after the interval')
    await since(world, object, 2_000)
    await edited(world, 'first', { firstRun: 'AtCreation' })
    await since(world, object, 11_500)
    assert.deepEqual(await secondsOf(world, object), [5, 10])
  },
  'firstRun: AfterInterval after the first run changes nothing': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'first' }, { intervalSeconds: 5 }))
    await hasRun(world, 'first')
    await since(world, object, 2_000)
    await edited(world, 'first', { firstRun: 'AfterInterval' })
    await since(world, object, 11_500)
    assert.deepEqual(await secondsOf(world, object), [0, 5, 10])
  },
  'schedule: from the edit on the new text, nothing of it from before': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'cron' }, { schedule: '*/2 * * * * *' }))
    await shows(world, 'cron', '*/2 * * * * * (UTC)')
    await since(world, object, 5_000)
    const at = await edited(world, 'cron', { schedule: '1-59/2 * * * * *' })
    await world.passUntil(at + 8_500)
    const all = (await launchesOf(world, 'cron')).map(({ slot }) => slot)
    assert.deepEqual(
      all.filter((slot) => slot % 2_000 !== 0 && slot < at),
      [],
    )
    const after = all.filter((slot) => slot > at + 1_000 && slot <= at + 8_000)
    assert.ok(after.length >= 3 && after.every((slot) => slot % 2_000 === 1_000), String(after))
    const gaps = after.slice(1).map((slot, index) => slot - (after[index] ?? 0))
    assert.ok(
      gaps.every((gap) => gap === 2_000),
      String(gaps),
    )
  },
  'schedule: a time that has just passed is not run after the fact': (world) =>
    justPassed(world, (second) => [
      { schedule: `${(second + 40) % 60} * * * * *` },
      { schedule: `${second} * * * * *` },
    ]),
  'timeZone: nor one that has just passed in the new zone': (world) =>
    justPassed(world, (second) => {
      const there = (new Date(world.now()).getUTCHours() + 9) % 24
      return [{ schedule: `${second} * ${there},${(there + 1) % 24} * * *` }, { timeZone: 'Asia/Tokyo' }]
    }),
  'schedule in the place of intervalSeconds, and back: each from the edit on': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'both' }, { intervalSeconds: 1 }))
    await since(world, object, 3_400)
    const toCron = await edited(world, 'both', { intervalSeconds: null, schedule: '*/3 * * * * *' })
    await shows(world, 'both', '*/3 * * * * * (UTC)')
    await world.passUntil(toCron + 8_500)
    const cron = await launchesAfter(world, 'both', toCron)
    assert.ok(cron.length >= 2 && cron.every((slot) => slot % 3_000 === 0), String(cron))
    const toInterval = await edited(world, 'both', { intervalSeconds: 4, schedule: null })
    await world.passUntil(toInterval + 9_500)
    const interval = await launchesAfter(world, 'both', toInterval)
    assert.ok(interval.length >= 2, String(interval))
    assert.ok(
      interval.every((slot) => slot > toInterval && (slot - createdAt(object)) % 4_000 === 0),
      String(interval),
    )
  },
  'timeZone: the text is read in the new zone from the edit on, and nothing of the hours before is run': async (
    world,
  ) => {
    await world.operator()
    await world.create(aResource({ name: 'zone' }, { schedule: `* * ${theseHours(world)} * * *` }))
    await hasRun(world, 'zone', 2)
    const away = await edited(world, 'zone', { timeZone: 'Asia/Tokyo' })
    await world.passUntil(away + 5_000)
    assert.deepEqual(await launchesAfter(world, 'zone', away), [])
    const back = await edited(world, 'zone', { timeZone: 'UTC' })
    await world.passUntil(back + 5_500)
    const slots = await launchesAfter(world, 'zone', away)
    assert.ok(slots.length >= 3 && slots.every((slot) => slot > back - 1_000), `${slots.join()} after ${back}`)
  },
  'suspend: true and false again between two runs loses neither': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'pause' }, { intervalSeconds: 8 }))
    await hasRun(world, 'pause')
    await since(world, object, 2_000)
    await edited(world, 'pause', { suspend: true })
    await shows(world, 'pause', 'suspended')
    await edited(world, 'pause', { suspend: false })
    await since(world, object, 17_500)
    assert.deepEqual(await secondsOf(world, object), [0, 8, 16])
  },
})
