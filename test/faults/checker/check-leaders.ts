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
  const own = records.filter((record) => record.user === user).toSorted((a, b) => a.received - b.received)
  // Of one without any the term may have begun just before the log, which has what was answered since; a watch is old by then.
  const begin = records.reduce((first, { completed }) => Math.min(first, completed), Number.POSITIVE_INFINITY)
  const renewedAt = new Map<string, number>()
  return own.flatMap((record) => {
    const { userAgent, received } = record
    if (isLeaseWrite(record)) renewedAt.set(userAgent, received)
    const ageMs = received - (renewedAt.get(userAgent) ?? begin)
    if (!isFenced(record) || ageMs <= renewDeadlineMs + underwayMs || isReadLate(record, resumed)) return []
    const detail = `${whatIs(record)} by ${nameIn(record)} at ${text(received)}, ${Math.round(ageMs)} ms after its last renewal`
    return [{ kind: 'unfenced' as const, resource: `${record.namespace}/${record.name}`, detail }]
  })
}

/** `patch secondcronjobs/status` */
function whatIs({ verb, resource, subresource }: AuditRecord): string {
  return `${verb} ${[resource, subresource].filter((part) => part !== '').join('/')}`
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
