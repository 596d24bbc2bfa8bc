import type { Launch, Look } from './check-launches.ts'
import type { Chapter, Timeline } from './timeline.ts'

/** A create takes a moment to arrive, and a longer one where everything begins anew on a busy machine. */
const underwayMs = 500
/** A change of a spec, where there is no fault. */
const calmNoticeMs = 3_000
/** Until the end of a Job is seen. */
const seenMs = 1_000

/** Each slot that some chapter had for certain. */
export function dueSlots(timeline: Timeline, launches: readonly Launch[], look: Look): readonly number[] {
  const { from, until } = look
  const slots = timeline.chapters.flatMap((chapter, index) => {
    const next = timeline.chapters[index + 1]
    const start = Math.max(from, noticedAt(chapter, look))
    const end = Math.min(until, (next?.asked ?? Number.POSITIVE_INFINITY) - slackMs(look))
    return chapter.launches ? gridSlots(timeline.createdAt, chapter.intervalMs, [start, end]) : []
  })
  return timeline.options.some(({ policy }) => policy === 'Forbid')
    ? slots.filter((slot) => isFree(timeline, launches, slot))
    : slots
}

/** What was there long before the first fault was noticed as ever. */
export function noticedAt({ acknowledged }: Chapter, { from, noticeMs }: Look): number {
  const isCalm = acknowledged + calmNoticeMs <= from
  return acknowledged + (isCalm ? Math.min(calmNoticeMs, noticeMs) : noticeMs)
}

/** Every older Job has ended long enough ago that Forbid skips nothing for it. Of runs by hand nothing is known here. */
function isFree({ tokens }: Timeline, launches: readonly Launch[], slot: number): boolean {
  return tokens.length === 0 && launches.every((one) => one.slot >= slot || (one.endedAt ?? Infinity) <= slot - seenMs)
}

/** None where there is no interval: what is due by a cron text is not known here. */
function gridSlots(anchor: number, intervalMs: number, [from, until]: readonly [number, number]): readonly number[] {
  const slots: number[] = []
  if (!(intervalMs > 0)) return slots
  for (let slot = anchor; slot < until; slot += intervalMs) if (slot >= from) slots.push(slot)
  return slots
}

/** A launch that may be late may be on its way for so long. Where lateness is not judged, it is as in time. */
export function slackMs({ lateMs }: Look): number {
  return Number.isFinite(lateMs) ? Math.max(underwayMs, lateMs - underwayMs) : underwayMs
}
