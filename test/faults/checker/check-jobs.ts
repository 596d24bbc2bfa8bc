import type { KubeObject } from '../../support/admin.ts'
import { type AuditRecord, isJobDelete } from '../../support/audit.ts'
import { isWithin, type Look, type Outage, text } from './check-launches.ts'
import { controllerOf, isFinished, type JobSeen, jobsAttempted, jobsByUid, keyOf } from './jobs-seen.ts'
import { optionsAt } from './options.ts'
import type { Timeline } from './timeline.ts'
import type { Kind, Violation } from './violation.ts'

/** What is there in the end. */
export interface Finals {
  /** Epoch milliseconds. */
  readonly at: number
  readonly resources: readonly KubeObject[]
  readonly jobs: readonly KubeObject[]
}

/** A Job of ten seconds is kept, whatever the limits are; an older one goes soon. */
const keptMs = 15_000

/** The operator deletes its own finished Jobs only, unless their owner goes or has them replaced. */
export function checkDeletes(
  timelines: readonly Timeline[],
  records: readonly AuditRecord[],
  { user, look }: { readonly user: string; readonly look: Pick<Look, 'noticeMs'> },
): readonly Violation[] {
  const [seen, attempted] = [jobsByUid(records), jobsAttempted(records)]
  const owners = new Map(timelines.map((timeline) => [timeline.uid, timeline]))
  const deletes = records.filter((record) => isJobDelete(record) && record.user === user)
  return deletes.flatMap((record) => {
    const job = seen.get(uidIn(record) ?? keyOf(record)) ?? attempted.get(keyOf(record))
    const owner = owners.get(job?.ownerUid ?? '')
    if (owner !== undefined && mayDelete(owner, job, { at: record.received, ...look })) return []
    const detail = owner === undefined ? 'is none of a resource' : 'was not finished'
    return [{ kind: 'deletedActive' as const, resource: keyOf(record), job: record.name, detail }]
  })
}

interface When {
  readonly at: number
  readonly noticeMs: number
}

/** Of the Status, or of the Job where a finalizer keeps it. */
export function uidIn({ response = {} }: AuditRecord): string | undefined {
  const { details, metadata } = response as Partial<Record<'details' | 'metadata', { uid?: string }>>
  return details?.uid ?? metadata?.uid
}

/** Its deletion had been asked for by then. */
export function isGoing({ chapters }: Pick<Timeline, 'chapters'>, at: number): boolean {
  return chapters.some(({ deleting, asked }) => deleting && asked <= at)
}

function mayDelete(owner: Timeline, job: JobSeen | undefined, when: When): boolean {
  const finishedAt = job?.finishedAt ?? null
  return isGoing(owner, when.at) || isReplaced(owner, job, when) || (finishedAt !== null && finishedAt <= when.at)
}

/** Under Replace it makes room for a newer one, which is due by then. One by hand may be as old as its resource. */
function isReplaced(
  { options, chapters, createdAt }: Timeline,
  job: JobSeen | undefined,
  { at, noticeMs }: When,
): boolean {
  if (!optionsAt(options, at, noticeMs).some(({ policy }) => policy === 'Replace')) return false
  const slots = chapters
    .filter(({ launches, asked }) => launches && asked <= at)
    .map(({ intervalMs }) => at - ((at - createdAt) % intervalMs))
  return slots.some((newest) => newest > (job?.slot ?? 0))
}

/** Jobs of nobody, and more finished ones than the limits allow. */
export function checkLeft({ at, resources, jobs }: Finals): readonly Violation[] {
  const uids = new Set(resources.map(({ metadata }) => metadata['uid']))
  const orphans = jobs.filter((job) => !uids.has(controllerOf(job.metadata)))
  return [
    ...orphans.map((job) => violation('orphan', job, 'its owner is not there')),
    ...resources.flatMap((resource) => overLimit(resource, jobs, at)),
  ]
}

function overLimit(resource: KubeObject, jobs: readonly KubeObject[], at: number): readonly Violation[] {
  const spec = resource['spec'] as { successfulJobsHistoryLimit?: number; failedJobsHistoryLimit?: number }
  const own = jobs.filter((job) => controllerOf(job.metadata) === resource.metadata['uid'])
  const old = own.filter((job) => at - Date.parse(String(job.metadata['creationTimestamp'])) > keptMs)
  return (
    [
      ['Complete', spec.successfulJobsHistoryLimit ?? 3],
      ['Failed', spec.failedJobsHistoryLimit ?? 1],
    ] as const
  ).flatMap(([type, limit]) => {
    const count = old.filter((job) => isOf(job, type)).length
    return count <= limit ? [] : [violation('history', resource, `${count} are ${type}, of at most ${limit}`)]
  })
}

/** A resource goes soon after its deletion, unless nobody was there to let it go. */
export function checkGone(
  timelines: readonly Timeline[],
  {
    outages,
    goneMs,
    finals,
  }: { readonly outages: readonly Outage[]; readonly goneMs: number; readonly finals: Finals },
): readonly Violation[] {
  const left = new Set(finals.resources.map(({ metadata }) => metadata['uid']))
  return timelines.flatMap(({ uid, namespace, name, chapters, goneAt }) => {
    const asked = chapters.find(({ deleting }) => deleting)?.acknowledged
    if (asked === undefined) return []
    // That the log does not tell of its going may have been the last thing that an API server did.
    const unseen = left.has(uid) ? undefined : outages.find(({ end }) => end >= asked)?.start
    const end = goneAt ?? unseen ?? finals.at
    if (end - asked <= goneMs + outageMs(outages, [asked, end])) return []
    const detail = `deleted at ${text(asked)}, ${goneAt === null ? 'still there' : `gone at ${text(goneAt)}`}`
    return [{ kind: 'stuck' as const, resource: `${namespace}/${name}`, detail }]
  })
}

function outageMs(outages: readonly Outage[], [from, to]: readonly [number, number]): number {
  const overlaps = outages.map(({ start, end }) => Math.max(0, Math.min(end, to) - Math.max(start, from)))
  return overlaps.reduce((sum, ms) => sum + ms, 0) + (isWithin(to, outages) ? 1 : 0)
}

/** Neither complete nor failed, and not being deleted. */
export function isActive(job: KubeObject): boolean {
  return !isFinished(job as Parameters<typeof isFinished>[0]) && job.metadata['deletionTimestamp'] === undefined
}

function isOf(job: KubeObject, type: string): boolean {
  const { conditions = [] } = (job['status'] ?? {}) as { conditions?: readonly { type: string; status: string }[] }
  return conditions.some((one) => one.type === type && one.status === 'True')
}

function violation(kind: Kind, { metadata }: KubeObject, detail: string): Violation {
  return { kind, resource: `${metadata.namespace}/${metadata.name}`, detail }
}
