import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CronFields, readCron } from '../../../src/schedule/cron-fields.ts'

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)

const always: CronFields = {
  seconds: [0],
  minutes: [0],
  hours: range(0, 23),
  daysOfMonth: range(1, 31),
  months: range(1, 12),
  daysOfWeek: range(0, 6),
  eitherDay: false,
  cadence: true,
}
const midnight = { hours: [0], cadence: false }

/** What each says beyond "at every hour". */
const good: Record<string, Partial<CronFields>> = {
  '* * * * * *': { seconds: range(0, 59), minutes: range(0, 59) },
  '0 * * * *': {},
  '30 0 * * * *': { seconds: [30] },
  '  0   *\t* * *  ': {},
  '*/20 0 * * * *': { seconds: [0, 20, 40] },
  '10/20 0 * * * *': { seconds: [10, 30, 50] },
  '10-40/20 0 * * * *': { seconds: [10, 30] },
  '5,1,3,1 0 * * * *': { seconds: [1, 3, 5] },
  '50-59,0-2/2 0 * * * *': { seconds: [0, 2, ...range(50, 59)] },
  '07 00 * * * *': { seconds: [7] },
  '*/1 0 * * * *': { seconds: range(0, 59) },
  // A step beyond the end leaves the beginning, as CronJob has it.
  '*/90 0 * * * *': { seconds: [0] },
  '? 0 ? ? ? ?': { seconds: range(0, 59) },
  '0 2 * * *': { hours: [2], cadence: false },
  '0 2,14 * * *': { hours: [2, 14], cadence: false },
  '0 1-5 * * *': { hours: range(1, 5), cadence: false },
  '0 0-23 * * *': {},
  '0 */6 * * *': { hours: [0, 6, 12, 18] },
  '0 1-23/2 * * *': { hours: range(1, 23, 2) },
  '0 2,*/12 * * *': { hours: [0, 2, 12] },
  '*/5 2 * * *': { minutes: range(0, 59, 5), hours: [2], cadence: false },
  '0 0 1 * *': { ...midnight, daysOfMonth: [1] },
  '0 0 * * MON-FRI': { ...midnight, daysOfWeek: range(1, 5) },
  '0 0 * * sun,Tue': { ...midnight, daysOfWeek: [0, 2] },
  '0 0 * * 0/2': { ...midnight, daysOfWeek: [0, 2, 4, 6] },
  '0 0 * JAN,jul-SEP *': { ...midnight, months: [1, 7, 8, 9] },
  '0 0 * OCT/1 *': { ...midnight, months: [10, 11, 12] },
  '0 0 13 * FRI': { ...midnight, daysOfMonth: [13], daysOfWeek: [5], eitherDay: true },
  '0 0 1 * 0-6': { ...midnight, daysOfMonth: [1], eitherDay: true },
  '0 0 */2 * 1': { ...midnight, daysOfMonth: range(1, 31, 2), daysOfWeek: [1], eitherDay: true },
  '0 0 */1 * 1': { ...midnight, daysOfWeek: [1] },
  '0 0 1,* * 1': { ...midnight, daysOfWeek: [1] },
  '0 0 2 * ?': { ...midnight, daysOfMonth: [2] },
  '0 0 0 29 2 *': { ...midnight, daysOfMonth: [29], months: [2] },
  '0 0 0 31 */2 *': { ...midnight, daysOfMonth: [31], months: range(1, 11, 2) },
  '0 0 0 30 2 MON': { ...midnight, daysOfMonth: [30], months: [2], daysOfWeek: [1], eitherDay: true },
  '@hourly': {},
  '@daily': midnight,
  '@midnight': midnight,
  ' @Weekly ': { ...midnight, daysOfWeek: [0] },
  '@monthly': { ...midnight, daysOfMonth: [1] },
  '@yearly': { ...midnight, daysOfMonth: [1], months: [1] },
  '@annually': { ...midnight, daysOfMonth: [1], months: [1] },
}
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
for (const [index, name] of monthNames.entries())
  good[`0 0 1 ${name} *`] = { ...midnight, daysOfMonth: [1], months: [index + 1] }
const weekdayNames = 'sun mon tue wed thu fri sat'.split(' ')
for (const [index, name] of weekdayNames.entries()) good[`0 0 * * ${name}`] = { ...midnight, daysOfWeek: [index] }

for (const [text, said] of Object.entries(good))
  test(`a cron text: ${text}`, () => assert.deepEqual(readCron(text), { valid: true, fields: { ...always, ...said } }))

const forms =
  /write 6 fields, seconds first \("\*\/10 \* \* \* \* \*"\), 5 fields, minutes first .* or one of @yearly @annually @monthly/
const bad: Record<string, readonly [text: string, problem: RegExp]> = {
  'nothing at all': ['', new RegExp(`^is empty; ${forms.source}`)],
  'nothing but blanks': [' \t ', /^is empty; write 6 fields/],
  'four fields': ['* * * *', new RegExp(`^has 4 fields; ${forms.source}`)],
  'seven fields, as for years': ['0 0 0 1 1 * 2027', /^has 7 fields; write 6 fields/],
  'one field': ['7', new RegExp(`^has 1 field; ${forms.source}`)],
  words: ['every ten seconds', /^has 3 fields; write 6 fields/],
  'a zone before it': ['TZ=Europe/Berlin 0 2 * * *', /^a time zone .* write it into spec\.timeZone: "Europe\/Berlin"$/],
  'the other spelling of it': ['CRON_TZ=Asia/Tokyo 0 2 * * *', /^a time zone .* spec\.timeZone: "Asia\/Tokyo"$/],
  'a zone in lower case': ['tz=UTC 0 2 * * *', /^a time zone .* write it into spec\.timeZone: "UTC"$/],
  'a zone that is empty': ['TZ= 0 2 * * *', /^a time zone .* spec\.timeZone: "Europe\/Berlin"$/],
  'a zone behind it': ['0 2 * * * TZ=Asia/Tokyo', /^a time zone .* spec\.timeZone: "Asia\/Tokyo"$/],
  '@every': ['@every 5s', /^@every has no fixed times; write spec\.intervalSeconds in place of spec\.schedule$/],
  '@every alone': ['@EVERY', /^@every has no fixed times/],
  '@reboot': ['@reboot', new RegExp(`^"@reboot" is not known; ${forms.source}`)],
  '@everyday': ['@everyday', /^"@everyday" is not known/],
  'a macro and a field': ['@daily 1', /^"@daily 1" is not known/],
  'second 60': [
    '60 * * * * *',
    /^seconds: "60" is not possible; write 0 to 59, a range 1-5, a list 1,3, a step \*\/2, or \*$/,
  ],
  'minute 60': ['60 * * * *', /^minutes: "60" is not possible; write 0 to 59/],
  'hour 24': ['0 24 * * *', /^hours: "24" is not possible; write 0 to 23,/],
  'day 0': ['0 0 0 * *', /^day of month: "0" is not possible; write 1 to 31,/],
  'day 32': ['0 0 32 * *', /^day of month: "32" is not possible/],
  'month 0': ['0 0 1 0 *', /^month: "0" is not possible; write 1 to 12 or JAN to DEC/],
  'month 13': ['0 0 1 13 *', /^month: "13" is not possible/],
  'Sunday as 7, which CronJob refuses too': [
    '0 0 * * 7',
    /^day of week: "7" is not possible; write 0 to 6 or SUN to SAT/,
  ],
  'a negative number': ['-1 * * * *', /^minutes: "-1" is not possible/],
  'half a minute': ['0.5 * * * *', /^minutes: "0\.5" is not possible/],
  'a hexadecimal one': ['0x1 * * * *', /^minutes: "0x1" is not possible/],
  'a range that goes back': [
    '0 0 * * FRI-MON',
    /^day of week: "FRI-MON" goes backwards; write two ranges, such as FRI-SAT,SUN-MON$/,
  ],
  'a range of hours over midnight': ['0 22-6 * * *', /^hours: "22-6" goes backwards; .* such as 22-23,0-6$/],
  'a range over the turn of the year': ['0 0 1 nov-2/2 *', /^month: "nov-2\/2" goes backwards; .* nov-DEC,JAN-2$/],
  'a range that ends beyond': ['50-60 * * * *', /^minutes: "50-60" is not possible/],
  'a range without an end': ['1- * * * *', /^minutes: "1-" is not possible/],
  'a range of three': ['1-2-3 * * * *', /^minutes: "1-2-3" is not possible/],
  'a range of a star': ['*-5 * * * *', /^minutes: "\*-5" is not possible/],
  'a step of 0': ['*/0 * * * *', /^minutes: "\*\/0" is not possible/],
  'a step without a number': ['*/ * * * *', /^minutes: "\*\/" is not possible/],
  'two steps': ['*/2/3 * * * *', /^minutes: "\*\/2\/3" is not possible/],
  'a step of nothing': ['/5 * * * *', /^minutes: "\/5" is not possible/],
  'a list with a hole': ['1,,2 * * * *', /^minutes: "" is not possible/],
  'a day for a month': ['0 0 1 MON *', /^month: "MON" is not possible/],
  'a month in full': ['0 0 1 january *', /^month: "january" is not possible/],
  'a name for an hour': ['0 MON * * *', /^hours: "MON" is not possible/],
  'the last day, L': ['0 0 L * *', /^day of month: "L" is not possible/],
  'the last Friday, 5L': ['0 0 * * 5L', /^day of week: "5L" is not possible/],
  'the nearest weekday, W': ['0 0 15W * *', /^day of month: "15W" is not possible/],
  'the second Tuesday, 2#2': ['0 0 * * 2#2', /^day of week: "2#2" is not possible/],
  'both days at once, +': ['0 0 1 * +MON', /^day of week: "\+MON" is not possible/],
  'a hash, H': ['H * * * *', /^minutes: "H" is not possible/],
  'a tilde': ['0~30 * * * *', /^minutes: "0~30" is not possible/],
  'another script’s digits': ['٣ * * * *', /^minutes: "٣" is not possible/],
  '30 February': ['0 0 30 2 *', /^never comes: none of its months has such a day; write a day that its months have$/],
  '31 of the short months': ['0 0 31 2,4,6,9,11 *', /^never comes/],
  'a range that begins beyond the field, and goes backwards too': [
    '70-5 * * * * *',
    /^seconds: "70-5" is not possible/,
  ],
  'something of forty letters: whole': [`${'x'.repeat(40)} * * * *`, /^minutes: "x{40}" is not possible/],
  'something long': [`${'1,'.repeat(10)}${'x'.repeat(99)} * * * *`, /^minutes: "x{37}\.\.\." is not possible/],
}
for (const [what, [text, problem]] of Object.entries(bad))
  test(`no cron text: ${what}`, () => {
    const read = readCron(text)
    assert.ok(!read.valid)
    assert.match(read.problem, problem)
  })

test('a day that only some of the months have comes in those', () => {
  assert.ok(readCron('0 0 30,31 4 *').valid)
})

test('what is to be written in place of a range that goes backwards is a cron text', () => {
  for (const text of ['0 0 * * FRI-SAT,SUN-MON', '0 22-23,0-6 * * *', '0 0 1 nov-DEC,JAN-2 *'])
    assert.ok(readCron(text).valid, text)
})
