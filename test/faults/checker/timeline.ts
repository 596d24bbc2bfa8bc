import type { AuditRecord } from '../../support/audit.ts'

/** What a resource asked for, from one change of its spec to the next. Times are epoch milliseconds. */
export interface Chapter {
  /** When the API server was asked for the change, and when it had acknowledged it. */
  readonly asked: number
  readonly acknowledged: number
  readonly intervalMs: number
  /** Neither suspended nor being deleted. */
  readonly launches: boolean
  readonly deleting: boolean
}

export interface StatusWrite {
  readonly at: number
  readonly status: Readonly<Record<string, unknown>>
}

/** All that happened to one uid. */
export interface Timeline {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly createdAt: number
  /** In their order; at least one. */
  readonly chapters: readonly Chapter[]
  readonly statuses: readonly StatusWrite[]
  /** When its last finalizer went. */
  readonly goneAt: number | null
  readonly policy: string
}

interface Written {
  readonly metadata: {
    readonly uid: string
    readonly name: string
    readonly namespace: string
    readonly creationTimestamp: string
    readonly deletionTimestamp?: string
    readonly resourceVersion: string
    readonly finalizers?: readonly string[]
  }
  readonly spec: {
    readonly intervalSeconds?: number
    readonly interval_seconds?: number
    readonly suspend?: boolean
    readonly firstRun?: string
    readonly concurrencyPolicy?: string
  }
  readonly status?: Readonly<Record<string, unknown>>
}

interface Write {
  readonly record: AuditRecord
  readonly object: Written
}

/** Replays what was written to SecondCronJobs, from an audit log that has the objects. */
export function timelinesOf(records: readonly AuditRecord[]): readonly Timeline[] {
  const writes = records.flatMap(writeOf).sort((a, b) => versionOf(a) - versionOf(b))
  const byUid = Map.groupBy(writes, ({ object }) => object.metadata.uid)
  return [...byUid].map(([uid, own]) => timelineOf(uid, own))
}

function writeOf(record: AuditRecord): readonly Write[] {
  const object = record.response as Partial<Written> | undefined
  const isWrite = record.resource === 'secondcronjobs' && record.code < 300 && !record.dryRun
  // The answer to a delete without finalizers is a Status.
  return isWrite && object?.metadata?.uid !== undefined ? [{ record, object: object as Written }] : []
}

function versionOf({ object }: Write): number {
  return Number(object.metadata.resourceVersion)
}

function timelineOf(uid: string, writes: readonly Write[]): Timeline {
  const last = writes.at(-1)
  if (last === undefined) throw new Error(`nothing was written to ${uid}`)
  const { namespace, name, creationTimestamp } = last.object.metadata
  const gone = writes.find(({ object: { metadata } }) => isDeleting(metadata) && !metadata.finalizers?.length)
  return {
    uid,
    namespace,
    name,
    createdAt: Date.parse(creationTimestamp),
    chapters: chaptersOf(writes),
    statuses: writes
      .filter(({ record }) => record.subresource === 'status')
      .map(({ record, object }) => ({ at: record.completed, status: object.status ?? {} })),
    goneAt: gone?.record.completed ?? null,
    policy: last.object.spec.concurrencyPolicy ?? 'Allow',
  }
}

function isDeleting({ deletionTimestamp }: Written['metadata']): boolean {
  return deletionTimestamp !== undefined
}

function chaptersOf(writes: readonly Write[]): readonly Chapter[] {
  const chapters: Chapter[] = []
  for (const write of writes) {
    const chapter = chapterOf(write)
    const before = chapters.at(-1)
    if (before === undefined || !sameSchedule(before, chapter)) chapters.push(chapter)
  }
  return chapters
}

function sameSchedule(a: Chapter, b: Chapter): boolean {
  return a.intervalMs === b.intervalMs && a.launches === b.launches && a.deleting === b.deleting
}

function chapterOf({ record, object: { metadata, spec } }: Write): Chapter {
  const seconds = spec.intervalSeconds ?? spec.interval_seconds
  if (seconds === undefined || spec.firstRun === 'AfterInterval')
    throw new Error(`${metadata.name}: only intervals from the creation on are known here`)
  const deleting = isDeleting(metadata)
  return {
    asked: record.received,
    acknowledged: record.completed,
    intervalMs: seconds * 1_000,
    launches: spec.suspend !== true && !deleting,
    deleting,
  }
}
