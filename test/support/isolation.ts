import type { AuditRecord } from './audit.ts'
import { operatorUser } from './service-account.ts'
import { mostAtOnce } from './most-at-once.ts'

/** What the creates of a group of bad resources took, by the API server's record of them. */
export interface Burden {
  readonly resources: number
  readonly creates: number
  /** Most creates under way at once. */
  readonly mostAtOnce: number
  /** The same, of resources that were known to be bad when the create was sent. */
  readonly mostKnownAtOnce: number
  /** From the first bad create until every resource was known to be bad. */
  readonly findingOutMs: number
  /** Pairs of attempts at one slot that are closer together than its back-off. */
  readonly hasty: readonly string[]
  /** Most creates of one resource in any ten seconds. */
  readonly mostInTenSeconds: number
}

/** A create that is unanswered for so long is one that hangs. */
const hangsAfterMs = 500
/** Times are taken at the API server, which a request reaches sooner or later, and which ends one later than who gave it up. */
const toleranceMs = 50

/** Looks at the creates of Jobs of resources whose name begins with `prefix`, received in [from, until). */
export function burdenOf(records: readonly AuditRecord[], prefix: string, from: number, until: number): Burden {
  const creates = createsOf(records, prefix).filter(({ received }) => received >= from && received < until)
  const known = knownBad(creates)
  const isKnown = ({ name, received }: AuditRecord) => received > (known.get(resourceOf(name)) ?? Infinity)
  return {
    resources: new Set(creates.map(({ name }) => resourceOf(name))).size,
    creates: creates.length,
    mostAtOnce: mostAtOnce(creates),
    mostKnownAtOnce: mostAtOnce(
      creates.filter(isKnown).map((record) => ({ ...record, completed: record.completed - toleranceMs })),
    ),
    findingOutMs:
      known.size === 0
        ? 0
        : Math.max(...known.values()) - Math.min(...creates.filter(isBad).map(({ received }) => received)),
    hasty: hasty(creates),
    mostInTenSeconds: mostInTenSeconds(creates),
  }
}

/** How many resources had a Job by then. */
export function ranBefore(records: readonly AuditRecord[], prefix: string, by: number): number {
  const taken = createsOf(records, prefix).filter(({ code, completed }) => code === 201 && completed < by)
  return new Set(taken.map(({ name }) => resourceOf(name))).size
}

/** From `since` until every resource that had tried before has a Job again; Infinity when one has none. */
export function recoveredMs(records: readonly AuditRecord[], prefix: string, since: number): number {
  const creates = byKey(createsOf(records, prefix), ({ name }) => resourceOf(name))
  const first = [...creates.values()].map(
    (ofOne) => ofOne.find(({ code, completed }) => code === 201 && completed >= since)?.completed ?? Infinity,
  )
  return Math.max(...first) - since
}

function createsOf(records: readonly AuditRecord[], prefix: string): readonly AuditRecord[] {
  return records
    .filter(({ verb, resource, subresource, dryRun, user }) => {
      return verb === 'create' && resource === 'jobs' && subresource === '' && !dryRun && user === operatorUser
    })
    .filter(({ name }) => name.startsWith(prefix))
    .sort((a, b) => a.received - b.received)
}

function isBad({ code, received, completed }: AuditRecord): boolean {
  return code !== 201 || completed - received >= hangsAfterMs
}

function resourceOf(job: string): string {
  return job.slice(0, job.lastIndexOf('-'))
}

/** When it could be told of each resource that its creates fail: at the first answer that says so, or when one hangs. */
function knownBad(creates: readonly AuditRecord[]): ReadonlyMap<string, number> {
  const known = new Map<string, number>()
  for (const record of creates) {
    const { name, received, completed } = record
    if (isBad(record) && !known.has(resourceOf(name)))
      known.set(resourceOf(name), Math.min(completed, received + hangsAfterMs))
  }
  return known
}

/**
 * The n-th repetition for one slot comes at least 2^(n-1) seconds, at most a minute, after a refusal, and 2^(n-1) tenths of
 * one, at most five seconds, when nobody answered.
 */
function hasty(creates: readonly AuditRecord[]): readonly string[] {
  return [...byKey(creates, ({ name }) => name)].flatMap(([job, attempts]) =>
    attempts.flatMap(({ received }, index) => {
      const before = attempts[index - 1]
      if (before === undefined) return []
      const pauseMs = received - before.completed
      const [firstMs, mostMs] = before.code === 504 ? [100, 5_000] : [1_000, 60_000]
      const leastMs = Math.min(firstMs * 2 ** (index - 1), mostMs) - toleranceMs
      return pauseMs < leastMs ? [`${job}: attempt ${index + 1} after ${pauseMs.toFixed(0)} ms`] : []
    }),
  )
}

function mostInTenSeconds(creates: readonly AuditRecord[]): number {
  const counts = [...byKey(creates, ({ name }) => resourceOf(name)).values()].map((ofOne) =>
    Math.max(
      ...ofOne.map(
        ({ received }) =>
          ofOne.filter((other) => other.received >= received && other.received < received + 10_000).length,
      ),
    ),
  )
  return Math.max(0, ...counts)
}

function byKey<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
