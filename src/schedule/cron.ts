import { Cron } from 'croner'
import { countCron } from './cron-count.ts'
import { type CronFields, readCron } from './cron-fields.ts'
import { dateOf } from './date.ts'
import { type Around, aroundIn, countIn, type KnownSlots, reachesAhead, trimmed } from './known-slots.ts'
import { Memo } from './memo.ts'
import type { CronGrid, Instant } from './state.ts'
import { countOnWall } from './wall.ts'
import { canonicalZone, shiftsBetween } from './zone.ts'

/** The slots that are known, and where `now` is among them. */
interface Place {
  readonly known: KnownSlots
  readonly around: Around
}

interface Calculator {
  readonly fields: CronFields
  /** Never started: it has no function and sets no timer. */
  readonly croner: Cron
}

/** 82 kB each, most of it croner's list of years: few are kept, since eight slots are calculated at once. */
const calculators = new Memo<Calculator>(32)
/** Up to 2 kB each: what is counted needs no calculator. */
const readings = new Memo<CronFields>(2_000)
/** The slots of each schedule around the time that was asked for last, up to 200 bytes. */
const places = new Memo<KnownSlots>(20_000)

/** Fewer than `few` ahead are made `many` at once: to make a calculator anew costs as much as a slot. */
const ahead = { few: 3, many: 8 }

/** The slots around `now` of a text and zone that were read and found right; those of the grid's own past too. */
export function slotsAround(grid: CronGrid, now: Instant): Around {
  return placeAt(grid, now).around
}

/** Calculates now what `slotsAround` is going to be asked for: nothing is left to do when the next slots are due. */
export function foreseeCron(grid: CronGrid, now: Instant): void {
  const known = [...placeAt(grid, now).known]
  if (reachesAhead(known, now, ahead.few)) return
  const { text, timeZone } = grid
  const key = keyOf(text, timeZone)
  const calculator = calculatorOf(key, text, timeZone)
  while (!reachesAhead(known, now, ahead.many)) known.push(nextAfter(calculator, timeZone, Number(known.at(-1))))
  places.set(key, trimmed(known, now))
}

/** How many slots lie strictly between the two; those before the grid's anchor are none. */
export function countCronBetween({ text, timeZone, anchor }: CronGrid, after: Instant, before: Instant): number {
  const key = keyOf(text, timeZone)
  const from = Math.max(after, anchor)
  const count = countIn(places.get(key) ?? [], from, before)
  if (count !== null) return count
  const start = (Math.floor(from / 1_000) + 1) * 1_000
  return countCron(fieldsOf(key, text), timeZone, start, Math.ceil(before / 1_000) * 1_000)
}

function keyOf(text: string, timeZone: string): string {
  return `${timeZone} ${text}`
}

function placeAt({ text, timeZone }: CronGrid, now: Instant): Place {
  const key = keyOf(text, timeZone)
  const known = places.get(key) ?? []
  const around = aroundIn(known, now)
  if (around !== null) return { known, around }
  const calculator = calculatorOf(key, text, timeZone)
  const place = stepFrom(known, now, calculator, timeZone) ?? placeAnew(now, calculator, timeZone)
  places.set(key, trimmed(place.known, now))
  return place
}

/** Mostly the slot that was to come has come, and the one after it has not: then one question is enough. */
function stepFrom(known: KnownSlots, now: Instant, calculator: Calculator, zone: string): Place | null {
  const due = known.at(-1)
  if (due === undefined || due > now) return null
  const step = [...known, nextAfter(calculator, zone, due)]
  const around = aroundIn(step, now)
  return around === null ? null : { known: step, around }
}

function placeAnew(now: Instant, calculator: Calculator, zone: string): Place {
  const latest = latestUntil(calculator, zone, now)
  const next = nextAfter(calculator, zone, now)
  return { known: [latest ?? -Infinity, next], around: { latest, next: next === Infinity ? null : next } }
}

/** Infinity when there is none. */
function nextAfter({ fields, croner }: Calculator, zone: string, after: Instant): number {
  const next = croner.nextRun(dateOf(after))?.getTime()
  return next === undefined ? Infinity : (jumpsBetween(fields, zone, after + 1, next)[0] ?? next)
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
    const fields = fieldsOf(key, text)
    // croner keeps something for each name that it ever saw, for ever.
    const timezone = canonicalZone(zone)
    const options = { timezone, paused: true, mode: '6-part', fixedTimeRule: 'no-wildcard' } as const
    return { fields, croner: new Cron(cronerText(fields), options) }
  })
}

function fieldsOf(key: string, text: string): CronFields {
  return readings.of(key, () => {
    const read = readCron(text)
    if (!read.valid) throw new TypeError(`the slots of a cron text that is not one: ${read.problem}`)
    return read.fields
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
