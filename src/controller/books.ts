import { formatTime, parseTime } from '../api/time.ts'
import type { RecentSlot } from '../api/secondcronjob.ts'
import type { Instant } from '../schedule/state.ts'

/**
 * What the status tells of slots, in their order: of a slot nothing is told, nor of those after it, until it is known what
 * became of it. So `settled` and the counts always fit each other, and whoever leads next counts the rest.
 */
export interface Books {
  /** Newest slot with a final outcome, and no older one without: what `handledUntil` may be stored as. */
  readonly settled: Instant | null
  /** Up to `settled`, as `skipped` and `recent` are. */
  readonly missed: number
  readonly skipped: number
  /** Newest slot first, at most ten. */
  readonly recent: readonly RecentSlot[]
  /** Slots decided and not told of yet, in their order: the first of them has no outcome. */
  readonly lines: readonly Line[]
  /** What was counted as missed in one, the newest first, at most ten: the Job of any of them may be told of yet. */
  readonly passed: readonly Passed[]
}

/** The slots after `after`, up to `until`, but for those that have a Job after all. */
export interface Passed {
  readonly after: Instant
  readonly until: Instant
  readonly launched: readonly Instant[]
}

interface Line {
  readonly slot: Instant
  /** null while it is not known what became of the slot. */
  readonly entry: Entry | null
}

/** What is to be told of a slot. */
export interface Entry {
  readonly missed: number
  readonly skipped: number
  readonly recent: RecentSlot | null
}

const launched: Entry = { missed: 0, skipped: 0, recent: null }

const mostRecent = 10

/** The slot was decided to be launched. */
export function open<T extends Books>(books: T, slot: Instant): T {
  return withLine(books, { slot, entry: null })
}

/** What became of a slot is known; the same books when all is told of it already. */
export function close<T extends Books>(books: T, slot: Instant, entry: Entry): T {
  const isLine = books.lines.some((line) => line.slot === slot)
  return isLine || slot > (books.settled ?? -Infinity) ? told(withLine(books, { slot, entry })) : books
}

/** The slot is none any more. */
export function strike<T extends Books>(books: T, slot: Instant): T {
  return told({ ...books, lines: without(books, slot) })
}

/** These slots are to be counted as missed in one entry, or are so already. */
export function pass<T extends Books>(books: T, passed: Passed): T {
  return { ...books, passed: [passed, ...books.passed].slice(0, mostRecent) }
}

/** The Job of a slot is there. */
export function arrive<T extends Books>(books: T, slot: Instant): T {
  const passed = books.passed.find(({ after, until }) => slot > after && slot <= until)
  if (passed === undefined) return close(forgive(books, slot), slot, launched)
  return passed.launched.includes(slot) ? books : forgivePassed(books, slot, passed)
}

/** A create that was given up for lost did arrive. */
export function forgive<T extends Books>(books: T, slot: Instant): T {
  const recent = withoutSlot(books.recent, slot)
  return recent.length === books.recent.length ? books : { ...books, recent, missed: Math.max(0, books.missed - 1) }
}

/** The same of one of several that were counted in one, whether that is told of yet or not. */
function forgivePassed<T extends Books>(books: T, slot: Instant, of: Passed): T {
  const passed = books.passed.map((one) => (one === of ? { ...of, launched: [...of.launched, slot] } : one))
  const line = books.lines.find((one) => one.slot === of.until)
  if (line === undefined || line.entry === null) {
    return { ...books, passed, recent: withoutSlot(books.recent, slot), missed: Math.max(0, books.missed - 1) }
  }
  const { missed, recent, skipped } = line.entry
  const entry = { skipped, missed: missed - 1, recent: slot === of.until ? null : recent }
  return withLine({ ...books, passed }, { slot: of.until, entry })
}

/** That it was skipped stays. */
function withoutSlot(recent: readonly RecentSlot[], slot: Instant): readonly RecentSlot[] {
  const text = formatTime(slot)
  return recent.filter((entry) => entry.slot !== text || entry.outcome === 'Skipped')
}

/** Newest first, whenever they were told. */
export function recentOf(slots: readonly RecentSlot[]): readonly RecentSlot[] {
  return [...slots].sort((a, b) => (parseTime(b.slot) ?? 0) - (parseTime(a.slot) ?? 0)).slice(0, mostRecent)
}

function without(books: Books, slot: Instant): readonly Line[] {
  return books.lines.filter((line) => line.slot !== slot)
}

function withLine<T extends Books>(books: T, line: Line): T {
  return { ...books, lines: [...without(books, line.slot), line].sort((a, b) => a.slot - b.slot) }
}

function told<T extends Books>(books: T): T {
  const [line, ...lines] = books.lines
  if (line === undefined || line.entry === null) return books
  const { missed, skipped, recent } = line.entry
  return told({
    ...books,
    lines,
    settled: Math.max(line.slot, books.settled ?? line.slot),
    missed: books.missed + missed,
    skipped: books.skipped + skipped,
    recent: recent === null ? books.recent : recentOf([recent, ...books.recent]),
  })
}
