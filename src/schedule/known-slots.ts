import type { Instant } from './state.ts'

/**
 * Slots that follow one another, in rising order and without a gap; two at least. `-Infinity` stands for no slot before,
 * `Infinity` for none to come.
 */
export type KnownSlots = readonly number[]

/** The slots on both sides of an instant: the newest that is not in the future, and the first that is. */
export interface Around {
  readonly latest: Instant | null
  readonly next: Instant | null
}

/** So many that have passed are kept: those that are asked for when a create is tried again, or when few were missed. */
const keptBehind = 8
/** With so many ahead, a slot that comes leaves its successor known, and the time to find more. */
const fewestAhead = 2
const farAheadMs = 60_000

/** null when one of the two is not among those that are known. */
export function aroundIn(known: KnownSlots, now: Instant): Around | null {
  const index = known.findLastIndex((slot) => slot <= now)
  const latest = known[index]
  const next = known[index + 1]
  return latest === undefined || next === undefined ? null : { latest: orNull(latest), next: orNull(next) }
}

/** How many lie strictly between the two; null when there may be more than those that are known. */
export function countIn(known: KnownSlots, after: Instant, before: Instant): number | null {
  const isCovered = known.some((slot) => slot <= after) && known.some((slot) => slot >= before)
  return isCovered ? known.filter((slot) => slot > after && slot < before).length : null
}

/** Whether as many as `most` are ahead, or all of the next minute. */
export function reachesAhead(known: KnownSlots, now: Instant, most: number): boolean {
  const ahead = known.filter((slot) => slot > now)
  const last = ahead.at(-1)
  if (last === Infinity) return true
  return last !== undefined && ahead.length >= fewestAhead && (ahead.length >= most || last >= now + farAheadMs)
}

/** Without those that have passed long ago. */
export function trimmed(known: KnownSlots, now: Instant): KnownSlots {
  const passed = known.filter((slot) => slot <= now).length
  return known.slice(Math.max(0, passed - keptBehind))
}

function orNull(slot: number): Instant | null {
  return Number.isFinite(slot) ? slot : null
}
