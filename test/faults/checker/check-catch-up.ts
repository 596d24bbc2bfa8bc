import { isWithin, type Launch, type Look, type Outage, text } from './check-launches.ts'
import { noticedAt } from './due-slots.ts'
import type { Timeline } from './timeline.ts'
import type { Violation } from './violation.ts'

/** What was refused or not answered is tried again by then, and a burst of hundreds is sent. */
const catchUpMs = 6_000

/**
 * Of an outage the newest slot is run when it is over, unless a newer one is due by then. Where that is certain it has to be
 * there: who has seen the schedule before, has no deadline and nothing to wait for.
 */
export function checkCatchUp(timeline: Timeline, launches: readonly Launch[], look: Look): readonly Violation[] {
  const { namespace, name, options } = timeline
  if (options.some(({ policy, deadlineMs }) => policy === 'Forbid' || Number.isFinite(deadlineMs))) return []
  return look.outages.flatMap((outage) => {
    const slot = slotToRun(timeline, outage, look)
    const wrong = slot === null ? null : wrongIn(launches, slot, outage)
    if (slot === null || wrong === null) return []
    return [{ ...wrong, resource: `${namespace}/${name}`, job: `${name}-${slot / 1_000}` }]
  })
}

function wrongIn(
  launches: readonly Launch[],
  slot: number,
  { end }: Outage,
): Pick<Violation, 'kind' | 'detail'> | null {
  const launch = launches.find((one) => one.slot === slot)
  if (launch === undefined) return { kind: 'lost', detail: `the newest one of an outage until ${text(end)}` }
  const isLate = launch.received > end + catchUpMs
  return isLate ? { kind: 'late', detail: `at ${text(launch.received)}, of an outage until ${text(end)}` } : null
}

function slotToRun({ createdAt, chapters, editedAt }: Timeline, { start, end }: Outage, look: Look): number | null {
  const over = end + catchUpMs
  const index = chapters.findLastIndex(({ asked }) => asked <= over)
  const chapter = chapters[index]
  if (chapter === undefined || !chapter.launches || look.until <= over) return null
  const slot = end - 1 - ((end - 1 - createdAt) % chapter.intervalMs)
  const isSeen = noticedAt(chapter, look) <= Math.min(slot, start)
  // Two edits that nobody has seen are taken for one of the schedule.
  const isEdited = editedAt.some((at) => at > start - look.noticeMs && at <= over)
  const isAwayAgain = look.outages.some((other) => other.start < over && other.end > end)
  const isNewest = slot + chapter.intervalMs > over && isWithin(slot, [{ start: Math.max(start, look.from), end }])
  return isSeen && !isEdited && !isAwayAgain && isNewest ? slot : null
}
