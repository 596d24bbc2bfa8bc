import type { AuditRecord } from '../../support/audit.ts'
import { type Options, optionsOf } from './options.ts'
import type { Write, Written } from './written.ts'

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
  /** In their order; at least one. */
  readonly options: readonly Options[]
  /** When the API server was first asked to store our finalizer; null when it never was. */
  readonly guardedSince: number | null
  /** When the write was received that took off our finalizer; null when there was none, or others decide about the Jobs. */
  readonly releasedAt: number | null
  /** When its spec was changed, the schedule or anything else. */
  readonly editedAt: readonly number[]
  /** What was asked for by run-now, in its order. */
  readonly tokens: readonly string[]
}

const finalizer = 'myyrakle.com/second-cron-job'
/** While one of them is there the garbage collector decides about the Jobs. */
const collectors = new Set(['orphan', 'foregroundDeletion'])

/** Replays what was written to SecondCronJobs, from an audit log that has the objects. */
export function timelinesOf(records: readonly AuditRecord[]): readonly Timeline[] {
  const own = records.filter(({ resource, code, dryRun }) => resource === 'secondcronjobs' && code < 300 && !dryRun)
  const writes = own.flatMap(writeOf).sort((a, b) => versionOf(a) - versionOf(b))
  const removed = new Map(own.flatMap(removalOf))
  const byUid = Map.groupBy(writes, ({ object }) => object.metadata.uid)
  const missing = records.filter(({ resource, code }) => resource === 'secondcronjobs' && code === 404)
  return [...byUid].map(([uid, its]) => timelineOf(its, removed.get(uid) ?? sweptBefore(its, missing)))
}

/**
 * Who deletes a CRD asks for no single object, and one without a finalizer goes untold: the first request after its last
 * write to which the API server said that there is none of its name. Between the two it went.
 */
function sweptBefore(writes: readonly Write[], missing: readonly AuditRecord[]): AuditRecord | undefined {
  const last = writes.at(-1)
  if (last === undefined || isDeleting(last.object.metadata)) return undefined
  const { namespace, name } = last.object.metadata
  const after = missing.filter((record) => record.name === name && record.namespace === namespace)
  const found = after.find(({ received }) => received > last.record.completed)
  return found === undefined ? undefined : { ...found, received: last.record.completed }
}

function writeOf(record: AuditRecord): readonly Write[] {
  const object = record.response as Partial<Written> | undefined
  return object?.metadata?.uid === undefined ? [] : [{ record, object: object as Written }]
}

/** A delete of an object without finalizers is answered by a Status that names its uid. */
function removalOf(record: AuditRecord): readonly (readonly [uid: string, record: AuditRecord])[] {
  const { kind, details } = (record.response ?? {}) as { kind?: string; details?: { uid?: string } }
  return record.verb === 'delete' && kind === 'Status' && details?.uid !== undefined ? [[details.uid, record]] : []
}

function versionOf({ object }: Write): number {
  return Number(object.metadata.resourceVersion)
}

function timelineOf(writes: readonly Write[], removed: AuditRecord | undefined): Timeline {
  const last = writes.at(-1)
  if (last === undefined) throw new Error('a timeline without writes')
  const { uid, namespace, name, creationTimestamp } = last.object.metadata
  const gone = writes.find(({ object: { metadata } }) => isDeleting(metadata) && !metadata.finalizers?.length)
  return {
    uid,
    namespace,
    name,
    createdAt: Date.parse(creationTimestamp),
    chapters: [...chaptersOf(writes), ...(removed === undefined ? [] : [removalChapter(last, removed)])],
    statuses: writes
      .filter(({ record }) => record.subresource === 'status')
      .map(({ record, object }) => ({ at: record.completed, status: object.status ?? {} })),
    goneAt: removed?.completed ?? gone?.record.completed ?? null,
    guardedSince: writes.find(({ object }) => isGuarded(object))?.record.received ?? null,
    options: optionsOf(writes),
    releasedAt: releaseOf(writes),
    editedAt: writes.filter(isEdit).map(({ record }) => record.completed),
    tokens: tokensOf(writes),
  }
}

function isEdit({ object }: Write, index: number, writes: readonly Write[]): boolean {
  const before = writes[index - 1]
  return before !== undefined && before.object.metadata.generation !== object.metadata.generation
}

function isGuarded({ metadata: { finalizers = [] } }: Written): boolean {
  return finalizers.includes(finalizer)
}

function releaseOf(writes: readonly Write[]): number | null {
  const deleting = writes.filter(({ object }) => isDeleting(object.metadata))
  const isOthers = deleting.some(({ object: { metadata } }) => metadata.finalizers?.some((one) => collectors.has(one)))
  const release = deleting.find(({ record, object }) => record.verb === 'patch' && !isGuarded(object))
  return isOthers ? null : (release?.record.received ?? null)
}

function tokensOf(writes: readonly Write[]): readonly string[] {
  const tokens = writes.flatMap(({ object }) => object.metadata.annotations?.['myyrakle.com/run-now'] ?? [])
  return tokens.filter((token, index) => token !== tokens[index - 1])
}

function removalChapter({ object }: Write, record: AuditRecord): Chapter {
  return { ...chapterOf({ record, object }), launches: false, deleting: true }
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
    asked: deleting ? askedToGo(record, metadata) : record.received,
    acknowledged: record.completed,
    intervalMs: seconds * 1_000,
    launches: spec.suspend !== true && !deleting,
    deleting,
  }
}

/** Whoever deletes a CRD asks for no single object: only the object itself tells when. */
function askedToGo({ verb, received }: AuditRecord, { deletionTimestamp = '' }: Written['metadata']): number {
  const told = Date.parse(deletionTimestamp)
  return verb === 'delete' || Number.isNaN(told) ? received : Math.min(received, told)
}
