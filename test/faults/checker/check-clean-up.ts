import type { KubeObject } from '../../support/admin.ts'
import { type AuditRecord, isJobDelete, isLaunch } from '../../support/audit.ts'
import { isWithin, type Launch, type Look, type Outage, text } from './check-launches.ts'
import { controllerOf, type JobSeen, jobsByUid, keyOf, launchesByOwner } from './jobs-seen.ts'
import { isGoing, uidIn } from './check-jobs.ts'
import { optionsAt } from './options.ts'
import type { Timeline } from './timeline.ts'
import type { Kind, Violation } from './violation.ts'

/** A request that was thought lost may still arrive: so long a Job is kept, whatever the limits are. */
const youngestMs = 10_000
/** An answer is on its way before the log has it. */
const answeredMs = 50
/** After so long the finalizer goes, whatever became of the Jobs. */
const patienceMs = 2_500

/** Finished Jobs that the operator deletes are old, their slots are stored, and enough newer ones stay. */
export function checkCleanUp(
  timelines: readonly Timeline[],
  records: readonly AuditRecord[],
  { user, look }: { readonly user: string; readonly look: Pick<Look, 'noticeMs'> },
): readonly Violation[] {
  const seen = jobsByUid(records)
  const launches = launchesByOwner(records, user)
  const owners = new Map(timelines.map((timeline) => [timeline.uid, timeline]))
  const deletes = records.filter((record) => isJobDelete(record) && record.user === user)
  return deletes.flatMap((record) => {
    const job = seen.get(uidIn(record) ?? keyOf(record))
    const owner = owners.get(job?.ownerUid ?? '')
    // One that was at work is told of as such, or replaced.
    if (job === undefined || owner === undefined || isGoing(owner, record.received) || !isEnded(job, record)) return []
    const own = (launches.get(owner.uid) ?? []).filter(({ received }) => !(received > record.received))
    const others = [...seen.values()].filter(({ ownerUid }) => ownerUid === owner.uid)
    return wrongs(owner, own, { ...job, ...look, at: record.received, others }).map(([kind, detail]) => {
      return { kind, resource: keyOf(owner), job: record.name, detail }
    })
  })
}

function isEnded({ finishedAt }: JobSeen, { received }: AuditRecord): boolean {
  return finishedAt !== null && finishedAt <= received
}

interface Deleted extends JobSeen {
  readonly at: number
  readonly noticeMs: number
  /** Of the same resource. */
  readonly others: readonly JobSeen[]
}

function wrongs(
  owner: Timeline,
  own: readonly Launch[],
  { slot, isFailed, at, noticeMs, others }: Deleted,
): readonly (readonly [Kind, string])[] {
  // A run by hand is the lock of no slot.
  if (slot === null) return []
  return [
    ...tooEarly(owner, own, { slot, at }).map((detail) => ['deletedEarly', detail] as const),
    ...tooMany(own, {
      slot,
      apart: apartFrom(others, { isFailed, at }),
      byHand: others.filter((job) => isByHand(job, { isFailed, at, slot })).length,
      limits: optionsAt(owner.options, at, noticeMs).map(({ keeps }) => (isFailed ? keeps.failed : keeps.successful)),
    }).map((detail) => ['history', detail] as const),
  ]
}

function tooEarly(
  { statuses }: Timeline,
  own: readonly Launch[],
  { slot, at }: { readonly slot: number; readonly at: number },
): readonly string[] {
  const ageMs = at - (own.find((launch) => launch.slot === slot)?.received ?? Number.NaN)
  const isStored = statuses.some((write) => {
    return write.at <= at + answeredMs && Date.parse(String(write.status['handledUntil'])) >= slot
  })
  return [
    ...(ageMs < youngestMs ? [`deleted ${Math.round(ageMs)} ms after its create`] : []),
    ...(isStored ? [] : [`deleted at ${text(at)}, and no status tells of its slot`]),
  ]
}

/** Slots of Jobs that stay for another reason: they were at work for certain, or have ended the other way. */
function apartFrom(
  others: readonly JobSeen[],
  { isFailed, at }: Pick<Deleted, 'isFailed' | 'at'>,
): ReadonlySet<number> {
  const apart = others.filter((job) => job.finishedAt !== null && (job.finishedAt > at || job.isFailed !== isFailed))
  return new Set(apart.flatMap(({ slot }) => slot ?? []))
}

/** It stays as one that is as new: it has no slot, and counts by when it began, which was before its end. */
function isByHand(job: JobSeen, { isFailed, at, slot }: Pick<Deleted, 'isFailed' | 'at'> & { slot: number }): boolean {
  const { finishedAt } = job
  return job.slot === null && job.isFailed === isFailed && finishedAt !== null && finishedAt <= at && finishedAt >= slot
}

interface Older {
  readonly slot: number
  readonly byHand: number
  readonly apart: ReadonlySet<number>
  readonly limits: readonly number[]
}

function tooMany(own: readonly Launch[], { slot, apart, byHand, limits }: Older): readonly string[] {
  const slots = own.map((launch) => launch.slot).filter((one) => one > slot && !apart.has(one))
  const newer = new Set(slots).size + byHand
  const limit = Math.min(...limits)
  return newer >= limit ? [] : [`deleted with ${newer} newer ones, of ${limit} that stay`]
}

/** Before its finalizer goes the Jobs of a resource have gone, unless they could not be deleted, or somebody changed them. */
export function checkReleases(
  timelines: readonly Timeline[],
  records: readonly AuditRecord[],
  { user, outages }: { readonly user: string; readonly outages: readonly Outage[] },
): readonly Violation[] {
  const jobs = records.filter(({ resource, code }) => resource === 'jobs' && code < 300)
  const touched = new Set(jobs.filter((record) => isTouch(record) && record.user !== user).map(keyOf))
  const deletes = Map.groupBy(jobs.filter(isJobDelete), keyOf)
  const tried = Map.groupBy(records.filter(isDeleteAsked), keyOf)
  const created = Map.groupBy(jobs.filter(isLaunch), ({ response = {} }) =>
    controllerOf((response as Partial<KubeObject>).metadata),
  )
  return timelines.flatMap((timeline) => {
    const { releasedAt, chapters } = timeline
    const asked = chapters.find(({ deleting }) => deleting)?.acknowledged
    if (releasedAt === null || asked === undefined) return []
    const own = (created.get(timeline.uid) ?? []).filter(({ completed }) => completed < asked)
    // Where answers are slow its time is over before all have had their turn; that it tries none is another matter.
    const trial = [{ start: asked, end: releasedAt }]
    const isTried = own.some((record) => tried.get(keyOf(record))?.some(({ received }) => isWithin(received, trial)))
    if (releasedAt - asked > patienceMs && isTried) return []
    if (outages.some(({ start, end }) => start < releasedAt && end > asked)) return []
    const left = own.find((record) => {
      // Another one may have had its name before, or have it later.
      const its = (deletes.get(keyOf(record)) ?? []).filter(({ received }) => received > record.received)
      const isGone = its.some(({ received }) => received <= releasedAt)
      return !isGone && !touched.has(keyOf(record))
    })
    const detail = `left when its resource was let go at ${text(releasedAt)}`
    return left === undefined ? [] : [{ kind: 'orphan' as const, resource: keyOf(timeline), job: left.name, detail }]
  })
}

/** Whatever became of it. */
function isDeleteAsked({ verb, resource, dryRun }: AuditRecord): boolean {
  return verb === 'delete' && resource === 'jobs' && !dryRun
}

/** Not of the status. */
function isTouch({ verb, subresource }: AuditRecord): boolean {
  return ['update', 'patch'].includes(verb) && subresource === ''
}
