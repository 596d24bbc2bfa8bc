import { Cron } from 'croner'
import { countCron } from './cron-count.ts'
import { type CronFields, readCron } from './cron-fields.ts'
import { dateOf } from './date.ts'
import { Memo } from './memo.ts'
import type { CronGrid, Instant } from './state.ts'
import { countOnWall } from './wall.ts'
import { canonicalZone, shiftsBetween } from './zone.ts'

/** The slots on both sides of an instant: the newest that is not in the future, and the first that is. */
interface Around {
  readonly latest: Instant | null
  readonly next: Instant | null
}

interface Calculator {
  readonly fields: CronFields
  /** Never started: it has no function and sets no timer. */
  readonly croner: Cron
}

/** 82 kB each, most of it croner's list of years; equal ones are shared. */
const calculators = new Memo<Calculator>(200)
/** Where each schedule stood when it was last asked: between two slots the answer is the same. */
const places = new Memo<Around>(20_000)

/** The slots around `now` of a text and zone that were read and found right; those of the grid's own past too. */
export function slotsAround({ text, timeZone }: CronGrid, now: Instant): Around {
  const key = `${timeZone} ${text}`
  const place = places.get(key)
  if (place !== undefined && isBetween(now, place)) return place
  const calculator = calculatorOf(key, text, timeZone)
  const around = stepFrom(place?.next ?? null, now, calculator, timeZone)
  places.set(key, around)
  return around
}

/** How many slots lie strictly between the two; those before the grid's anchor are none. */
export function countCronBetween({ text, timeZone, anchor }: CronGrid, after: Instant, before: Instant): number {
  const { fields } = calculatorOf(`${timeZone} ${text}`, text, timeZone)
  const from = Math.max(after, anchor)
  return countCron(fields, timeZone, (Math.floor(from / 1_000) + 1) * 1_000, Math.ceil(before / 1_000) * 1_000)
}

function isBetween(now: Instant, { latest, next }: Around): boolean {
  return (latest === null || latest <= now) && (next === null || now < next)
}

/** Mostly the slot that was to come has come, and the one after it has not: then one question is enough. */
function stepFrom(due: Instant | null, now: Instant, calculator: Calculator, zone: string): Around {
  if (due !== null && due <= now) {
    const step = { latest: due, next: nextAfter(calculator, zone, due) }
    if (isBetween(now, step)) return step
  }
  return { latest: latestUntil(calculator, zone, now), next: nextAfter(calculator, zone, now) }
}

function nextAfter({ fields, croner }: Calculator, zone: string, after: Instant): Instant | null {
  const next = croner.nextRun(dateOf(after))?.getTime() ?? null
  return next === null ? null : (jumpsBetween(fields, zone, after + 1, next)[0] ?? next)
}

function latestUntil({ fields, croner }: Calculator, zone: string, now: Instant): Instant | null {
  const [run] = croner.previousRuns(1, dateOf(Math.floor(now / 1_000) * 1_000 + 1_000))
  const latest = run?.getTime() ?? null
  return latest === null ? null : (jumpsBetween(fields, zone, latest + 1, now + 1).at(-1) ?? latest)
}

/**
 * The jumps over a fixed time. croner knows those that end on the day of that time; where the clocks go forward over
 * midnight (America/Nuuk: from 23:00 to 0:00) it drops the time, since its day is over. It runs like everywhere else.
 */
function jumpsBetween(fields: CronFields, zone: string, from: Instant, to: Instant): readonly Instant[] {
  if (fields.cadence) return []
  return shiftsBetween(zone, from, to)
    .filter(({ at, before, after }) => countOnWall(fields, at + before, at + after) > 0)
    .map(({ at }) => at)
}

function calculatorOf(key: string, text: string, zone: string): Calculator {
  return calculators.of(key, () => {
    const read = readCron(text)
    if (!read.valid) throw new TypeError(`the slots of a cron text that is not one: ${read.problem}`)
    // croner keeps something for each name that it ever saw, for ever.
    const timezone = canonicalZone(zone)
    const options = { timezone, paused: true, mode: '6-part', fixedTimeRule: 'no-wildcard' } as const
    return { fields: read.fields, croner: new Cron(cronerText(read.fields), options) }
  })
}

/**
 * The fields as croner takes them: ranges, since it takes fewer forms than Kubernetes does. What is fixed is told by
 * the hours alone: croner looks for a wildcard or a step in seconds, minutes and hours, and finds one there or nowhere.
 */
function cronerText(fields: CronFields): string {
  const { eitherDay, cadence } = fields
  // Of two days that are both named croner, too, takes either; a `*` beside one makes it take both.
  const day = (values: readonly number[], all: number) => (eitherDay || values.length < all ? rangesOf(values) : '*')
  return [
    rangesOf(fields.seconds),
    rangesOf(fields.minutes),
    rangesOf(fields.hours, cadence ? '/1' : ''),
    day(fields.daysOfMonth, 31),
    rangesOf(fields.months),
    day(fields.daysOfWeek, 7),
  ].join(' ')
}

/** `0-2,7-7`: croner reads sixty numbers one by one in half a millisecond. */
function rangesOf(values: readonly number[], step = ''): string {
  const ends = values.filter((value) => !values.includes(value + 1))
  return values
    .filter((value) => !values.includes(value - 1))
    .map((start, index) => `${start}-${ends[index]}${step}`)
    .join(',')
}
