import type { KubeObject } from '../../support/admin.ts'
import { type Finals, isActive, ownerUid } from './check-jobs.ts'
import type { Launch, Outage } from './check-launches.ts'
import type { StatusWrite, Timeline } from './timeline.ts'
import type { Violation } from './violation.ts'

/** None of these ever goes back. */
const growing = ['handledUntil', 'lastScheduleTime', 'scheduleSince', 'missedCount', 'skippedCount'] as const

interface Status {
  readonly observedGeneration?: number
  readonly handledUntil?: string
  readonly lastScheduleTime?: string
  readonly activeCount?: number
  readonly missedCount?: number
  readonly skippedCount?: number
}

/** The status of a resource at rest, and each write of it, against what happened. */
export function checkStatus(
  timeline: Timeline,
  launches: readonly Launch[],
  { resources, jobs }: Finals,
): readonly Violation[] {
  const object = resources.find(({ metadata }) => metadata['uid'] === timeline.uid)
  const own = jobs.filter((job) => ownerUid(job) === timeline.uid)
  const details = [
    ...backwards(timeline.statuses),
    ...(object === undefined || isDeleting(object) ? [] : wrongs(timeline, launches, object, own)),
  ]
  const resource = `${timeline.namespace}/${timeline.name}`
  return details.map((detail) => ({ kind: 'status', resource, detail }))
}

function backwards(statuses: readonly StatusWrite[]): readonly string[] {
  return growing.flatMap((field) =>
    statuses.slice(1).flatMap(({ status }, index) => {
      const [before, after] = [statuses[index]?.status[field], status[field]].map(order)
      const isBack = before !== undefined && after !== undefined && after < before
      return isBack ? [`${field} went back from ${before} to ${after}`] : []
    }),
  )
}

/** Absent counts as nothing at all; times by their instant. */
function order(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? Date.parse(value) : 0
}

function wrongs(
  timeline: Timeline,
  launches: readonly Launch[],
  object: KubeObject,
  jobs: readonly KubeObject[],
): readonly string[] {
  const status = (object['status'] ?? {}) as Status
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['observedGeneration', status.observedGeneration, object.metadata['generation']],
    ['lastScheduleTime', order(status.lastScheduleTime), Math.max(0, ...launches.map(({ slot }) => slot))],
    ['activeCount', status.activeCount ?? 0, jobs.filter(isActive).length],
  ]
  const wrong = pairs.flatMap(([field, is, should]) =>
    is === should ? [] : [`${field} is ${show(is)}, not ${show(should)}`],
  )
  return [...wrong, ...wrongCount(timeline, launches, status)]
}

/** What was launched is told of within so long, unless nobody could. */
export function checkStored(
  { namespace, name, statuses }: Timeline,
  launches: readonly Launch[],
  { storedMs, outages, at }: { readonly storedMs: number; readonly outages: readonly Outage[]; readonly at: number },
): readonly Violation[] {
  const stored = statuses.map((write) => ({ at: write.at, until: order(write.status['handledUntil']) }))
  const untold = launches.find(({ slot, received }) => {
    const limit = received + storedMs
    const isExcused = limit > at || outages.some(({ start, end }) => start < limit && end > received)
    return !isExcused && !stored.some((write) => write.at <= limit && write.until >= slot)
  })
  if (untold === undefined) return []
  const detail = `it does not tell of ${untold.job} within ${storedMs} ms`
  return [{ kind: 'status', resource: `${namespace}/${name}`, detail }]
}

/** To the last one, where there was one schedule only. What was due before the first launch may be counted or not. */
function wrongCount(
  { chapters, createdAt }: Timeline,
  launches: readonly Launch[],
  { handledUntil, missedCount = 0, skippedCount = 0 }: Status,
): readonly string[] {
  const [only, ...others] = chapters.filter((chapter) => chapter.launches)
  const slots = new Set(launches.map(({ slot }) => slot))
  if (only === undefined || others.length > 0 || slots.size === 0 || handledUntil === undefined) return []
  const until = Date.parse(handledUntil)
  const launched = [...slots].filter((slot) => slot <= until && (slot - createdAt) % only.intervalMs === 0).length
  const slotsSince = (first: number) => Math.floor((until - first) / only.intervalMs) + 1
  const [least, most] = [slotsSince(Math.min(...slots)) - launched, slotsSince(createdAt) - launched]
  const counted = missedCount + skippedCount
  if (counted >= least && counted <= most) return []
  return [`missedCount and skippedCount together is ${counted}, not ${least}`]
}

function show(value: unknown): string {
  return typeof value === 'number' && value > 1e12 ? new Date(value).toISOString() : String(value)
}

function isDeleting({ metadata }: KubeObject): boolean {
  return metadata['deletionTimestamp'] !== undefined
}
