import type { AuditRecord } from '../../support/audit.ts'
import { checkDeletes, checkGone, checkLeft, type Finals } from './check-jobs.ts'
import { checkCatchUp } from './check-catch-up.ts'
import { checkCount } from './check-count.ts'
import { checkFirst } from './check-first.ts'
import { checkLaunches, type Launch, type Look } from './check-launches.ts'
import { checkCleanUp, checkReleases } from './check-clean-up.ts'
import { checkHands } from './check-hands.ts'
import { checkManual, checkNames } from './check-names.ts'
import { checkGuards, checkOverlaps } from './check-overlaps.ts'
import { checkProcess, type Excuses, type ProcessLimits, type Sample } from './check-process.ts'
import { checkStatus, checkStored } from './check-status.ts'
import { checkTold } from './check-told.ts'
import { keyOf, launchesByOwner } from './jobs-seen.ts'
import { type Timeline, timelinesOf } from './timeline.ts'
import type { Violation } from './violation.ts'

/** All that is known of a run. */
export interface Observed extends Excuses {
  /** Of an audit log that has the objects. */
  readonly records: readonly AuditRecord[]
  /** Of the operator. */
  readonly user: string
  /** At rest: no resource launches any more. */
  readonly finals: Finals
  readonly samples: readonly Sample[]
  readonly look: Look
  /** A deleted resource has to be gone after this. */
  readonly goneMs: number
  readonly limits: ProcessLimits
  /** A status has to tell of a launch after this. */
  readonly storedMs: number
  /** When the last fault was over. */
  readonly faultsEnd: number
}

export interface Report {
  /** Slots that had to be launched. */
  readonly due: number
  readonly launched: number
  /** Of the slots that would have been due without any outage, the part that was launched; null when there were none. */
  readonly share: number | null
  readonly violations: readonly Violation[]
  /** The latest launch of a slot that was due; null when there was none. */
  readonly worstLatenessMs: number | null
  /** Half of those launches are later. */
  readonly medianLatenessMs: number | null
  /** From the end of the faults until everything was on time for good. */
  readonly recoveryMs: number
}

interface One {
  readonly due: readonly number[]
  readonly wanted: readonly number[]
  readonly looked: readonly Launch[]
  readonly violations: readonly Violation[]
}

/** Compares what happened with what the specs asked for. */
export function check(observed: Observed): Report {
  const { records, finals, look, user, samples, goneMs, limits } = observed
  const timelines = timelinesOf(records)
  const launches = launchesByOwner(records, user)
  const each = timelines.map((timeline) => checkOne(timeline, launches.get(timeline.uid) ?? [], observed))
  const lateness = latenesses(each)
  return {
    due: each.reduce((sum, { due }) => sum + due.length, 0),
    launched: each.reduce((sum, { looked }) => sum + looked.length, 0),
    share: shareOf(each),
    violations: [
      ...each.flatMap(({ violations }) => violations),
      ...ofNobody(timelines, launches),
      ...checkNames(timelines, records, user),
      ...checkManual(timelines, records, { user, look }),
      ...checkOverlaps(timelines, records, look),
      ...checkHands(records, user),
      ...checkDeletes(timelines, records, { user, look }),
      ...checkCleanUp(timelines, records, { user, look }),
      ...checkReleases(timelines, records, { user, outages: look.outages }),
      ...checkLeft(finals),
      ...checkGone(timelines, { outages: look.outages, goneMs, finals }),
      ...checkProcess(samples, observed, limits),
    ],
    worstLatenessMs: lateness.at(-1) ?? null,
    medianLatenessMs: lateness[Math.floor(lateness.length / 2)] ?? null,
    recoveryMs: recovery(each, observed),
  }
}

function checkOne(
  timeline: Timeline,
  launches: readonly Launch[],
  { look, finals, storedMs, faultsEnd }: Observed,
): One {
  const { due, wanted, looked, violations } = checkLaunches(timeline, launches, look)
  // Of a resource that is deleted nothing need be told.
  const told = timeline.chapters.some(({ deleting }) => deleting)
    ? []
    : checkStored(timeline, looked, { storedMs, outages: look.outages, at: finals.at })
  const first = [...checkFirst(timeline, launches, look), ...checkCatchUp(timeline, launches, look)]
  const guards = checkGuards(timeline, launches)
  const ofStatus = [
    ...checkCount(timeline, launches, look),
    ...checkStatus(timeline, launches, finals),
    ...checkTold(timeline, launches, { ...look, finals, faultsEnd }),
  ]
  return { due, wanted, looked, violations: [...violations, ...first, ...guards, ...told, ...ofStatus] }
}

/** Jobs of slots whose owner was never written. */
function ofNobody(
  timelines: readonly Timeline[],
  launches: ReadonlyMap<string, readonly Launch[]>,
): readonly Violation[] {
  const uids = new Set(timelines.map(({ uid }) => uid))
  return [...launches]
    .filter(([uid]) => !uids.has(uid))
    .flatMap(([uid, own]) =>
      own.map(({ job }) => ({
        kind: 'orphan' as const,
        resource: keyOf({ namespace: '', name: job }),
        job,
        detail: `for a resource that never was: ${uid}`,
      })),
    )
}

function shareOf(each: readonly One[]): number | null {
  const wanted = each.reduce((sum, one) => sum + one.wanted.length, 0)
  const launched = each.reduce((sum, one) => {
    const slots = new Set(one.looked.map(({ slot }) => slot))
    return sum + one.wanted.filter((slot) => slots.has(slot)).length
  }, 0)
  return wanted === 0 ? null : launched / wanted
}

/** Of those that were due, in rising order. */
function latenesses(each: readonly One[]): readonly number[] {
  const all = each.flatMap(({ due, looked }) => {
    const slots = new Set(due)
    return looked.filter(({ slot }) => slots.has(slot)).map(({ slot, received }) => received - slot)
  })
  return all.filter((ms) => !Number.isNaN(ms)).toSorted((a, b) => a - b)
}

/** Until the last slot after the faults that had no Job, or a late one: excused or not. */
function recovery(each: readonly One[], { faultsEnd, look }: Observed): number {
  const bad = each.flatMap(({ looked, wanted }) => {
    const launched = new Set(looked.map(({ slot }) => slot))
    const late = looked.filter((launch) => launch.received - launch.slot > look.lateMs)
    return [...wanted.filter((slot) => !launched.has(slot)), ...late.map(({ received }) => received)]
  })
  return Math.round(Math.max(0, ...bad.map((instant) => instant - faultsEnd)))
}
