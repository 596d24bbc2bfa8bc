import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecondCronJob } from '../../../src/api/secondcronjob.ts'
import { Foresight } from '../../../src/controller/foresight.ts'
import { aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { calculations } from '../../support/calculations.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at } from '../../support/times.ts'

const at10 = (n: number, timeZone: string) =>
  aSecondCronJob({ name: `beat-${n}` }, { schedule: { kind: 'cron', text: `*/10,${n + 11} * * * * *`, timeZone } })

test('schedules that differ, due in the same second: all are launched, and nothing is calculated then', async (t) => {
  const story = new OperatorStory('12:00:00.400')
  const objects = Array.from({ length: 9 }, (_, n) => at10(n, 'Africa/Nairobi'))
  await using running = await story.start(...objects)
  for (const time of ['12:00:10', '12:00:20', '12:00:30', '12:00:40', '12:01:00']) {
    await running.clock.advanceTo(at(time) - 1)
    running.created()
    const calculated = calculations(t)
    await running.until(`${time}.400`)
    assert.equal(running.created().length, 9)
    assert.equal(calculated(), 0, time)
  }
})

/** Foresight alone, as on a standby. */
function aForesight(...objects: SecondCronJob[]) {
  const clock = new ManualClock('2026-01-01T12:00:00.200Z')
  const state = { busy: false }
  const stop = new AbortController()
  const foresight = new Foresight({ clock, objects: new Map(objects.entries()), isBusy: () => state.busy })
  return { clock, state, stop, run: () => foresight.run(stop.signal) }
}

test('a standby has calculated what it needs when it takes over', async (t) => {
  const objects = Array.from({ length: 9 }, (_, n) => at10(n, 'Africa/Lagos'))
  const { clock, stop, run } = aForesight(...objects)
  const running = run()
  await clock.advanceTo(at('12:01:05.600'))
  const calculated = calculations(t)
  await using leader = await new OperatorStory('12:01:05.700').start(...objects)
  await leader.until('12:01:10.400')
  assert.ok(leader.created().length >= 9)
  assert.equal(calculated(), 0)
  stop.abort()
  await running
})

test('only in the quiet half of a second, and behind creates that wait, for a quarter of one at most', async (t) => {
  const { clock, state, stop, run } = aForesight(at10(0, 'Africa/Cairo'))
  const running = run()
  const calculated = calculations(t)
  const when = async (from: string, to: string) => {
    await clock.advanceTo(at(from))
    calculated()
    for (let now = at(from); now < at(to); now += 5) {
      await clock.advanceTo(now)
      if (calculated() > 0) return new Date(now).toISOString().slice(20, 23)
    }
    return 'never'
  }
  await clock.advanceTo(at('12:00:30'))
  assert.equal(await when('12:01:00.900', '12:01:50'), '500')
  state.busy = true
  assert.equal(await when('12:02:00.900', '12:02:50'), '750')
  stop.abort()
  await running
})

test('what is not launched by a cron text is not calculated', async (t) => {
  const calculated = calculations(t)
  const text = { kind: 'cron', text: '*/9 * * * * *', timeZone: 'Africa/Accra' } as const
  const invalid = { valid: false as const, reason: 'InvalidSpec' as const, problems: ['no'] }
  const objects = [
    aSecondCronJob({ name: 'a' }, { schedule: text, suspend: true }),
    aSecondCronJob({ name: 'b' }, everySeconds(10)),
    { ...aSecondCronJob({ name: 'c' }), spec: invalid },
  ]
  const { clock, stop, run } = aForesight(...objects)
  const running = run()
  await clock.advanceTo(at('12:00:30'))
  assert.equal(calculated(), 0)
  stop.abort()
  await running
})
