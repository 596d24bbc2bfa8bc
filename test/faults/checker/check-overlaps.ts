import { type AuditRecord, isJobDelete, isLaunch } from '../../support/audit.ts'
import { type Launch, type Look, text } from './check-launches.ts'
import { isManual, jobsSeen, keyOf } from './jobs-seen.ts'
import { optionsAt } from './options.ts'
import type { Timeline } from './timeline.ts'
import type { Violation } from './violation.ts'

/** Under Forbid and Replace: a Job that is created while an older one of its owner has neither finished nor gone. */
export function checkOverlaps(
  timelines: readonly Timeline[],
  records: readonly AuditRecord[],
  { noticeMs }: Pick<Look, 'noticeMs'>,
): readonly Violation[] {
  const owners = new Map(timelines.map((timeline) => [timeline.uid, timeline]))
  const seen = jobsSeen(records)
  const goneAt = new Map(records.filter(isJobDelete).map((record) => [keyOf(record), record.received]))
  const created = records.filter(isLaunch).flatMap((record) => {
    const job = seen.get(keyOf(record))
    if (job?.ownerUid === undefined || job.ownerUid === null || !owners.has(job.ownerUid)) return []
    const end = Math.min(job.finishedAt ?? Infinity, goneAt.get(keyOf(record)) ?? Infinity)
    return [{ owner: job.ownerUid, record, end }]
  })
  return [...Map.groupBy(created, ({ owner }) => owner).values()].flatMap((own) =>
    own.flatMap(({ owner, record }) => {
      // A run by hand begins whatever is at work, and is at work itself.
      if (isManual(record.name) || !isAlone(owners.get(owner), record.received, noticeMs)) return []
      const active = own.find((other) => other.record.completed < record.received && other.end > record.received)
      if (active === undefined) return []
      const detail = `at ${text(record.received)}, while ${active.record.name} was at work`
      return [{ kind: 'overlap' as const, resource: keyOf(record), job: record.name, detail }]
    }),
  )
}

/** By whatever of its specs the operator went: none of them lets Jobs run beside each other. */
function isAlone(owner: Timeline | undefined, at: number, noticeMs: number): boolean {
  return owner !== undefined && optionsAt(owner.options, at, noticeMs).every(({ policy }) => policy !== 'Allow')
}

/** Launches wait for the finalizer. */
export function checkGuards(timeline: Timeline, launches: readonly Launch[]): readonly Violation[] {
  const { namespace, name, guardedSince } = timeline
  return launches
    .filter(({ received }) => received < (guardedSince ?? Infinity))
    .map(({ job, received }) => {
      const detail = `at ${text(received)}, without a finalizer`
      return { kind: 'unguarded', resource: `${namespace}/${name}`, job, detail }
    })
}
