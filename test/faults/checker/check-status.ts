import type { KubeObject } from '../../support/admin.ts'
import { type Finals, isActive } from './check-jobs.ts'
import { type Launch, type Outage, receivedAt } from './check-launches.ts'
import { controllerOf } from './jobs-seen.ts'
import type { StatusWrite, Timeline } from './timeline.ts'
import type { Violation } from './violation.ts'

/** None of these ever goes back. */
const growing = [
  'observedGeneration',
  'handledUntil',
  'lastScheduleTime',
  'lastSuccessfulTime',
  'lastFailedTime',
  'scheduleSince',
  'missedCount',
  'skippedCount',
] as const

/** No create is given up for lost before the next slot is due. */
const givenUpMs = 1_000
/** A status waits for a connection, and for its answer. */
const underwayMs = 10_000
/** The last thing that an API server did is told of when the next one was scanned. */
const lastActMs = 30_000

interface Status {
  readonly observedGeneration?: number
  readonly handledUntil?: string
  readonly lastScheduleTime?: string
  readonly nextScheduleTime?: string
  readonly activeCount?: number
  readonly missedCount?: number
  readonly skippedCount?: number
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly message: string
}

/** The status of a resource at rest, and each write of it, against what happened. */
export function checkStatus(
  timeline: Timeline,
  launches: readonly Launch[],
  { resources, jobs }: Finals,
): readonly Violation[] {
  const object = resources.find(({ metadata }) => metadata['uid'] === timeline.uid)
  const own = jobs.filter((job) => controllerOf(job.metadata) === timeline.uid)
  const details = [
    ...backwards(timeline.statuses, launches),
    ...ownJobs(timeline.statuses),
    ...(object === undefined || isDeleting(object) ? [] : wrongs(timeline, launches, object, own)),
  ]
  const resource = `${timeline.namespace}/${timeline.name}`
  return details.map((detail) => ({ kind: 'status', resource, detail }))
}

function backwards(statuses: readonly StatusWrite[], launches: readonly Launch[]): readonly string[] {
  return growing.flatMap((field) =>
    statuses.slice(1).flatMap(({ status }, index) => {
      const last = statuses[index]
      const [before, after] = [last?.status[field], status[field]].map(order)
      const mended = field === 'missedCount' && last !== undefined ? arrivedLate(launches, last) : 0
      const least = (before ?? 0) - mended
      return after !== undefined && after < least ? [`${field} went back from ${before} to ${after}`] : []
    }),
  )
}

/**
 * How many runs a status may count as missed although they have Jobs: their creates were given up for lost, and did arrive,
 * perhaps only when it was on its way.
 */
export function arrivedLate(launches: readonly Launch[], { at, status }: StatusWrite): number {
  const until = order(status['handledUntil'])
  return launches.filter(({ slot, received }) => {
    if (slot > until) return false
    return Number.isNaN(received) ? slot > at - lastActMs : received > slot + givenUpMs && received > at - underwayMs
  }).length
}

/** That the Job of a slot is there already is no failure. */
function ownJobs(statuses: readonly StatusWrite[]): readonly string[] {
  const conditions = statuses.flatMap(({ status }) => (status['conditions'] ?? []) as readonly Condition[])
  const wrong = conditions.find(({ type, status, message }) => {
    return type === 'Failing' && status === 'True' && /already exists/.test(message)
  })
  return wrong === undefined ? [] : [`a launch is said to have failed: ${wrong.message}`]
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
    // At rest it is suspended, and what it had stored before is gone.
    ...(isSuspended(object) ? [['nextScheduleTime', status.nextScheduleTime ?? 'absent', 'absent'] as const] : []),
  ]
  const wrong = pairs.flatMap(([field, is, should]) =>
    is === should ? [] : [`${field} is ${show(is)}, not ${show(should)}`],
  )
  return [...wrong, ...wrongCount(timeline, launches, object)]
}

/** When so much time is over in which somebody could launch. */
function withoutOutages(since: number, ms: number, outages: readonly Outage[]): number {
  return outages
    .toSorted((a, b) => a.start - b.start)
    .reduce((limit, { start, end }) => {
      return start < limit && end > since ? limit + end - Math.max(start, since) : limit
    }, since + ms)
}

/** What was launched is told of within so long, and the time in which nobody could. */
export function checkStored(
  { namespace, name, statuses }: Timeline,
  launches: readonly Launch[],
  { storedMs, outages, at }: { readonly storedMs: number; readonly outages: readonly Outage[]; readonly at: number },
): readonly Violation[] {
  const stored = statuses.map((write) => ({ at: write.at, until: order(write.status['handledUntil']) }))
  const untold = launches.find((launch) => {
    const limit = withoutOutages(receivedAt(launch), storedMs, outages)
    return limit <= at && !stored.some((write) => write.at <= limit && write.until >= launch.slot)
  })
  if (untold === undefined) return []
  const detail = `it does not tell of ${untold.job} within ${storedMs} ms`
  return [{ kind: 'status', resource: `${namespace}/${name}`, detail }]
}

/**
 * To the last one, where there was one schedule only. What was due before the first launch may be counted or not; so may
 * everything where two edits came before the suspend at the end: unseen ones are taken for a change of the schedule. So may
 * a slot whose Job somebody else (the TTL, a user) took away before it was told of: whoever leads next cannot know of it.
 */
function wrongCount(
  { chapters, createdAt, statuses }: Timeline,
  launches: readonly Launch[],
  object: KubeObject,
): readonly string[] {
  const { handledUntil, counted } = countedIn(object)
  const [only, ...others] = chapters.filter((chapter) => chapter.launches)
  if (only === undefined || others.length > 0 || launches.length === 0 || handledUntil === undefined) return []
  const without = (first: number) =>
    countWithout(launches, only.intervalMs, [first, Date.parse(handledUntil), createdAt])
  const isEdited = Number(object.metadata['generation']) > 3
  const [least, all] = [isEdited ? 0 : without(Math.min(...launches.map(({ slot }) => slot))), without(createdAt)]
  const most = all + launches.filter((launch) => isTakenUntold(launch, statuses)).length
  if (counted >= least && counted <= most) return []
  return [`missedCount and skippedCount together is ${counted}, not ${least}`]
}

export function isTakenUntold({ slot, takenAt }: Launch, statuses: readonly StatusWrite[]): boolean {
  return (
    takenAt !== undefined && !statuses.some(({ at, status }) => at < takenAt && order(status['handledUntil']) >= slot)
  )
}

function countedIn(object: KubeObject): Pick<Status, 'handledUntil'> & { readonly counted: number } {
  const { missedCount = 0, skippedCount = 0, ...status } = (object['status'] ?? {}) as Status
  return { ...status, counted: missedCount + skippedCount }
}

/** The slots of the grid, from `first` to `last`, that were not launched. */
function countWithout(
  launches: readonly Launch[],
  intervalMs: number,
  [first, last, anchor]: readonly [number, number, number],
): number {
  const isOnGrid = (slot: number) => slot <= last && (slot - anchor) % intervalMs === 0
  const launched = new Set(launches.map(({ slot }) => slot).filter(isOnGrid)).size
  return Math.floor((last - first) / intervalMs) + 1 - launched
}

function show(value: unknown): string {
  return typeof value === 'number' && value > 1e12 ? new Date(value).toISOString() : String(value)
}

function isDeleting({ metadata }: KubeObject): boolean {
  return metadata['deletionTimestamp'] !== undefined
}

function isSuspended({ spec }: KubeObject): boolean {
  return (spec as { suspend?: boolean } | undefined)?.suspend === true
}
