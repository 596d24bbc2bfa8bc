import { checkLaunches, type Launch, type Outage } from '../faults/checker/check-launches.ts'
import type { Timeline } from '../faults/checker/timeline.ts'
import type { Kind } from '../faults/checker/violation.ts'
import { type AuditRecord, isLaunch } from './audit.ts'

export type { Outage } from '../faults/checker/check-launches.ts'
export { isLaunch } from './audit.ts'

/** What a resource should have got, by the contract alone: its grid, and when somebody could launch. */
export interface Expectation {
  readonly namespace: string
  readonly name: string
  /** metadata.creationTimestamp, epoch milliseconds. */
  readonly createdAt: number
  readonly intervalMs: number
  /** Slots from here (inclusive) to `until` (exclusive) are looked at. */
  readonly from: number
  readonly until: number
  /** Times in which nobody could launch: slots in them may be missing, and one of them may come late. */
  readonly outages?: readonly Outage[]
}

export interface Verdict {
  /** Slots that were due while somebody could launch. */
  readonly due: number
  readonly launched: number
  /** `NAME-SECOND` of due slots without a Job. */
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  /** Jobs whose second is not on the grid. */
  readonly offGrid: readonly string[]
  readonly early: readonly string[]
  /** Run after an outage although a newer slot was due: at most the newest is caught up. */
  readonly backRuns: readonly string[]
  /** Milliseconds from the slot to the receipt of its create, of due slots, ascending. */
  readonly lateness: readonly number[]
}

/** Compares what the API server has recorded with what was due. Only committed creates of `user` count, or of anybody. */
export function judge(expectations: readonly Expectation[], records: readonly AuditRecord[], user?: string): Verdict {
  const creates = records.filter((record) => isLaunch(record) && (user === undefined || record.user === user))
  return mergeVerdicts(expectations.map((expectation) => judgeOne(expectation, creates)))
}

export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.ceil(ascending.length * share) - 1)] ?? Number.NaN
}

/** `p50 2.1 p99 9.0 max 12.3 ms` */
export function describeLateness({ lateness }: Verdict): string {
  if (lateness.length === 0) return 'no run to tell the lateness of'
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(lateness, share).toFixed(1))
  return `lateness p50 ${p50} p99 ${p99} max ${max} ms of ${lateness.length}`
}

function judgeOne(expectation: Expectation, creates: readonly AuditRecord[]): Verdict {
  const { outages = [], from, until } = expectation
  const launches = launchesOf(expectation, creates)
  const limits = { noticeMs: 0, stopMs: 0, lateMs: Number.POSITIVE_INFINITY }
  const { due, looked, violations } = checkLaunches(timelineOf(expectation), launches, {
    from,
    until,
    outages,
    ...limits,
  })
  const jobs = (wanted: Kind) => violations.filter(({ kind }) => kind === wanted).map(({ job }) => job ?? '')
  const dueSet = new Set(due)
  return {
    due: due.length,
    launched: looked.length,
    lost: jobs('lost'),
    twice: jobs('duplicate'),
    offGrid: jobs('offGrid'),
    early: jobs('early'),
    backRuns: jobs('backRun'),
    lateness: looked.filter(({ slot }) => dueSet.has(slot)).map(({ slot, received }) => received - slot),
  }
}

/** One that has always had this interval. */
function timelineOf({ namespace, name, createdAt, intervalMs }: Expectation): Timeline {
  const change = { asked: createdAt, acknowledged: createdAt }
  const chapters = [{ ...change, intervalMs, launches: true, deleting: false }]
  const rest = {
    statuses: [],
    goneAt: null,
    guardedSince: null,
    releasedAt: null,
    editedAt: [],
    tokens: [],
  }
  const options = [{ ...change, policy: 'Allow', deadlineMs: Infinity, keeps: { successful: 3, failed: 1 } }]
  return { uid: '', namespace, name, createdAt, chapters, options, ...rest }
}

function launchesOf({ namespace, name }: Expectation, creates: readonly AuditRecord[]): readonly Launch[] {
  const prefix = `${name}-`
  return creates.flatMap((record) => {
    const second = record.name.slice(prefix.length)
    if (record.namespace !== namespace || !record.name.startsWith(prefix) || !/^\d+$/.test(second)) return []
    return [{ job: record.name, slot: Number(second) * 1_000, received: record.received }]
  })
}

export function mergeVerdicts(verdicts: readonly Verdict[]): Verdict {
  const all = (field: 'lost' | 'twice' | 'offGrid' | 'early' | 'backRuns') =>
    verdicts.flatMap((verdict) => verdict[field])
  return {
    due: verdicts.reduce((sum, { due }) => sum + due, 0),
    launched: verdicts.reduce((sum, { launched }) => sum + launched, 0),
    lost: all('lost'),
    twice: all('twice'),
    offGrid: all('offGrid'),
    early: all('early'),
    backRuns: all('backRuns'),
    lateness: verdicts.flatMap(({ lateness }) => lateness).sort((a, b) => a - b),
  }
}
