import type { AuditRecord } from './audit.ts'

/** How many of these were under way at once, as the API server sees them: from when a request came to its answer. */
export function mostAtOnce(records: readonly Pick<AuditRecord, 'received' | 'completed'>[]): number {
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
