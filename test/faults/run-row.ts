import { open, stat, truncate } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type AuditRecord, recordsIn } from '../support/audit.ts'
import { Cluster, untilTime } from '../support/cluster.ts'
import { operatorUser } from '../support/service-account.ts'
import { type Outage, text } from './checker/check-launches.ts'
import { check, type Report } from './checker/checker.ts'
import { checkFence, checkLeaders } from './checker/check-leaders.ts'
import { checkShare } from './checker/check-share.ts'
import { checkTraffic } from './checker/check-traffic.ts'
import type { Violation } from './checker/violation.ts'
import { churn } from './churn.ts'
import { clean, resources } from './clean.ts'
import { keep, type Story } from './evidence.ts'
import type { Row } from './row.ts'
import { countOfEach, firstOfEach, type Result } from './results.ts'
import { mostStillMs, Sampler } from './sampler.ts'
import { Stage } from './stage.ts'
import { type Traffic, trafficOf } from './traffic.ts'

/** Faults are over, and all goes on as ever. */
const quietMs = 8_000
/** Everything is suspended: the last statuses are written, and the history is at its limits. */
const usualRestMs = 9_000
/** Half of the memory of the shipped Deployment, and the sockets of the design. */
const limits = { rssMb: 192, sockets: 100 }
/** After a fault in which a probe may say no, it may say so a little longer. */
const unreadyMs = 15_000

export interface RunOptions {
  readonly seconds: number
  /** Of the evidence. */
  readonly folder: string
  /** Another operator than the shipped one. */
  readonly bundle?: string
}

/** A control plane that rows can be played on: those that ask for none of their own, or this one. */
export function startCluster({ plane }: Pick<Row, 'plane'> = {}): Promise<Cluster> {
  return Cluster.start({ auditsObjects: true, runMs: 100, ...plane })
}

/** Plays a row on such a control plane, and judges it. */
export async function runRow(cluster: Cluster, row: Row, { folder, seconds, bundle }: RunOptions): Promise<Result> {
  const namespace = `row-${row.id.toLowerCase()}`
  const own = bundle === undefined ? {} : { bundle }
  await using stage = await Stage.set(cluster, { ...row, namespace, ...own })
  // The stage stays until it is over.
  return await runOn(stage, row, { folder, seconds })
}

/** The same on a stage that is set. */
export async function runOn(stage: Stage, row: Row, defaults: RunOptions): Promise<Result> {
  const seconds = row.seconds ?? defaults.seconds
  const { cluster, namespace } = stage
  const { size: offset } = await stat(cluster.plane.auditLog)
  await stage.fill()
  const story = await play(stage, row, seconds)
  const records = await recordsSince(cluster.plane.auditLog, offset)
  const report = judge(story, row, records)
  const traffic = trafficOf(records, operatorUser)
  const ofAll = [...ofHalf(row, report, namespace), ...checkShare(namespace, report, row)]
  const ofRow = [...ofStage(story, row), ...ofAll, ...checkTraffic(namespace, traffic, row)]
  const left = await clean(cluster, namespace)
  const ofLease = [...checkLeaders(records, operatorUser), ...checkFence(records, operatorUser, stage.resumed)]
  const violations = [...report.violations, ...ofLease, ...ofRow, ...left]
  await keep(`${defaults.folder}/${row.id}`, story, { violations, records })
  // The server only ever appends to it: what it has told is known, and a hundred rows are more than one text can hold.
  await truncate(cluster.plane.auditLog)
  return { ...resultOf(row, { ...report, violations }, story, seconds), ...traffic }
}

async function play(stage: Stage, { act, restMs = usualRestMs }: Row, seconds: number): Promise<Story> {
  const { cluster, namespace } = stage
  await using sampler = new Sampler(stage.operators)
  const over = new AbortController()
  const began = Date.now()
  const users = churn(cluster, namespace, stage.names.slice(-10), over.signal)
  await act(stage, began + seconds * 1_000).catch((thrown: unknown) => {
    stage.unplayed.push(`it could not be played to its end: ${String(thrown)}`)
  })
  const ended = Date.now()
  over.abort()
  await users
  const until = ended + quietMs
  // The last slots that are looked at are launched before the end.
  await untilTime(until + 1_500)
  await Promise.all(
    (await resources(cluster, namespace)).map(({ metadata }) =>
      cluster.edit(metadata.name, { suspend: true }, namespace),
    ),
  )
  await delay(restMs)
  const path = `/apis/batch/v1/namespaces/${namespace}/jobs`
  const finals = {
    at: Date.now(),
    resources: await resources(cluster, namespace),
    jobs: await cluster.admin.list(path),
  }
  return { stage, samples: sampler.samples, stoodStillMs: sampler.stoodStillMs, finals, began, ended, until }
}

function judge(
  { stage, samples, finals, began, ended, until }: Story,
  row: Row,
  records: readonly AuditRecord[],
): Report {
  const { noticeMs, clocksApartMs = 0, lateMs = 1_000, goneMs = 5_000, storedMs = 8_000, mayBeUnready = false } = row
  const { outages, idles, resumed } = stage
  const notice = { noticeMs: noticeMs ?? 3_000, stopMs: noticeMs ?? 1_000 }
  return check({
    records: records.filter(({ namespace }) => namespace === stage.namespace),
    user: operatorUser,
    finals,
    samples,
    absences: stage.operators.flatMap(({ name, absences }) => absences.map((one) => ({ ...one, process: name }))),
    mayBeUnready: [...outages, ...idles, ...(mayBeUnready ? [{ start: began, end: ended + unreadyMs }] : [])],
    look: { from: began, until, outages, resumed, lateMs, clocksApartMs, ...notice },
    goneMs,
    storedMs,
    limits,
    faultsEnd: ended,
  })
}

/** What only the stage knows. */
function ofStage({ stage, samples, stoodStillMs, began }: Story, row: Row): readonly Violation[] {
  const { longestOutageMs = Number.POSITIVE_INFINITY, unreadyWithinMs } = row
  const until = began + (unreadyWithinMs ?? 0)
  const isSilent = !samples.some(({ at, ready }) => at >= began && at <= until && ready === 503)
  const details = [
    ...(stoodStillMs > mostStillMs ? [`the machine itself stood still for ${stoodStillMs} ms: play it again`] : []),
    ...(stage.runs === 0 ? ['the fault was never done'] : []),
    ...stage.unplayed,
    ...(unreadyWithinMs !== undefined && isSilent ? [`/readyz has not told of it within ${unreadyWithinMs} ms`] : []),
    ...stage.outages
      .filter((outage) => lengthOf(outage) > longestOutageMs)
      .map((outage) => `nobody could launch for ${lengthOf(outage)} ms from ${text(outage.start)}`),
  ]
  const resource = stage.namespace
  return [
    ...details.map((detail) => ({ kind: 'process' as const, resource, detail })),
    ...stage.wrongs.map((detail) => ({ kind: 'unkept' as const, resource, detail })),
  ]
}

function ofHalf({ medianMs = Number.POSITIVE_INFINITY }: Row, report: Report, resource: string): readonly Violation[] {
  const half = report.medianLatenessMs
  if (half === null || half <= medianMs) return []
  return [{ kind: 'late', resource, detail: `half of all launches are more than ${Math.round(half)} ms late` }]
}

function lengthOf({ start, end }: Outage): number {
  return end - start
}

function resultOf(
  { id, done, holds, seed }: Row,
  report: Report,
  { stage, samples, stoodStillMs }: Story,
  seconds: number,
): Omit<Result, keyof Traffic> {
  const { due, launched, share, violations, worstLatenessMs, medianLatenessMs, recoveryMs } = report
  return {
    id,
    done,
    holds,
    seed,
    seconds,
    runs: stage.runs,
    due,
    launched,
    share: share === null ? null : Math.round(share * 1_000) / 1_000,
    violations: violations.length,
    kinds: countOfEach(violations),
    examples: firstOfEach(violations, 3),
    worstLatenessMs: worstLatenessMs === null ? null : Math.round(worstLatenessMs),
    medianLatenessMs: medianLatenessMs === null ? null : Math.round(medianLatenessMs),
    recoveryMs,
    longestOutageMs: Math.max(0, ...stage.outages.map(lengthOf)),
    stoodStillMs,
    mostRssMb: Math.max(0, ...samples.map(({ rssMb }) => rssMb)),
    mostSockets: Math.max(0, ...samples.map(({ sockets }) => sockets)),
    date: new Date().toISOString().slice(0, 10),
    versions: {},
  }
}

async function recordsSince(path: string, offset: number): Promise<readonly AuditRecord[]> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer } = await file.read({ buffer: Buffer.alloc(size - offset), position: offset })
  return recordsIn(buffer.toString('utf8'))
}
