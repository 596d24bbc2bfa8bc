import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalZone, isTimeZone, offsetAt, shiftsBetween } from '../../../src/schedule/zone.ts'

for (const name of [
  'UTC',
  'Etc/UTC',
  'GMT',
  'Europe/Berlin',
  'europe/berlin',
  'America/Argentina/San_Luis',
  'Etc/GMT+5',
  'EST5EDT',
  'EST',
  'Japan',
])
  test(`a time zone: ${name}`, () => assert.equal(isTimeZone(name), true))

for (const name of [
  '',
  ' ',
  'Mars/Base',
  'Local',
  'Berlin',
  '+02:00',
  '-0500',
  'UTC+2',
  'GMT+2',
  '../etc/passwd',
  'Europe/Berlin ',
  '東京',
  'BST',
  'pst',
  'IST',
  'SystemV/PST8',
])
  test(`no time zone: "${name}"`, () => assert.equal(isTimeZone(name), false))

test('however a zone is written, it has one name', () => {
  assert.deepEqual(['asia/KOLKATA', 'Asia/Calcutta'].map(canonicalZone), ['Asia/Calcutta', 'Asia/Calcutta'])
})

const hour = 3_600_000
const offsets: Record<string, readonly [zone: string, time: string, hours: number]> = {
  'none at all': ['UTC', '2027-01-01T00:00:00Z', 0],
  east: ['Asia/Kathmandu', '2027-01-01T00:00:00Z', 5.75],
  west: ['America/St_Johns', '2027-01-01T00:00:00Z', -3.5],
  'in summer': ['America/St_Johns', '2027-07-01T00:00:00Z', -2.5],
  'with seconds, long ago': ['America/New_York', '1880-01-01T00:00:00Z', -(4 + 56 / 60 + 2 / 3_600)],
}
for (const [name, [zone, time, hours]] of Object.entries(offsets))
  test(`the offset of a zone: ${name}`, () => assert.equal(offsetAt(zone, Date.parse(time)), Math.round(hours * hour)))

const shifts: Record<string, readonly [zone: string, from: string, to: string, want: readonly string[]]> = {
  'two in a year': [
    'Europe/Berlin',
    '2027-01-01',
    '2028-01-01',
    ['2027-03-28T01:00:00Z +3600', '2027-10-31T01:00:00Z -3600'],
  ],
  'the first moment counts, the last does not': [
    'Europe/Berlin',
    '2027-03-28T01:00:00Z',
    '2027-10-31T01:00:00Z',
    ['2027-03-28T01:00:00Z +3600'],
  ],
  'a second too late': ['Europe/Berlin', '2027-03-28T01:00:01Z', '2027-10-31T01:00:00Z', []],
  'half an hour': [
    'Australia/Lord_Howe',
    '2027-01-01',
    '2028-01-01',
    ['2027-04-03T15:00:00Z -1800', '2027-10-02T15:30:00Z +1800'],
  ],
  'a day that was left out': ['Pacific/Apia', '2011-12-01', '2012-01-01', ['2011-12-30T10:00:00Z +86400']],
  'at midnight of UTC': ['Europe/Kaliningrad', '2011-01-01', '2012-01-01', ['2011-03-27T00:00:00Z +3600']],
  // The search goes by pieces of 366 days; this is the first day of one.
  'on the first day of a piece: once': [
    'America/Costa_Rica',
    '1992-01-01',
    '1992-02-01',
    ['1992-01-18T06:00:00Z +3600'],
  ],
  'none in a zone that has none': ['UTC', '2000-01-01', '2050-01-01', []],
  'nothing between a moment and itself': ['Europe/Berlin', '2027-03-28T01:00:00Z', '2027-03-28T01:00:00Z', []],
}
for (const [name, [zone, from, to, want]] of Object.entries(shifts))
  test(`changes of the clocks: ${name}`, () => {
    const found = shiftsBetween(zone, Date.parse(from), Date.parse(to)).map(({ at, before, after }) => {
      const by = (after - before) / 1_000
      return `${new Date(at).toISOString().slice(0, 19)}Z ${by > 0 ? '+' : ''}${by}`
    })
    assert.deepEqual(found, want)
  })

test('every zone’s changes: the same, however the time is cut into pieces', () => {
  const [from, to] = [Date.parse('2026-01-01'), Date.parse('2031-01-01')]
  for (const zone of ['America/New_York', 'Africa/Cairo', 'Antarctica/Troll']) {
    const whole = shiftsBetween(zone, from, to)
    const cut = Array.from({ length: 60 }, (_, n) => from + ((to - from) / 60) * n)
    assert.deepEqual(
      cut.flatMap((start) => shiftsBetween(zone, start, start + (to - from) / 60)),
      whole,
    )
    assert.ok(whole.length >= 10)
  }
})
