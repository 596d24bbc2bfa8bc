import { type AuditRecord, isLaunch } from '../../support/audit.ts'
import { isReadLate, text } from './check-launches.ts'
import type { Violation } from './violation.ts'

/** What was sent in the last moment of a term takes a moment to arrive. */
const underwayMs = 500
/** The usual one: whoever has not renewed for so long writes no more. */
const renewDeadlineMs = 4_500
/** What a leader writes, apart from the Lease. */
const fencedVerbs = new Set(['create', 'update', 'patch', 'delete'])
const fencedResources = new Set(['jobs', 'secondcronjobs', 'events'])

/** Of the operators, whoever launches has written the Lease last. */
export function checkLeaders(records: readonly AuditRecord[], user: string): readonly Violation[] {
  const own = records.filter((record) => record.user === user)
  const writes = own.filter(isLeaseWrite).toSorted((a, b) => a.completed - b.completed)
  return own.filter(isLaunch).flatMap((launch) => {
    const before = writes.filter(({ completed }) => completed < launch.received)
    const last = before.at(-1)
    const mine = before.findLast(({ userAgent }) => userAgent === launch.userAgent)
    const others = before.find(({ completed }) => completed > (mine?.completed ?? 0))
    if (last === undefined || others === undefined || launch.received - others.completed <= underwayMs) return []
    const detail = `by ${nameIn(launch)} at ${text(launch.received)}, when ${nameIn(last)} led`
    return [{ kind: 'twoLeaders' as const, resource: `${launch.namespace}/${launch.name}`, detail }]
  })
}

/**
 * Whatever an operator writes, taken or refused, is sent while its last renewal is young: it counts from when it was sent, so
 * here from when it was received. `resumed` are the times at which an API server that stood still went on.
 */
export function checkFence(
  records: readonly AuditRecord[],
  user: string,
  resumed: readonly number[] = [],
): readonly Violation[] {
  const own = records.filter((record) => record.user === user)
  const byAgent = Map.groupBy(own, ({ userAgent }) => userAgent)
  return [...byAgent.values()].flatMap((its) => {
    const renewals = its.filter(isLeaseWrite).map(({ received }) => received)
    return its.filter(isFenced).flatMap((write) => {
      const last = Math.max(...renewals.filter((at) => at <= write.received))
      const ageMs = write.received - last
      // Of one without any the log has begun later than its term.
      if (!Number.isFinite(last) || ageMs <= renewDeadlineMs + underwayMs || isReadLate(write, resumed)) return []
      const what = `${write.verb} ${[write.resource, write.subresource].filter((part) => part !== '').join('/')}`
      const detail = `${what} by ${nameIn(write)} at ${text(write.received)}, ${Math.round(ageMs)} ms after its last renewal`
      return [{ kind: 'unfenced' as const, resource: `${write.namespace}/${write.name}`, detail }]
    })
  })
}

function isFenced({ verb, resource }: AuditRecord): boolean {
  return fencedVerbs.has(verb) && fencedResources.has(resource)
}

function isLeaseWrite({ verb, resource, code }: AuditRecord): boolean {
  return resource === 'leases' && ['create', 'update'].includes(verb) && code < 300
}

/** `PROGRAM/VERSION (POD)` */
function nameIn({ userAgent }: AuditRecord): string {
  return /\(([^)]*)\)/.exec(userAgent)?.[1] ?? userAgent
}
