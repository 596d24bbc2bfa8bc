import { type AuditRecord, isJobDelete, isLaunch } from '../../support/audit.ts'
import type { Launch } from './check-launches.ts'

interface WrittenJob {
  readonly metadata: {
    readonly uid?: string
    readonly resourceVersion?: string
    readonly annotations?: Readonly<Record<string, string>>
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
  /** When it had what it takes to be complete or failed; the controller of Jobs stores that next. */
  readonly endingAt: number | null
  /** The newest resourceVersion that the log tells of. */
  readonly version: string | null
  /** So it has finished. */
  readonly isFailed: boolean
  /** What it says itself, whatever its name is; null when it says nothing. */
  readonly slot: number | null
}

const slotAnnotation = 'myyrakle.com/scheduled-at'

/** Every Job that was created, or of which a status was written: a create may have been committed in the last moment of an API server. */
export function jobsSeen(records: readonly AuditRecord[]): ReadonlyMap<string, JobSeen> {
  const deleted = new Set(records.filter(isJobDelete).map(keyOf))
  // What was deleted was there.
  const attempted = [...jobsAttempted(records)].filter(([key]) => deleted.has(key))
  return new Map([...attempted, ...seenBy(records, keyOf)])
}

/** The same by uid, where the log has it: another one may have had the name before. */
export function jobsByUid(records: readonly AuditRecord[]): ReadonlyMap<string, JobSeen> {
  const uids = new Map<string, string>()
  return seenBy(records, (record) => {
    const uid = writtenJob(record)?.metadata.uid
    if (uid !== undefined) uids.set(keyOf(record), uid)
    return uids.get(keyOf(record)) ?? keyOf(record)
  })
}

function seenBy(records: readonly AuditRecord[], key: (record: AuditRecord) => string): ReadonlyMap<string, JobSeen> {
  const seen = new Map<string, JobSeen>()
  for (const record of records.filter(({ resource }) => resource === 'jobs')) {
    const before = seen.get(key(record))
    const job = writtenJob(record)
    if (before !== undefined && (isBehind(record) || isOfUntold(record, before)))
      seen.set(key(record), ended(before, record))
    else if (job !== null) seen.set(key(record), noted(record, job, isOfAnother(record, before) ? undefined : before))
  }
  return seen
}

/** Jobs whose create the API server has given up on, by `keyOf`: it may have been committed all the same. */
export function jobsAttempted(records: readonly AuditRecord[]): ReadonlyMap<string, JobSeen> {
  const unclear = records.filter(({ verb, resource, code, dryRun }) => {
    return verb === 'create' && resource === 'jobs' && code >= 500 && !dryRun
  })
  return new Map(
    unclear.flatMap((record) => {
      const job = record.request as WrittenJob | undefined
      return job?.metadata === undefined ? [] : [[keyOf(record), noted(record, job, undefined)] as const]
    }),
  )
}

/** It has the name of one that went. The log may tell of a create after the end of its own Job. */
function isOfAnother(record: AuditRecord, before: JobSeen | undefined): boolean {
  return isLaunch(record) && (before?.finishedAt ?? Number.NEGATIVE_INFINITY) < record.received
}

function noted(record: AuditRecord, job: WrittenJob, before: JobSeen | undefined): JobSeen {
  const { namespace, name, received } = record
  return {
    namespace,
    name,
    ownerUid: controllerOf(job.metadata) ?? before?.ownerUid ?? null,
    finishedAt: before?.finishedAt ?? (isFinished(job) ? received : null),
    endingAt: has(job, ['SuccessCriteriaMet', 'FailureTarget']) ? received : null,
    version: newestVersion(job, before),
    isFailed: has(job, ['Failed']),
    slot: before?.slot ?? slotIn(job, name),
  }
}

function newestVersion({ metadata }: WrittenJob, before: JobSeen | undefined): string | null {
  return metadata.resourceVersion ?? before?.version ?? null
}

/** The slot that a Job is of: as it says, or by its name; null when it is of none. */
export function slotIn({ metadata: { annotations = {} } }: Pick<WrittenJob, 'metadata'>, name: string): number | null {
  // Of a run by hand it is the time at which it was asked for.
  if (isManual(name)) return null
  const annotated = Date.parse(annotations[slotAnnotation] ?? '')
  return Number.isNaN(annotated) ? slotOf(name) : annotated
}

function jobOf(record: AuditRecord): JobSeen | undefined {
  const job = writtenJob(record)
  return job === null ? undefined : noted(record, job, undefined)
}

/** A status is refused because a newer one is stored: one that was committed in the last moment of an API server. */
function isBehind({ verb, resource, subresource, code }: AuditRecord): boolean {
  return verb === 'update' && resource === 'jobs' && subresource === 'status' && code === 409
}

/** It was deleted in a version that no log tells of: one that was committed in the last moment of an API server. */
function isOfUntold(record: AuditRecord, { version }: JobSeen): boolean {
  const { preconditions } = (record.request ?? {}) as { preconditions?: { resourceVersion?: string } }
  const deleted = preconditions?.resourceVersion
  return isJobDelete(record) && version !== null && deleted !== undefined && deleted !== version
}

/** Where no log tells of its end, that came right after what the log tells of last. */
function ended(before: JobSeen, record: AuditRecord): JobSeen {
  if (before.endingAt === null) return before
  return { ...before, finishedAt: before.finishedAt ?? (isJobDelete(record) ? before.endingAt : record.received) }
}

/** A delete may be answered by a Status, whose metadata are of no Job. */
function writtenJob({ resource, code, dryRun, response, request }: AuditRecord): WrittenJob | null {
  const job = (response ?? request) as (Partial<WrittenJob> & { readonly kind?: string }) | undefined
  if (resource !== 'jobs' || code >= 300 || dryRun || job?.metadata === undefined || job.kind === 'Status') return null
  return job as WrittenJob
}

/** The launches of slots by the uid of their owner. `user` is the operator. */
export function launchesByOwner(records: readonly AuditRecord[], user: string): ReadonlyMap<string, readonly Launch[]> {
  const seen = jobsSeen(records)
  const deletes = records.filter(isJobDelete)
  const deleted = new Map(deletes.map((one) => [keyOf(one), one.received]))
  const taken = new Map(deletes.filter((one) => one.user !== user).map((one) => [keyOf(one), one.received]))
  const creates = records.filter(isLaunch)
  const created = new Set(creates.map(keyOf))
  const all = [
    ...creates.map((record) => ({ job: jobOf(record), received: record.received })),
    ...[...seen].filter(([key]) => !created.has(key)).map(([, job]) => ({ job, received: Number.NaN })),
  ]
  const launches = all.flatMap(({ job, received }) => {
    if (job === undefined || job.slot === null || job.ownerUid === null) return []
    const key = keyOf(job)
    const takenAt = taken.get(key)
    const endedAt = Math.min(seen.get(key)?.finishedAt ?? Infinity, deleted.get(key) ?? Infinity)
    const launch = { owner: job.ownerUid, job: job.name, slot: job.slot, received, endedAt }
    return [takenAt === undefined ? launch : { ...launch, takenAt }]
  })
  return Map.groupBy(launches, ({ owner }) => owner)
}

/** The name is one of a run that was asked for by hand. */
export function isManual(name: string): boolean {
  return /-m[0-9a-f]{9}$/.test(name)
}

/** The slot in a Job's name: `NAME-SECOND`. */
export function slotOf(name: string): number | null {
  const second = /-(\d+)$/.exec(name)?.[1]
  return second === undefined ? null : Number(second) * 1_000
}

export function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}

/** The uid of the resource that the object belongs to, by `ownerReferences`; null when it is nobody's. */
export function controllerOf(metadata: object = {}): string | null {
  const { ownerReferences = [] } = metadata as WrittenJob['metadata']
  return ownerReferences.find(({ controller }) => controller === true)?.uid ?? null
}

export function isFinished(job: Pick<WrittenJob, 'status'>): boolean {
  return has(job, ['Complete', 'Failed'])
}

function has({ status }: Pick<WrittenJob, 'status'>, types: readonly string[]): boolean {
  return (status?.conditions ?? []).some(({ type, status: is }) => types.includes(type) && is === 'True')
}
