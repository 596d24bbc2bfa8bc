import type { CronFields } from './cron-fields.ts'
import type { Instant } from './state.ts'
import { countOnWall } from './wall.ts'
import { dayMs, offsetAt, type Shift, shiftsBetween, type Wall } from './zone.ts'

/** No clock was ever set back by more than a day: what lies further back can't be repeated. */
const longestRepeatMs = 2 * dayMs

/** Instants between which the offset of a zone is the same. */
interface Stretch {
  readonly from: Instant
  readonly to: Instant
  readonly offset: number
}

/**
 * How many slots lie at or after `from` and before `to`, both whole seconds. One step for each day, whatever the number
 * of slots: a year of seconds takes a millisecond.
 */
export function countCron(fields: CronFields, zone: string, from: Instant, to: Instant): number {
  let count = 0
  let shown = Number.NEGATIVE_INFINITY
  for (const stretch of stretchesOf(zone, from - longestRepeatMs, to)) {
    const start = stretch.from + stretch.offset
    const counted = Math.max(from, stretch.from) + stretch.offset
    const end = stretch.to + stretch.offset
    count += fields.cadence
      ? countOnWall(fields, counted, end)
      : countOnWall(fields, Math.max(counted, shown), end) + (stretch.from < from ? 0 : jumped(fields, shown, start))
    shown = Math.max(shown, end)
  }
  return count
}

/** 1 if a fixed time was jumped over between the two, and the end of the jump is not a slot by itself. */
function jumped(fields: CronFields, from: Wall, to: Wall): number {
  return countOnWall(fields, from, to) > 0 && countOnWall(fields, to, to + 1_000) === 0 ? 1 : 0
}

function stretchesOf(zone: string, from: Instant, to: Instant): readonly Stretch[] {
  const shifts: readonly Shift[] = shiftsBetween(zone, from, to)
  const starts = [{ at: from, after: offsetAt(zone, from) }, ...shifts]
  return starts.map(({ at, after }, index) => ({ from: at, to: shifts[index]?.at ?? to, offset: after }))
}
