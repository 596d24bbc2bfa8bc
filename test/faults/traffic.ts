import { type AuditRecord, isLaunch } from '../support/audit.ts'
import { mostAtOnce } from '../support/most-at-once.ts'
import type { Result } from './results.ts'

export type Traffic = Pick<Result, 'writesPerLaunch' | 'lists' | 'createsAtOnce'>

/** What the operator has asked for. */
export function trafficOf(records: readonly AuditRecord[], operator: string): Traffic {
  const own = records.filter(({ user }) => user === operator)
  const launches = Math.max(1, own.filter(isLaunch).length)
  return {
    writesPerLaunch: Math.round((own.filter(isCounted).length / launches) * 100) / 100,
    lists: own.filter(({ verb }) => verb === 'list').length,
    createsAtOnce: mostAtOnce(own.filter(isCreate)),
  }
}

/** Events and the Lease are apart. */
function isCounted({ verb, resource, code, dryRun }: AuditRecord): boolean {
  const isWrite = ['create', 'patch', 'delete'].includes(verb) && ['jobs', 'secondcronjobs'].includes(resource)
  return isWrite && code < 300 && !dryRun
}

function isCreate({ verb, resource, dryRun }: AuditRecord): boolean {
  return verb === 'create' && resource === 'jobs' && !dryRun
}
