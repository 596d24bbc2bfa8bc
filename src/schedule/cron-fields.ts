/** What a cron text says, as numbers in rising order. Days of the week are 0 (Sunday) to 6, months 1 to 12. */
export interface CronFields {
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly daysOfMonth: readonly number[]
  readonly months: readonly number[]
  readonly daysOfWeek: readonly number[]
  /** Both days are named: one that fits either is meant, as in every cron. Otherwise it must fit both. */
  readonly eitherDay: boolean
  /** The hours are `*`, a step, or all 24: it keeps its cadence when the clocks change. Otherwise its times are fixed. */
  readonly cadence: boolean
}

/** A cron text that was read, or one sentence that says what is wrong with it and what to write. */
export type ReadCron =
  | { readonly valid: true; readonly fields: CronFields }
  | { readonly valid: false; readonly problem: string }

interface FieldKind {
  readonly what: string
  readonly min: number
  readonly max: number
  /** Three letters each; the first one stands for `min`. */
  readonly names: readonly string[]
  readonly write: string
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

function kind(what: string, min: number, max: number, names: readonly string[] = []): FieldKind {
  const named = names.length === 0 ? '' : ` or ${names[0]} to ${names.at(-1)}`
  return { what, min, max, names, write: `${min} to ${max}${named}, a range 1-5, a list 1,3, a step */2, or *` }
}

const kinds = {
  seconds: kind('seconds', 0, 59),
  minutes: kind('minutes', 0, 59),
  hours: kind('hours', 0, 23),
  daysOfMonth: kind('day of month', 1, 31),
  months: kind('month', 1, 12, monthNames),
  daysOfWeek: kind('day of week', 0, 6, weekdayNames),
}

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 0 1 1 *',
  '@annually': '0 0 0 1 1 *',
  '@monthly': '0 0 0 1 * *',
  '@weekly': '0 0 0 * * 0',
  '@daily': '0 0 0 * * *',
  '@midnight': '0 0 0 * * *',
  '@hourly': '0 0 * * * *',
}

const forms =
  'write 6 fields, seconds first ("*/10 * * * * *"), 5 fields, minutes first ("30 2 * * *"), or one of ' +
  Object.keys(macros).join(' ')
const longestDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const longestShown = 40

class Problem extends Error {}

/**
 * Reads a cron text strictly: what Kubernetes' CronJob takes is taken with the same meaning, seconds are added, and
 * whatever is left is refused, also a day that never comes. It neither throws nor guesses.
 */
export function readCron(text: string): ReadCron {
  try {
    return { valid: true, fields: read(text.trim()) }
  } catch (thrown) {
    if (thrown instanceof Problem) return { valid: false, problem: thrown.message }
    throw thrown
  }
}

function read(text: string): CronFields {
  const [seconds, minutes, hours, daysOfMonth, months, daysOfWeek] = partsOf(text)
  const hourValues = valuesOf(hours, kinds.hours)
  const fields = {
    seconds: valuesOf(seconds, kinds.seconds),
    minutes: valuesOf(minutes, kinds.minutes),
    hours: hourValues,
    daysOfMonth: valuesOf(daysOfMonth, kinds.daysOfMonth),
    months: valuesOf(months, kinds.months),
    daysOfWeek: valuesOf(daysOfWeek, kinds.daysOfWeek),
    eitherDay: !isAny(daysOfMonth) && !isAny(daysOfWeek),
    cadence: /[*?/]/.test(hours) || hourValues.length === 24,
  }
  if (comes(fields)) return fields
  throw new Problem('never comes: none of its months has such a day; write a day that its months have')
}

type Parts = readonly [string, string, string, string, string, string]

function partsOf(text: string): Parts {
  const written = text.startsWith('@') ? macroOf(text) : text
  const zone = /TZ=(\S*)/i.exec(written)
  if (zone !== null)
    throw new Problem(
      `a time zone has no place in it; write it into spec.timeZone: ${shown(zone[1] || 'Europe/Berlin')}`,
    )
  const parts = written.split(/\s/).filter((part) => part !== '')
  const all = parts.length === 5 ? ['0', ...parts] : parts
  if (all.length !== 6) throw new Problem(`${countOf(parts)}; ${forms}`)
  return all as unknown as Parts
}

function countOf({ length }: readonly string[]): string {
  return length === 0 ? 'is empty' : `has ${length} ${length === 1 ? 'field' : 'fields'}`
}

function macroOf(text: string): string {
  if (/@every\b/i.test(text))
    throw new Problem('@every has no fixed times; write spec.intervalSeconds in place of spec.schedule')
  const macro = macros[text.toLowerCase()]
  if (macro === undefined) throw new Problem(`${shown(text)} is not known; ${forms}`)
  return macro
}

function isAny(part: string): boolean {
  return part.split(',').some((entry) => /[*?](\/0*1)?$/.test(entry))
}

function valuesOf(part: string, field: FieldKind): readonly number[] {
  const values = new Set(part.split(',').flatMap((entry) => entryOf(entry, field)))
  return [...values].sort((a, b) => a - b)
}

const entryShape = /^(?:([*?])|(\w+)(?:-(\w+))?)(?:\/(\d{1,9}))?$/
type EntryParts = readonly (string | undefined)[]

function entryOf(entry: string, field: FieldKind): readonly number[] {
  const parts: EntryParts = entryShape.exec(entry) ?? []
  const [from, to] = rangeOf(parts, field)
  const step = Number(parts[4] ?? 1)
  const isInside = (value: number) => value >= field.min && value <= field.max
  if (isInside(from) && isInside(to) && from > to) throw new Problem(backwards(parts, entry, field))
  const possible = isInside(from) && isInside(to) && step > 0
  if (!possible) throw new Problem(`${field.what}: ${shown(entry)} is not possible; write ${field.write}`)
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
}

/** A range that goes over the end of its field is two. */
function backwards([, , low, high]: EntryParts, entry: string, { what, min, max, names }: FieldKind): string {
  const [first, last] = [names[0] ?? min, names.at(-1) ?? max]
  return `${what}: ${shown(entry)} goes backwards; write two ranges, such as ${low}-${last},${first}-${high}`
}

/** `*`, `n`, `n-m`; `n/s` goes on to the end of the field. */
function rangeOf([, any, low, high, step]: EntryParts, field: FieldKind): readonly [from: number, to: number] {
  if (any !== undefined) return [field.min, field.max]
  const from = numberOf(low, field)
  if (high !== undefined) return [from, numberOf(high, field)]
  return [from, step === undefined ? from : field.max]
}

function numberOf(text: string | undefined, { min, names }: FieldKind): number {
  if (text === undefined) return NaN
  const index = names.indexOf(text.toUpperCase())
  if (index >= 0) return min + index
  return /^\d+$/.test(text) ? Number(text) : NaN
}

/** Whether there is such a day in any year. With a weekday beside the day of month, one of both always comes. */
function comes(fields: CronFields): boolean {
  if (fields.eitherDay) return true
  return fields.months.some((month) => fields.daysOfMonth.some((day) => day <= Number(longestDays[month - 1])))
}

function shown(text: string): string {
  const cut = text.length > longestShown ? `${text.slice(0, longestShown - 3)}...` : text
  return JSON.stringify(cut)
}
