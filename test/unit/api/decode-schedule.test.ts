import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSecondCronJob } from '../../../src/api/decode.ts'
import { observedScheduleOf } from '../../../src/api/observed-schedule.ts'
import type { InvalidReason, ParsedSpec, Schedule } from '../../../src/api/secondcronjob.ts'

function decoded(spec: object): ParsedSpec {
  const metadata = { uid: 'u', namespace: 'default', name: 'beat', resourceVersion: '7' }
  return decodeSecondCronJob({ metadata, spec: { image: 'a', ...spec } }).spec
}

const cron = (text: string, timeZone = 'UTC'): Schedule => ({ kind: 'cron', text, timeZone })
const interval = (intervalSeconds: number, firstRun: 'AtCreation' | 'AfterInterval'): Schedule => {
  return { kind: 'interval', intervalSeconds, firstRun }
}

const good: Record<string, { spec: object; schedule: Schedule; observed: string }> = {
  'an interval': { spec: { intervalSeconds: 5 }, schedule: interval(5, 'AtCreation'), observed: 'every 5s' },
  'an interval, its first run named': {
    spec: { intervalSeconds: 5, firstRun: 'AtCreation' },
    schedule: interval(5, 'AtCreation'),
    observed: 'every 5s',
  },
  'an interval, later': {
    spec: { interval_seconds: 5, firstRun: 'AfterInterval' },
    schedule: interval(5, 'AfterInterval'),
    observed: 'every 5s, first after the interval',
  },
  'a schedule is in UTC unless it says otherwise': {
    spec: { schedule: '0 30 2 * * *' },
    schedule: cron('0 30 2 * * *'),
    observed: '0 30 2 * * * (UTC)',
  },
  'a schedule in a zone': {
    spec: { schedule: '30 2 * * MON-FRI', timeZone: 'Europe/Berlin' },
    schedule: cron('30 2 * * MON-FRI', 'Europe/Berlin'),
    observed: '30 2 * * MON-FRI (Europe/Berlin)',
  },
  'blanks are no difference': {
    spec: { schedule: '  30\t2 *  * * ' },
    schedule: cron('30 2 * * *'),
    observed: '30 2 * * * (UTC)',
  },
  'a macro': { spec: { schedule: '@hourly', timeZone: null }, schedule: cron('@hourly'), observed: '@hourly (UTC)' },
  'every value of each field, written out': {
    spec: { schedule: everything() },
    schedule: cron(everything()),
    observed: `${everything()} (UTC)`,
  },
}
function list(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n).join(',')
}
function everything(): string {
  return [list(0, 59), list(0, 59), list(0, 23), list(1, 31), list(1, 12), list(0, 6)].join(' ')
}
for (const [name, { spec, schedule, observed }] of Object.entries(good))
  test(`when to run: ${name}`, () => {
    const parsed = decoded(spec)
    assert.ok(parsed.valid)
    assert.deepEqual(parsed.schedule, schedule)
    assert.equal(observedScheduleOf(parsed), observed)
    assert.equal(observedScheduleOf({ ...parsed, suspend: true }), 'suspended')
  })

const zoneSentence =
  /^spec\.timeZone: "Mars\/Base" is not known; write the name of a time zone in the IANA data, such as Europe\/Berlin, or leave it out for UTC$/

const bad: Record<string, { spec: object; reason: InvalidReason; want: RegExp }> = {
  'a schedule that is none': {
    spec: { schedule: 'hourly' },
    reason: 'InvalidSchedule',
    want: /^spec\.schedule: "hourly": has 1 field; write 6 fields, seconds first/,
  },
  'an empty one': { spec: { schedule: '' }, reason: 'InvalidSchedule', want: /^spec\.schedule: "": is empty; write 6/ },
  'one that never comes': {
    spec: { schedule: '0 0 0 30 2 *' },
    reason: 'InvalidSchedule',
    want: /^spec\.schedule: "0 0 0 30 2 \*": never comes: none of its months has such a day; write a day/,
  },
  'a zone in it': {
    spec: { schedule: 'CRON_TZ=Asia/Tokyo 0 2 * * *' },
    reason: 'InvalidSchedule',
    want: /^spec\.schedule: .*: a time zone has no place in it; write it into spec\.timeZone: "Asia\/Tokyo"$/,
  },
  'a zone that nobody knows': {
    spec: { schedule: '@daily', timeZone: 'Mars/Base' },
    reason: 'UnknownTimeZone',
    want: zoneSentence,
  },
  'no zone': { spec: { schedule: '@daily', timeZone: '' }, reason: 'UnknownTimeZone', want: /^spec\.timeZone: "" is/ },
  'an offset': {
    spec: { schedule: '@daily', timeZone: '+02:00' },
    reason: 'UnknownTimeZone',
    want: /^spec\.timeZone: "\+02:00" is not known/,
  },
  'both are wrong': {
    spec: { schedule: '@dayly', timeZone: 'Mars/Base' },
    reason: 'InvalidSpec',
    want: /^spec\.schedule: "@dayly": "@dayly" is not known; .*;spec\.timeZone: "Mars\/Base" is not known/,
  },
  'a schedule and a first run, whichever': {
    spec: { schedule: '@daily', firstRun: 'AtCreation' },
    reason: 'InvalidSpec',
    want: /^spec\.firstRun: it goes with intervalSeconds; remove it$/,
  },
  'a schedule and something else': {
    spec: { schedule: '@dayly', command: ['date'], image: null },
    reason: 'InvalidSpec',
    want: /^spec\.schedule: .*;spec: nothing to run.*;spec: name, command and args go with image/,
  },
  'a number': {
    spec: { schedule: 5 },
    reason: 'InvalidSpec',
    want: /^spec\.schedule: 5 is not possible here; write a cron text$/,
  },
  'more than anybody writes': {
    spec: { schedule: `${'*,'.repeat(300)}* * * * *` },
    reason: 'InvalidSpec',
    want: /^spec\.schedule: ".{56}\.\.\. is not possible here; write at most 600 characters$/,
  },
  'a long text that is wrong: cut': {
    spec: { schedule: 'x'.repeat(400) },
    reason: 'InvalidSchedule',
    want: /^spec\.schedule: "x{67}\.\.\.": has 1 field/,
  },
}
for (const [name, { spec, reason, want }] of Object.entries(bad))
  test(`not accepted: ${name}`, () => {
    const parsed = decoded(spec)
    assert.ok(!parsed.valid)
    assert.match(parsed.problems.join(';'), want)
    assert.equal(parsed.reason, reason)
  })
