import type { AuditRecord } from './audit.ts'

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

export interface Outage {
  readonly start: number
  readonly end: number
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

interface Launch {
  readonly job: string
  readonly slot: number
  readonly received: number
}

/** Compares what the API server has recorded with what was due. Only committed creates of `user` count, or of anybody. */
export function judge(expectations: readonly Expectation[], records: readonly AuditRecord[], user?: string): Verdict {
  const creates = records.filter((record) => isLaunch(record) && (user === undefined || record.user === user))
  return mergeVerdicts(expectations.map((expectation) => judgeOne(expectation, creates)))
}

/** A Job that the API server has taken. */
export function isLaunch({ verb, resource, subresource, code, dryRun }: AuditRecord): boolean {
  return verb === 'create' && resource === 'jobs' && subresource === '' && code === 201 && !dryRun
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
  const { createdAt, intervalMs, from, until, outages = [] } = expectation
  const launches = launchesOf(expectation, creates)
  const looked = launches.filter(({ slot }) => slot >= from && slot < until)
  const slots = new Set(looked.map(({ slot }) => slot))
  const due = slotsOf(expectation).filter((slot) => !outages.some(({ start, end }) => slot >= start && slot < end))
  const dueSet = new Set(due)
  const job = (slot: number) => `${expectation.name}-${slot / 1_000}`
  return {
    due: due.length,
    launched: looked.length,
    lost: due.filter((slot) => !slots.has(slot)).map(job),
    twice: repeated(launches.map((launch) => launch.job)),
    offGrid: launches.filter(({ slot }) => (slot - createdAt) % intervalMs !== 0).map((launch) => launch.job),
    early: launches.filter(({ slot, received }) => received < slot).map((launch) => launch.job),
    backRuns: outages.flatMap((outage) => lateRuns(looked, outage, intervalMs)),
    lateness: looked.filter(({ slot }) => dueSet.has(slot)).map(({ slot, received }) => received - slot),
  }
}

function launchesOf({ namespace, name }: Expectation, creates: readonly AuditRecord[]): readonly Launch[] {
  const prefix = `${name}-`
  return creates.flatMap((record) => {
    const second = record.name.slice(prefix.length)
    if (record.namespace !== namespace || !record.name.startsWith(prefix) || !/^\d+$/.test(second)) return []
    return [{ job: record.name, slot: Number(second) * 1_000, received: record.received }]
  })
}

function slotsOf({ createdAt, intervalMs, from, until }: Expectation): readonly number[] {
  const first = createdAt + Math.max(0, Math.ceil((from - createdAt) / intervalMs)) * intervalMs
  const count = Math.max(0, Math.ceil((until - first) / intervalMs))
  return Array.from({ length: count }, (_, index) => first + index * intervalMs)
}

/** A create takes a moment to arrive, and a longer one where everything begins anew on a busy machine. */
const underwayMs = 500

/** Slots of the outage that were run after it although a newer one was due long since. */
function lateRuns(launches: readonly Launch[], { start, end }: Outage, intervalMs: number): readonly string[] {
  return launches
    .filter(({ slot, received }) => slot >= start && slot < end && received >= end)
    .filter(({ slot, received }) => received - slot > intervalMs + underwayMs)
    .map(({ job }) => job)
}

function repeated(jobs: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return jobs.filter((job) => seen.size === seen.add(job).size)
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
