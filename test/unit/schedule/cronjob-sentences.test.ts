import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSecondCronJob } from '../../../src/api/decode.ts'
import { decide } from '../../../src/schedule/decide.ts'
import { nextSlot } from '../../../src/schedule/slots.ts'
import type { Action, CronGrid, Instant } from '../../../src/schedule/state.ts'
import { aScheduleState } from '../../support/schedule-state.ts'

/**
 * What the reference and the pages of Kubernetes' CronJob say about schedule and time zone, in our words, sentence by
 * sentence. Where we differ, the name says why. docs/cronjob.md lists them, and those that are rows of test/contract.
 */

const cron = (text: string, timeZone = 'UTC', anchor = 0): CronGrid => ({ kind: 'cron', anchor, text, timeZone })
const iso = (instant: Instant | null) => (instant === null ? null : new Date(instant).toISOString().slice(0, 19))

/** Each text, and its first runs in 2027 (a year that begins on a Friday). */
const runs: Record<string, readonly [text: string, zone: string, slots: readonly string[]]> = {
  'five fields are minute, hour, day of month, month and day of week': ['5 4 3 2 *', 'UTC', ['2027-02-03T04:05:00']],
  '0 3 * * 1 is each Monday at 3 in the morning': ['0 3 * * 1', 'UTC', ['2027-01-04T03:00:00', '2027-01-11T03:00:00']],
  'weekdays are 0 to 6, Sunday to Saturday': ['0 0 * * 0,6', 'UTC', ['2027-01-02T00:00:00', '2027-01-03T00:00:00']],
  'or by name, sun to sat': ['0 0 * * sun,sat', 'UTC', ['2027-01-02T00:00:00', '2027-01-03T00:00:00']],
  'months may be named': ['0 0 1 feb *', 'UTC', ['2027-02-01T00:00:00']],
  'a step of a range: 0-23/2 in the hours is every other hour': [
    '0 0-23/2 * * *',
    'UTC',
    ['2027-01-01T02:00:00', '2027-01-01T04:00:00'],
  ],
  'which is the list 0,2,4 and so on': [
    '0 0,2,4,6,8,10,12,14,16,18,20,22 * * *',
    'UTC',
    ['2027-01-01T02:00:00', '2027-01-01T04:00:00'],
  ],
  'and */2 says it too': ['0 */2 * * *', 'UTC', ['2027-01-01T02:00:00', '2027-01-01T04:00:00']],
  'a question mark means what a star means': ['0 ? ? ? ?', 'UTC', ['2027-01-01T01:00:00', '2027-01-01T02:00:00']],
  'a star means every value of the field': ['* * * * *', 'UTC', ['2027-01-01T00:01:00', '2027-01-01T00:02:00']],
  '@yearly is 0 0 1 1 *': ['@yearly', 'UTC', ['2028-01-01T00:00:00', '2029-01-01T00:00:00']],
  '@annually is the same': ['@annually', 'UTC', ['2028-01-01T00:00:00', '2029-01-01T00:00:00']],
  '@monthly is midnight of the first': ['@monthly', 'UTC', ['2027-02-01T00:00:00', '2027-03-01T00:00:00']],
  '@weekly is midnight on Sunday morning': ['@weekly', 'UTC', ['2027-01-03T00:00:00', '2027-01-10T00:00:00']],
  '@daily is midnight': ['@daily', 'UTC', ['2027-01-02T00:00:00', '2027-01-03T00:00:00']],
  '@midnight is the same': ['@midnight', 'UTC', ['2027-01-02T00:00:00', '2027-01-03T00:00:00']],
  '@hourly is the beginning of the hour': ['@hourly', 'UTC', ['2027-01-01T01:00:00', '2027-01-01T02:00:00']],
  'timeZone: Etc/UTC means UTC': ['0 0 * * *', 'Etc/UTC', ['2027-01-02T00:00:00']],
  'a time zone is that of the schedule': ['0 9 * * *', 'America/New_York', ['2027-01-01T14:00:00']],
  'two days that are both named: either of them': ['0 0 2 * 0', 'UTC', ['2027-01-02T00:00:00', '2027-01-03T00:00:00']],
}
for (const [sentence, [text, zone, slots]] of Object.entries(runs))
  test(`CronJob: ${sentence}`, () => {
    let last: Instant | null = Date.parse('2027-01-01T00:00:00Z')
    for (const slot of slots) {
      last = nextSlot(cron(text, zone), Number(last))
      assert.equal(iso(last), slot)
    }
  })

function decoded(spec: object) {
  const metadata = { uid: 'u', namespace: 'default', name: 'beat', resourceVersion: '7' }
  return decodeSecondCronJob({ metadata, spec: { image: 'a', ...spec } }).spec
}

test('CronJob: without a time zone it is that of the controller; differs, since replicas must agree: UTC', () => {
  const spec = decoded({ schedule: '0 0 * * *' })
  assert.ok(spec.valid)
  assert.deepEqual(spec.schedule, { kind: 'cron', text: '0 0 * * *', timeZone: 'UTC' })
})

test('CronJob: the schedule is required; differs, since there are intervals: one of both', () => {
  assert.equal(decoded({}).valid, false)
  assert.equal(decoded({ intervalSeconds: 5 }).valid, true)
})

test('CronJob: minutes go from 0 to 59, hours to 23, days from 1 to 31, months to 12, weekdays from 0 to 6', () => {
  for (const text of ['0 0 1 1 0', '59 23 31 12 6']) assert.equal(decoded({ schedule: text }).valid, true, text)
  for (const text of ['60 0 1 1 0', '0 24 1 1 0', '0 0 0 1 0', '0 0 32 1 0', '0 0 1 0 0', '0 0 1 13 0', '0 0 1 1 7'])
    assert.equal(decoded({ schedule: text }).valid, false, text)
})

test('CronJob: TZ or CRON_TZ in a schedule is not supported, and refused', () => {
  for (const prefix of ['TZ', 'CRON_TZ']) {
    const spec = decoded({ schedule: `${prefix}=UTC 0 0 * * *` })
    assert.ok(!spec.valid)
    assert.equal(spec.reason, 'InvalidSchedule')
  }
})

test('CronJob: a time zone that becomes unknown stops it, with the reason UnknownTimeZone', () => {
  const spec = decoded({ schedule: '@daily', timeZone: 'Europe/Atlantis' })
  assert.ok(!spec.valid)
  assert.equal(spec.reason, 'UnknownTimeZone')
})

const at = (time: string) => Date.parse(`2027-01-01T${time}Z`)
const slot = at('10:21:00')

/** Every minute from 8:30 on; nobody looked from 8:29 to 10:21. */
function afterDowntime(text: string, startingDeadlineMs: number | null, now: string): Action | null {
  const state = { first: false, handledUntil: at('08:29:00'), startingDeadlineMs }
  return decide(at(now), aScheduleState(cron(text, 'UTC', at('08:00:00')), state))
}
test('CronJob: with a deadline of 200 s it starts again after a downtime, since few runs lie within the deadline', () => {
  const action = afterDowntime('* * * * *', 200_000, '10:21:30')
  assert.deepEqual(action, { kind: 'launch', slot, missed: 111 })
})

test('CronJob: after more than 100 missed runs it never starts again; differs, since nobody wants that: the newest runs', () => {
  const action = afterDowntime('* * * * *', null, '10:21:30')
  assert.deepEqual(action, { kind: 'launch', slot, missed: 111 })
})

test('CronJob: without a deadline a run may start however late', () => {
  const action = afterDowntime('21 10 * * *', null, '23:59:59')
  assert.deepEqual(action, { kind: 'launch', slot, missed: 0 })
})

test('CronJob: a deadline of 200 lets a run start up to 200 seconds after its time, and no later', () => {
  assert.deepEqual(afterDowntime('21 10 * * *', 200_000, '10:24:20'), { kind: 'launch', slot, missed: 0 })
  assert.equal(afterDowntime('21 10 * * *', 200_000, '10:24:21')?.kind, 'miss')
})

test('CronJob: a run past its deadline counts as missed', () => {
  const action = afterDowntime('21 10 * * *', 10_000, '10:21:11')
  assert.deepEqual(action, { kind: 'miss', slot, missed: 0, reason: 'DeadlineExceeded' })
})

test('CronJob: a deadline below 10 s may start nothing, since it looks every 10 s; differs, since we look each second', () => {
  assert.deepEqual(afterDowntime('21 10 * * *', 1_000, '10:21:00'), { kind: 'launch', slot, missed: 0 })
})
