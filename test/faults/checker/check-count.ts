import type { Launch, Look } from './check-launches.ts'
import { arrivedLate, isTakenUntold } from './check-status.ts'
import type { Timeline } from './timeline.ts'
import type { Violation } from './violation.ts'

interface Counted {
  readonly handledUntil?: string
  readonly missedCount?: number
  readonly skippedCount?: number
}

/** However often it was edited: no status counts more than was due by then and was not launched. */
export function checkCount(timeline: Timeline, launches: readonly Launch[], { noticeMs }: Look): readonly Violation[] {
  const { namespace, name, statuses } = timeline
  const taken = launches.filter((launch) => isTakenUntold(launch, statuses)).length
  const details = statuses.flatMap((write) => {
    const { handledUntil = '', missedCount = 0, skippedCount = 0 } = write.status as Counted
    const until = Date.parse(handledUntil)
    const counted = missedCount + skippedCount
    if (counted === 0 || Number.isNaN(until)) return []
    const launched = new Set(launches.map(({ slot }) => slot).filter((slot) => slot <= until)).size
    const most = Math.max(0, slotsUntil(timeline, until, noticeMs) - launched) + taken + arrivedLate(launches, write)
    return counted <= most ? [] : [`until ${handledUntil} it counts ${counted}, of at most ${most}`]
  })
  return details.slice(0, 1).map((detail) => ({ kind: 'status', resource: `${namespace}/${name}`, detail }))
}

/** After a change either schedule counts for a while. */
function slotsUntil({ createdAt, chapters }: Timeline, until: number, noticeMs: number): number {
  const counts = chapters.map(({ asked, intervalMs, launches }, index) => {
    const since = index === 0 ? createdAt : Math.floor(asked / 1_000) * 1_000
    const end = Math.min(until, (chapters[index + 1]?.acknowledged ?? Infinity) + noticeMs)
    return launches && end >= since ? Math.floor((end - since) / intervalMs) + 1 : 0
  })
  return counts.reduce((sum, count) => sum + count, 0)
}
