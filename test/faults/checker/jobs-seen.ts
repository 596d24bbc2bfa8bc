import { type AuditRecord, isLaunch } from '../../support/audit.ts'
import type { Launch } from './check-launches.ts'

interface WrittenJob {
  readonly metadata: {
    readonly uid?: string
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[]
  }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

/** What the log tells of a Job. */
export interface JobSeen {
  readonly namespace: string
  readonly name: string
  readonly ownerUid: string | null
  /** When the API server was first asked to store it as complete or failed: a watch tells of it before that is answered. */
  readonly finishedAt: number | null
}

/** Every Job that was created, or of which a status was written: a create may have been committed in the last moment of an API server. */
export function jobsSeen(records: readonly AuditRecord[]): ReadonlyMap<string, JobSeen> {
  const seen = new Map<string, JobSeen>()
  for (const record of records) {
    const job = writtenJob(record)
    if (job === null) continue
    const before = seen.get(keyOf(record))
    const ownerUid = ownerOf(job) ?? before?.ownerUid ?? null
    const finishedAt = before?.finishedAt ?? (isFinished(job) ? record.received : null)
    seen.set(keyOf(record), { namespace: record.namespace, name: record.name, ownerUid, finishedAt })
  }
  return seen
}

function writtenJob({ resource, code, dryRun, response, request }: AuditRecord): WrittenJob | null {
  const job = (response ?? request) as Partial<WrittenJob> | undefined
  if (resource !== 'jobs' || code >= 300 || dryRun || job?.metadata === undefined) return null
  return job as WrittenJob
}

/** The launches of slots by the uid of their owner. */
export function launchesByOwner(records: readonly AuditRecord[]): ReadonlyMap<string, readonly Launch[]> {
  const seen = jobsSeen(records)
  const creates = records.filter(isLaunch)
  const created = new Set(creates.map(keyOf))
  const all = [
    ...creates.map((record) => ({ job: seen.get(keyOf(record)), received: record.received })),
    ...[...seen].filter(([key]) => !created.has(key)).map(([, job]) => ({ job, received: Number.NaN })),
  ]
  const launches = all.flatMap(({ job, received }) => {
    const slot = slotOf(job?.name ?? '')
    return job === undefined || slot === null ? [] : [{ owner: job.ownerUid ?? '', job: job.name, slot, received }]
  })
  return Map.groupBy(launches, ({ owner }) => owner)
}

/** The slot in a Job's name: `NAME-SECOND`. */
export function slotOf(name: string): number | null {
  const second = /-(\d+)$/.exec(name)?.[1]
  return second === undefined ? null : Number(second) * 1_000
}

export function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}

function ownerOf({ metadata }: WrittenJob): string | null {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? null
}

export function isFinished({ status }: Pick<WrittenJob, 'status'>): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: is }) => ['Complete', 'Failed'].includes(type) && is === 'True',
  )
}
