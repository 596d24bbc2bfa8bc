import type { AuditRecord } from './audit.ts'
import { type Expectation, isLaunch, type Outage, percentile } from './verdict.ts'

/** When a slot is due. */
export type Grid = Pick<Expectation, 'createdAt' | 'intervalMs'>

/**
 * The seconds without a launch that each outage has cost: the longest time in which something was due and no Job at all
 * was created, from the last launch before the outage to the first one after it. The time from a launch to the next
 * instant at which anything is due is the schedules' own, and is not counted. Ascending; NaN when nothing was launched
 * afterwards.
 */
export function gaps(
  outages: readonly Outage[],
  grids: readonly Grid[],
  records: readonly AuditRecord[],
): readonly number[] {
  const launches = records
    .filter(isLaunch)
    .map(({ received }) => received)
    .toSorted((a, b) => a - b)
  return outages.map((outage) => longest(outage, grids, launches) / 1_000).toSorted((a, b) => a - b)
}

/** `seconds without a launch: p50 0.2 max 1.3 of 20` */
export function describeGaps(seconds: readonly number[]): string {
  const [p50, max] = [percentile(seconds, 0.5), percentile(seconds, 1)]
  return `seconds without a launch: p50 ${p50.toFixed(1)} max ${max.toFixed(1)} of ${seconds.length}`
}

function longest({ start, end }: Outage, grids: readonly Grid[], launches: readonly number[]): number {
  const first = Math.max(
    0,
    launches.findLastIndex((received) => received <= start),
  )
  const last = launches.findIndex((received) => received >= end)
  if (last === -1) return Number.NaN
  const within = launches.slice(first, last + 1)
  const each = within.slice(1).map((received, index) => received - nextDue(grids, within[index] ?? Number.NaN))
  return Math.max(0, ...each)
}

/** The first instant after `after` at which any of them is due. */
function nextDue(grids: readonly Grid[], after: number): number {
  const next = ({ createdAt, intervalMs }: Grid) =>
    createdAt + (Math.floor((after - createdAt) / intervalMs) + 1) * intervalMs
  return Math.min(...grids.map(next))
}
