import { type AuditRecord, isLaunch } from '../../support/audit.ts'
import { text } from './check-launches.ts'
import type { Violation } from './violation.ts'

/** What was sent in the last moment of a term takes a moment to arrive. */
const underwayMs = 500

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

function isLeaseWrite({ verb, resource, code }: AuditRecord): boolean {
  return resource === 'leases' && ['create', 'update'].includes(verb) && code < 300
}

/** `PROGRAM/VERSION (POD)` */
function nameIn({ userAgent }: AuditRecord): string {
  return /\(([^)]*)\)/.exec(userAgent)?.[1] ?? userAgent
}
