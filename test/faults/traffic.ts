import { type AuditRecord, isLaunch } from '../support/audit.ts'
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

/** As the API server sees them: from when a request came to when it was answered. */
function mostAtOnce(records: readonly AuditRecord[]): number {
  const steps = records.flatMap(({ received, completed }) => [
    { at: received, by: 1 },
    { at: completed, by: -1 },
  ])
  let now = 0
  let most = 0
  for (const { by } of steps.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
    now += by
    most = Math.max(most, now)
  }
  return most
}
