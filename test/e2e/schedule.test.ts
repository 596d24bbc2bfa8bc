import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, manifests, untilTime } from '../support/cluster.ts'

let cluster: Cluster

before(async () => {
  cluster = await Cluster.start()
  await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

async function refusal(spec: object): Promise<string> {
  return cluster.create('refused', { ...spec }).then(
    () => 'it was accepted',
    (error: Error) => error.message,
  )
}

const zone = { timeZone: 'America/New_York' }
const wrong: Record<string, readonly [spec: object, sentence: RegExp]> = {
  'an interval and a schedule': [
    { intervalSeconds: 1, schedule: '@daily' },
    /write exactly one of intervalSeconds and schedule \(interval_seconds is the older spelling\)/,
  ],
  'a zone with an interval': [{ intervalSeconds: 1, ...zone }, /timeZone goes with schedule; remove it/],
  'a first run with a schedule': [
    { schedule: '@daily', firstRun: 'AtCreation' },
    /firstRun goes with intervalSeconds; remove it/,
  ],
  'a zone in the schedule': [{ schedule: 'TZ=UTC 0 2 * * *' }, /write the time zone into timeZone/],
  '@every': [
    { schedule: '@every 5s' },
    /: schedule: @every has no fixed times; write intervalSeconds in place of schedule$/,
  ],
  'four fields': [{ schedule: '* * * *' }, /write 6 fields \(seconds first\), 5 fields \(minutes first\), or one of @/],
  'seven fields': [{ schedule: '0 0 0 1 1 * 2027' }, /write 6 fields \(seconds first\)/],
  nothing: [{ schedule: ' ' }, /write 6 fields \(seconds first\)/],
  'an offset for a zone': [{ schedule: '@daily', timeZone: '+02:00' }, /write the name of a time zone, such as Europe/],
  'a number': [{ schedule: 5 }, /spec\.schedule: Invalid value: "integer": .*must be of type string/],
}

describe('refused at apply, with a sentence that says what to do', { concurrency: true }, () => {
  for (const [what, [spec, sentence]] of Object.entries(wrong))
    test(what, async () => assert.match(await refusal(spec), sentence))
})

describe('taken, and shown as not accepted within a second or two, never launched', { concurrency: true }, () => {
  const cases: Record<string, readonly [spec: object, reason: string, message: RegExp]> = {
    'feb-30': [{ schedule: '0 0 0 30 2 *' }, 'InvalidSchedule', /never comes/],
    'hour-24': [{ schedule: '* 24 * * *' }, 'InvalidSchedule', /hours: "24" is not possible; write 0 to 23/],
    mars: [{ schedule: '* * * * * *', timeZone: 'Mars/Base' }, 'UnknownTimeZone', /"Mars\/Base" is not known; write/],
  }
  for (const [name, [spec, reason, message]] of Object.entries(cases))
    test(name, async () => {
      await cluster.create(name, { ...spec })
      const condition = await cluster.condition(name, ['Accepted', 'False'])
      assert.equal(condition.reason, reason)
      assert.match(condition.message, message)
      await cluster.edit(name, { schedule: '*/2 * * * * *', timeZone: null })
      await cluster.condition(name, ['Accepted', 'True'])
      await cluster.hasRun(name)
    })
})

describe('cron schedules run', { concurrency: true }, () => {
  test('every other second of a zone: each slot once, none early, none at the creation', async () => {
    const object = await cluster.create('tick', { schedule: '*/2 * * * * *', ...zone })
    const from = createdAt(object) + 2_000
    await untilTime(from + 20_500)
    const launches = await cluster.launchesOf('tick')
    assert.ok(launches.every(({ slot, received }) => received >= slot && slot % 2_000 === 0))
    assert.ok(launches.every(({ slot }) => slot > createdAt(object)))
    const seen = launches.map(({ slot }) => slot).filter((slot) => slot >= from && slot < from + 20_000)
    const first = Math.ceil(from / 2_000) * 2_000
    assert.deepEqual(
      seen,
      Array.from({ length: 10 }, (_, n) => first + n * 2_000),
    )
    const { status } = (await cluster.get('tick')) as unknown as { status: Record<string, string> }
    assert.equal(status['observedSchedule'], '*/2 * * * * * (America/New_York)')
  })

  test('the shipped example: accepted, and its next run is that of its zone', async () => {
    const [manifest] = await manifests('deploy/examples/schedule.yaml')
    await cluster.admin.apply(manifest ?? {})
    const next = await waitFor('the next run', 10_000, async () => {
      const found = (await cluster.get('nightly')) as unknown as { status?: { nextScheduleTime?: string } } | null
      return found?.status?.nextScheduleTime ?? null
    })
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'medium' })
    assert.match(clock.format(Date.parse(next)), /^(02:30:15|03:00:00)$/)
  })

  test('edited from an interval to a schedule and back: no run of either before the edit', async () => {
    await cluster.create('change', { intervalSeconds: 3_600 })
    await cluster.hasRun('change')
    const sent = Date.now()
    const edited = await cluster.edit('change', { intervalSeconds: null, schedule: '* * * * * *' })
    await cluster.hasRun('change', 3)
    const [first, ...others] = (await cluster.launchesOf('change')).map(({ slot }) => slot)
    assert.equal(first, createdAt(edited))
    assert.ok(others.every((slot) => slot >= sent))
    assert.equal((edited['spec'] as { firstRun?: string }).firstRun, undefined)
    await cluster.edit('change', { intervalSeconds: 3_600, schedule: null })
    await waitFor('the change to be seen', 10_000, async () => {
      const found = (await cluster.get('change')) as unknown as { status: { observedSchedule: string } }
      return found.status.observedSchedule === 'every 3600s'
    })
  })
})
