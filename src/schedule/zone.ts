import { Memo } from './memo.ts'
import type { Instant } from './state.ts'

/** What the wall clock shows as if it were UTC, in milliseconds: an instant plus the offset of its zone. */
export type Wall = number

/** A moment in which the clocks of a zone are changed. Offsets are milliseconds east of UTC. */
export interface Shift {
  readonly at: Instant
  readonly before: number
  readonly after: number
}

export const dayMs = 86_400_000
/** Shifts are looked for in pieces of this length, and remembered; within a piece, one day at a time. */
const pieceMs = 366 * dayMs

/** 30 kB each. There are 418 zones; the same one has other names, and may be written in small letters. */
const formats = new Memo<Intl.DateTimeFormat>(500)
const pieces = new Memo<readonly Shift[]>(4_000)

/**
 * Names that ICU keeps from old versions of Java, and IANA's data has not: `BST` is Dhaka there, and `IST` is India
 * (https://unicode-org.github.io/icu/userguide/datetime/timezone/).
 */
const legacy = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
)

/** Whether this is the name of a time zone in the IANA data that this process has. An offset such as +02:00 is none. */
export function isTimeZone(name: string): boolean {
  const upper = name.toUpperCase()
  if (!/[A-Z]/.test(upper) || legacy.has(upper) || upper.startsWith('SYSTEMV/')) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** The one name of a zone that is written in several ways: `asia/kolkata` is Asia/Calcutta. */
export function canonicalZone(zone: string): string {
  return formatOf(zone).resolvedOptions().timeZone
}

/** Milliseconds east of UTC. */
export function offsetAt(zone: string, instant: Instant): number {
  const text = formatOf(zone).format(instant)
  const offset = text.slice(text.lastIndexOf('GMT') + 'GMT'.length)
  const parts = offset.slice(1).split(':')
  const seconds = [3_600, 60, 1].reduce((sum, unit, index) => sum + unit * Number(parts[index] ?? 0), 0)
  return (offset.startsWith('-') ? -seconds : seconds) * 1_000
}

/** The shifts with `from` <= at < `to`, in order. What is shifted and shifted back within a day is not seen. */
export function shiftsBetween(zone: string, from: Instant, to: Instant): readonly Shift[] {
  const found: Shift[] = []
  for (let piece = Math.floor(from / pieceMs); piece * pieceMs < to; piece += 1)
    found.push(...shiftsOf(zone, piece).filter(({ at }) => at >= from && at < to))
  return found
}

function shiftsOf(zone: string, piece: number): readonly Shift[] {
  return pieces.of(`${zone} ${piece}`, () => {
    const found: Shift[] = []
    const end = (piece + 1) * pieceMs
    let before = offsetAt(zone, piece * pieceMs - 1_000)
    for (let day = piece * pieceMs; day < end; day += dayMs) {
      const after = offsetAt(zone, day + dayMs - 1_000)
      if (after !== before) found.push({ at: changeAfter(zone, day, before), before, after })
      before = after
    }
    return found
  })
}

/** The first whole second of the day from `day` on whose offset is not `before`. */
function changeAfter(zone: string, day: Instant, before: number): Instant {
  let last = day - 1_000
  let first = day + dayMs - 1_000
  while (first - last > 1_000) {
    const middle = last + Math.floor((first - last) / 2_000) * 1_000
    if (offsetAt(zone, middle) === before) last = middle
    else first = middle
  }
  return first
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return formats.of(zone, () => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }))
}
