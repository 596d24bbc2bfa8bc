import { type AuditRecord, isJobDelete, isLaunch } from '../../support/audit.ts'
import { type Launch, text } from './check-launches.ts'
import { isManual, jobsSeen, keyOf } from './jobs-seen.ts'
import type { Timeline } from './timeline.ts'
import type { Violation } from './violation.ts'

/** Under Forbid and Replace: a Job that is created while an older one of its owner has neither finished nor gone. */
export function checkOverlaps(timelines: readonly Timeline[], records: readonly AuditRecord[]): readonly Violation[] {
  const alone = new Set(timelines.filter(({ policy }) => policy !== 'Allow').map(({ uid }) => uid))
  const seen = jobsSeen(records)
  const goneAt = new Map(records.filter(isJobDelete).map((record) => [keyOf(record), record.received]))
  const created = records.filter(isLaunch).flatMap((record) => {
    const job = seen.get(keyOf(record))
    if (job?.ownerUid === undefined || job.ownerUid === null || !alone.has(job.ownerUid)) return []
    const end = Math.min(job.finishedAt ?? Infinity, goneAt.get(keyOf(record)) ?? Infinity)
    return [{ owner: job.ownerUid, record, end }]
  })
  return [...Map.groupBy(created, ({ owner }) => owner).values()].flatMap((own) =>
    own.flatMap(({ record }) => {
      // A run by hand begins whatever is at work, and is at work itself.
      if (isManual(record.name)) return []
      const active = own.find((other) => other.record.completed < record.received && other.end > record.received)
      if (active === undefined) return []
      const detail = `at ${text(record.received)}, while ${active.record.name} was at work`
      return [{ kind: 'overlap' as const, resource: keyOf(record), job: record.name, detail }]
    }),
  )
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
