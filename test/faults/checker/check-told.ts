import type { KubeObject } from '../../support/admin.ts'
import { type Finals, isActive } from './check-jobs.ts'
import { isReadLate, isWithin, type Launch, type Look, receivedAt, text } from './check-launches.ts'
import { isTakenUntold } from './check-status.ts'
import { controllerOf, isFinished } from './jobs-seen.ts'
import type { StatusWrite, Timeline } from './timeline.ts'
import type { Violation } from './violation.ts'

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
}

interface Status {
  readonly handledUntil?: string
  readonly lastScheduleTime?: string
  readonly lastSuccessfulTime?: string
  readonly nextScheduleTime?: string
  readonly observedSchedule?: string
  readonly activeCount?: number
  readonly skippedCount?: number
  readonly active?: readonly { readonly name: string }[]
  readonly recent?: readonly { readonly slot: string; readonly outcome: string }[]
  readonly conditions?: readonly Condition[]
}

const mostListed = 10
/** The guard rail, below which Allow skips nothing. */
const activeLimit = 100

/** Whatever a status tells has happened by then. */
export function checkTold(
  timeline: Timeline,
  launches: readonly Launch[],
  { finals, faultsEnd, ...look }: Look & { readonly finals: Finals; readonly faultsEnd: number },
): readonly Violation[] {
  const slots = firstOfEach(launches)
  const details = timeline.statuses.flatMap((write) => [...ofWrite(write, slots), ...ofNext(timeline, write)])
  const object = finals.resources.find(({ metadata }) => metadata['uid'] === timeline.uid)
  const atRest = object === undefined || object.metadata['deletionTimestamp'] !== undefined ? [] : [object]
  const jobs = finals.jobs.filter((job) => controllerOf(job.metadata) === timeline.uid)
  const all = [
    ...[...details, ...runAfter(timeline, launches, look)].slice(0, 1),
    ...skippedUnder(timeline),
    ...atRest.flatMap((one) => [
      ...ofTimes(statusIn(one)),
      ...ofJobs(statusIn(one), jobs),
      ...ofSuspend(one),
      ...ofRecent(statusIn(one), { launches, statuses: timeline.statuses }),
      ...ofStop(timeline, statusIn(one), look.noticeMs),
      ...(launches.some(({ received }) => received > faultsEnd) ? ofLaunched(statusIn(one)) : []),
    ]),
  ]
  return all.map((detail) => ({ kind: 'status', resource: `${timeline.namespace}/${timeline.name}`, detail }))
}

function ofWrite({ at, status }: StatusWrite, slots: ReadonlyMap<number, number>): readonly string[] {
  const { handledUntil, lastScheduleTime, lastSuccessfulTime } = status as Status
  const [handled, last, ended] = [handledUntil, lastScheduleTime, lastSuccessfulTime].map((time) =>
    Date.parse(time ?? ''),
  )
  if (handled === undefined || last === undefined || ended === undefined) return []
  return [
    ...(handled > at ? [`at ${text(at)} handledUntil is ${handledUntil}, which is to come`] : []),
    ...(ended > at ? [`at ${text(at)} lastSuccessfulTime is ${lastSuccessfulTime}, which is to come`] : []),
    ...(Number.isNaN(last) || slots.has(last) ? [] : [`lastScheduleTime is ${lastScheduleTime}, which no Job is of`]),
    ...((slots.get(last) ?? at) > at ? [`lastScheduleTime is ${lastScheduleTime} at ${text(at)}, before its Job`] : []),
  ]
}

/** The next run is one of a schedule that there was by then, and is still to come. */
function ofNext({ chapters, createdAt }: Timeline, { at, status }: StatusWrite): readonly string[] {
  const { nextScheduleTime, handledUntil = '' } = status as Status
  if (nextScheduleTime === undefined) return []
  const next = Date.parse(nextScheduleTime)
  const isSlot = chapters.some(({ asked, intervalMs, launches }) => {
    return launches && asked <= at && (next - createdAt) % intervalMs === 0
  })
  if (isSlot && !(next <= Date.parse(handledUntil))) return []
  return [`at ${text(at)} nextScheduleTime is ${nextScheduleTime}, which is none`]
}

/** What is told to be over is never run: it was skipped, or counted as missed. What was sent in an outage may come after it. */
function runAfter(
  { statuses }: Timeline,
  launches: readonly Launch[],
  { outages, resumed = [] }: Pick<Look, 'outages' | 'resumed'>,
): readonly string[] {
  return [...firstOfEach(launches)].flatMap(([slot, received]) => {
    if (isWithin(slot, outages) || isReadLate({ received }, resumed)) return []
    const told = statuses.find(
      ({ at, status }) => at < received && Date.parse((status as Status).handledUntil ?? '') >= slot,
    )
    return told === undefined
      ? []
      : [`the slot ${text(slot)} was told to be over at ${text(told.at)}, and run at ${text(received)}`]
  })
}

/** When the first create of each slot was received; where nobody knows, at its second. */
function firstOfEach(launches: readonly Launch[]): ReadonlyMap<number, number> {
  const all = Map.groupBy(launches, ({ slot }) => slot)
  return new Map([...all].map(([slot, same]) => [slot, Math.min(...same.map(receivedAt))]))
}

/** Where every Job may run beside the others, or instead of them, nothing is skipped. */
function skippedUnder({ options, statuses }: Timeline): readonly string[] {
  const told = statuses.map(({ status }) => status as Status)
  const policies = options.map(({ policy }) => policy)
  if (policies.includes('Forbid') || told.some(({ activeCount = 0 }) => activeCount >= activeLimit)) return []
  const wrong = told.find(({ skippedCount = 0 }) => skippedCount > 0)
  return wrong === undefined ? [] : [`skippedCount is ${wrong.skippedCount} under ${policies.at(-1)}`]
}

function statusIn(object: KubeObject): Status {
  return object['status'] ?? {}
}

/** While an older slot is still open `handledUntil` waits for it. */
function ofTimes({ handledUntil = '', lastScheduleTime = '' }: Status): readonly string[] {
  if (lastScheduleTime === '' || Date.parse(handledUntil) >= Date.parse(lastScheduleTime)) return []
  return [`handledUntil is ${handledUntil || 'absent'}, before lastScheduleTime, ${lastScheduleTime}`]
}

function ofJobs({ active = [], lastSuccessfulTime = '' }: Status, jobs: readonly KubeObject[]): readonly string[] {
  const running = jobs.filter(isActive).map(({ metadata }) => metadata.name)
  const strangers = active.filter(({ name }) => !running.includes(name)).map(({ name }) => name)
  const isShort = active.length < Math.min(mostListed, running.length)
  const newest = jobs.map(completedAt).toSorted((a, b) => a - b)
  const last = newest.at(-1) ?? 0
  return [
    ...(strangers.length === 0 ? [] : [`active names ${strangers.join()}, which is none`]),
    ...(isShort ? [`active has ${active.length}, of ${running.length}`] : []),
    ...(last > 0 && !(Date.parse(lastSuccessfulTime) >= last)
      ? [`lastSuccessfulTime is ${lastSuccessfulTime || 'absent'}, before ${text(last)}`]
      : []),
  ]
}

/** Zero for one that has not, or has failed. */
function completedAt(job: KubeObject): number {
  const { completionTime } = (job['status'] ?? {}) as { completionTime?: string }
  return completionTime !== undefined && isFinished(job as Parameters<typeof isFinished>[0])
    ? Date.parse(completionTime)
    : 0
}

/** What would have been due while it is suspended is neither missed nor anything else. */
function ofStop({ chapters }: Timeline, { handledUntil = '' }: Status, noticeMs: number): readonly string[] {
  const last = chapters.at(-1)
  if (last === undefined || last.launches || !(Date.parse(handledUntil) > last.acknowledged + noticeMs)) return []
  return [`handledUntil is ${handledUntil}, and it was suspended at ${text(last.acknowledged)}`]
}

/** What was not launched has no Job, unless somebody took it away before it was told of. */
function ofRecent(
  { recent = [] }: Status,
  { launches, statuses }: Pick<Timeline, 'statuses'> & { readonly launches: readonly Launch[] },
): readonly string[] {
  const launched = new Set(launches.filter((one) => !isTakenUntold(one, statuses)).map(({ slot }) => slot))
  const wrong = recent.find(({ slot }) => launched.has(Date.parse(slot)))
  return wrong === undefined ? [] : [`recent says ${wrong.outcome} of ${wrong.slot}, which was launched`]
}

function isComplaint({ type, status }: Condition): boolean {
  return ['Failing True', 'Accepted False'].includes(`${type} ${status}`)
}

/** Launched since all is well again it is no failure, and its template is none that nobody takes. */
function ofLaunched({ conditions = [] }: Status): readonly string[] {
  return conditions
    .filter(isComplaint)
    .map(({ type, status, reason }) => `${type} is ${status}, ${reason}, and it was launched after the faults`)
}

/** Suspended it says so, and is ready. */
function ofSuspend(object: KubeObject): readonly string[] {
  const { suspend = false } = object['spec'] as { suspend?: boolean }
  const { observedSchedule, conditions = [] } = statusIn(object)
  const ready = conditions.find(({ type }) => type === 'Ready')
  if (!suspend) return []
  return [
    ...(observedSchedule === 'suspended' ? [] : [`observedSchedule is ${observedSchedule}, and it is suspended`]),
    ...(ready?.status === 'True' && ready.reason === 'Suspended'
      ? []
      : [`Ready is ${ready?.status}, ${ready?.reason}, and it is suspended`]),
  ]
}
