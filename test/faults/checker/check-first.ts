import { type Launch, type Look, text } from './check-launches.ts'
import type { Timeline } from './timeline.ts'
import type { Violation } from './violation.ts'

/**
 * The first slot is the creation itself: it is launched when the resource is seen, unless a later one is due by then. Where that
 * is certain, and nobody was away, it has to be there; how late it is is not judged.
 */
export function checkFirst(timeline: Timeline, launches: readonly Launch[], look: Look): readonly Violation[] {
  const { namespace, name, createdAt, chapters } = timeline
  const [first, next] = chapters
  if (first === undefined || !first.launches || launches.some(({ slot }) => slot === createdAt)) return []
  const seenBy = first.acknowledged + look.noticeMs + look.lateMs
  const isOnlyOne = createdAt + first.intervalMs > seenBy && (next?.asked ?? Infinity) > seenBy && look.until > seenBy
  const isAway = look.outages.some(({ start, end }) => start < seenBy && end > createdAt)
  if (!isOnlyOne || isAway) return []
  const job = `${name}-${createdAt / 1_000}`
  return [{ kind: 'lost', resource: `${namespace}/${name}`, job, detail: `the first one, due at ${text(createdAt)}` }]
}
