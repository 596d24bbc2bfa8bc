import { setTimeout as delay } from 'node:timers/promises'
import type { OperatorProcess } from '../support/operator-process.ts'
import { untilTime } from '../support/cluster.ts'
import { usageOf } from '../support/usage.ts'
import type { Act } from './acts.ts'
import { specOf } from './churn.ts'
import { describeViolation } from './checker/violation.ts'
import { rowCalled } from './matrix.ts'
import { seeded } from './proxy/rules.ts'
import type { Result } from './results.ts'
import type { Row } from './row.ts'
import { byScan } from './rows/measures.ts'
import { runOn, startCluster } from './run-row.ts'
import { mostStillMs } from './sampler.ts'
import { Stage } from './stage.ts'

export interface SoakOptions {
  readonly minutes: number
  /** Launches a second, about. */
  readonly rate: number
  readonly folder: string
}

/** Faults that one process has to live through. */
const faults = [
  'A4-answer-lost',
  'B3-jobs-late',
  'B4-objects-late',
  'C1-events-dropped',
  'C3-events-doubled-swapped',
  'C5-watches-broken',
  'C6-watches-cut',
  'D1-other-writer',
  'D2-too-many-requests',
  'D3-server-errors',
  'D5-api-server-killed',
  'D7-unauthorized',
  'D8-rights-removed',
  'E1-etcd-slow-50',
  'H2-jobs-meddled-with',
]
/** One fault in each. */
const roundSeconds = 120
/** Of a round: to create, to be quiet, to look, to clear up. */
const aroundSeconds = 46
const faultSeconds = 20
/** What the fifty of a stage launch each second. */
const stageRate = 22
const moreSeconds = 5
/** Twice what a row allows, or what its own row allows: it has four times as many resources, and for an hour. */
const allowed = { lateMs: 2_000, goneMs: 10_000, storedMs: 40_000, restMs: 20_000, mostLists: 300 }
const seed = 350
/** Rounds that the machine itself spoils are played anew, as long as these are few. */
const mostSpoiled = 3
/** So much more than in the beginning, when there was nothing to do yet, the process may take in the end. */
const mostMore = { rssMb: 60, sockets: 40, timers: 20 }

/** What the process takes; timers are those of Node. */
export interface Taken {
  readonly rssMb: number
  readonly sockets: number
  readonly timers: number
  /** Since when it lives, epoch seconds. */
  readonly since: number
}

export type Round = Pick<Result, 'id' | 'launched' | 'worstLatenessMs' | 'violations' | 'stoodStillMs'>

/** What became of a soak: one line of its results. */
export interface SoakResult extends Pick<SoakOptions, 'minutes' | 'rate'> {
  readonly seed: number
  readonly rounds: readonly Round[]
  /** Rounds in which the machine itself stood still, and which were played anew. */
  readonly spoiled: readonly Round[]
  readonly begin: Taken
  readonly end: Taken
}

/**
 * Many launches a second for a long time, and every two minutes a fault by the dice; each round has fresh resources, all have
 * the same process.
 */
export async function runSoak(options: SoakOptions, say: (line: string) => void): Promise<SoakResult> {
  const { minutes, rate, folder } = options
  const count = roundsOf(minutes)
  await using cluster = await startCluster()
  const random = seeded(seed)
  await using first = await Stage.set(cluster, { namespace: 'soak', seed })
  const begin = await takenBy(first.operator)
  say(`at the start: ${JSON.stringify(begin)}`)
  const ids = Array.from({ length: count }, () => faults[Math.floor(random() * faults.length)] ?? '')
  const rounds: Round[] = []
  const spoiled: Round[] = []
  for (const [round, id] of ids.entries()) {
    const play = () => playRound(first, roundOf(round, id, rate), { seed: seed + round, folder, say })
    let told = await play()
    while (isSpoiled(told) && spoiled.length < mostSpoiled) {
      spoiled.push(told)
      told = await play()
    }
    rounds.push(told)
  }
  await delay(5_000)
  const end = await takenBy(first.operator)
  say(`at the end: ${JSON.stringify(end)}`)
  return { minutes, rate, seed, rounds, spoiled, begin, end }
}

/** At least one: a soak of no time at all shows nothing. */
export function roundsOf(minutes: number): number {
  if (!(minutes > 0)) throw new Error(`a soak of ${minutes} minutes is none`)
  return Math.max(1, Math.round((minutes * 60) / roundSeconds))
}

/** Nothing was violated, and it is the same process in the end, which takes about what it took in the beginning. */
export function isSound({ rounds, begin, end }: SoakResult): boolean {
  const taken = ['rssMb', 'sockets', 'timers'] as const
  return (
    rounds.every(({ violations }) => violations === 0) &&
    begin.since === end.since &&
    taken.every((what) => end[what] <= begin[what] + mostMore[what])
  )
}

function roundOf(round: number, id: string, rate: number): Row {
  const row = rowCalled(id)
  const seconds = roundSeconds - aroundSeconds
  const measures = (Object.keys(allowed) as (keyof typeof allowed)[]).map((measure) => {
    return [measure, Math.max(allowed[measure], row[measure] ?? 0)]
  })
  const act = calmThen(row.act, rate)
  // In an hour watches end by themselves as well: where events are late the next ones are late once more.
  const late = row.noticeMs === undefined ? {} : { noticeMs: Math.max(row.noticeMs, byScan.noticeMs) }
  return { ...row, ...Object.fromEntries(measures), ...late, id: `soak-${round}-${id}`, seconds, act }
}

interface RoundOptions {
  readonly seed: number
  readonly folder: string
  readonly say: (line: string) => void
}

/** In a namespace of its own, whichever time it is played. */
async function playRound(first: Stage, row: Row, { seed: own, folder, say }: RoundOptions): Promise<Round> {
  const stage = await first.next({ namespace: `soak-${Date.now()}`, seed: own })
  const result = await runOn(stage, row, { folder: `${folder}/soak`, seconds: roundSeconds - aroundSeconds })
  const { id, launched, worstLatenessMs, violations, stoodStillMs = 0, examples } = result
  say(
    `${id}: ${launched} launched, latest ${worstLatenessMs} ms, ${violations} violations, stood still ${stoodStillMs} ms`,
  )
  for (const example of examples) say(`    ${describeViolation(example)}`)
  return { id, launched, worstLatenessMs, violations, stoodStillMs }
}

function isSpoiled({ stoodStillMs = 0 }: Round): boolean {
  return stoodStillMs > mostStillMs
}

/** More resources, as many due in each second as in any other, then nothing for long, then the fault. */
function calmThen(act: Act, rate: number): Act {
  return async (stage, until) => {
    const began = Date.now()
    for (let second = 0; second < moreSeconds; second += 1) {
      const names = Array.from({ length: Math.max(0, rate - stageRate) }, (_, n) => `s${second}-${n}`)
      await untilTime(began + second * 1_000)
      await Promise.all(names.map((name) => stage.cluster.create(name, specOf(moreSeconds), stage.namespace)))
    }
    await delay(until - faultSeconds * 1_000 - Date.now())
    await act(stage, until)
  }
}

async function takenBy(operator: OperatorProcess): Promise<Taken> {
  const [{ rssMb, sockets }, metrics] = await Promise.all([usageOf(operator.pid), operator.metrics()])
  const timers = metrics.get('nodejs_active_resources{type="Timeout"}') ?? 0
  return { rssMb, sockets, timers, since: metrics.get('process_start_time_seconds') ?? Number.NaN }
}
