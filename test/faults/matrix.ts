import {
  type Act,
  crash,
  crashLoop,
  killApiServer,
  stopApiServer,
  stopLeader,
  withFault,
  withoutLaunches,
} from './acts.ts'
import { writeKinds, writes } from './kinds.ts'
import type { Moment } from './proxy/rules.ts'
import { silence, together, withEvents } from './watch-acts.ts'

/** One row: a fault, and the measures for what must hold all the same. */
export interface Row {
  readonly id: string
  readonly done: string
  /** Beside what holds in every row: none twice, early, off the grid, lost or late while somebody could launch. */
  readonly holds: string
  readonly act: Act
  readonly seed: number
  readonly replicas?: number
  readonly more?: Readonly<Record<string, unknown>>
  /** How late a launch may be. */
  readonly lateMs?: number
  /** How long a change of a spec may go unnoticed: when the watch has lost it, until the next scan. */
  readonly noticeMs?: number
  readonly goneMs?: number
  /** How long nobody may lead. */
  readonly longestOutageMs?: number
  /** The fault is one in which the probes may say no. */
  readonly mayBeUnready?: boolean
  /** The fault is one of which /readyz has to tell. */
  readonly mustBeUnready?: boolean
  /** Of the fault period; else what the command says. */
  readonly seconds?: number
}

const points: readonly (readonly [id: string, moment: Moment, words: string])[] = [
  ['A1', 'received', 'before it is forwarded'],
  ['A2', 'committed', 'after it is committed, before the answer'],
  ['A3', 'answered', 'right after the answer'],
]

const crashes: readonly Row[] = points.flatMap(([id, moment, words], index) =>
  writeKinds.map((kind, of) => ({
    id: `${id}-${kind}`,
    done: `SIGKILL at a write (${kind}) ${words}, and a restart, again and again`,
    holds: 'one Job per slot, the status tells the truth, finalizers go',
    act: crash(moment, kind),
    seed: 100 * (index + 1) + of,
    longestOutageMs: 10_000,
  })),
)

const scan = { noticeMs: 12_000, goneMs: 17_000 }
const objects = { resource: 'secondcronjobs' }
const jobs = { resource: 'jobs' }
const creates = writes['job-create']

export const matrix: readonly Row[] = [
  {
    id: 'R0-nothing',
    done: 'nothing: what users do, without any fault',
    holds: 'the measure for all other rows',
    act: withFault({}, { do: 'pass' }),
    seed: 1,
  },
  ...crashes,
  {
    id: 'A4-answer-lost',
    done: 'of a fifth of the creates the answer is lost, and the connection cut',
    holds: 'the Job of the slot is found, not made again',
    act: withFault(creates, { do: 'lose' }, 0.2),
    seed: 41,
  },
  {
    id: 'A5-crash-loop',
    done: 'SIGKILL three seconds after each start',
    holds: 'missed slots are counted to the last one',
    act: crashLoop(3_000),
    seed: 51,
    longestOutageMs: 10_000,
  },
  {
    id: 'B2-old-lists',
    done: 'every LIST is answered as it was at least fifteen seconds ago, while the watches are well',
    holds: 'what is missing from it is not gone, what is in it no more does not come back',
    act: withFault({ verb: 'list' }, { do: 'replay', ageMs: 15_000 }),
    seed: 62,
    seconds: 30,
  },
  {
    id: 'B6-leader-stopped',
    done: 'SIGSTOP of the leader for 20 s, with Jobs that are deleted as soon as they may; then SIGCONT',
    holds: 'the name of a slot is free again, and it is not run again',
    act: stopLeader(20_000),
    seed: 61,
    replicas: 2,
    more: { successfulJobsHistoryLimit: 0 },
    longestOutageMs: 10_000,
    mayBeUnready: true,
    seconds: 25,
  },
  {
    id: 'C1-events-dropped',
    done: 'half of the ADDED, MODIFIED and DELETED events of SecondCronJobs never come, nor do the DELETED ones of Jobs',
    holds: 'the scan tells of it within 12 s',
    act: together(
      ...['ADDED', 'MODIFIED', 'DELETED'].map((type) => withEvents(objects, { type }, { do: 'drop' }, 0.5)),
      withEvents(jobs, { type: 'DELETED' }, { do: 'drop' }),
    ),
    seed: 71,
    ...scan,
  },
  {
    id: 'C2-watches-silent',
    done: 'the open watches stay open, and are silent for ever',
    holds: 'the scan tells of everything within 12 s; /readyz says so before 60 s are over; new watches are opened',
    act: silence,
    seed: 72,
    mustBeUnready: true,
    ...scan,
    mayBeUnready: true,
    seconds: 65,
  },
  {
    id: 'C3-events-doubled-swapped',
    done: 'three in ten events of SecondCronJobs and of Jobs come twice, and two in ten after the next one',
    holds: 'the order of events is not relied on',
    act: together(
      ...[objects, jobs].flatMap((watched) => [
        withEvents(watched, {}, { do: 'double' }, 0.3),
        withEvents(watched, {}, { do: 'swap' }, 0.2),
      ]),
    ),
    seed: 73,
  },
  {
    id: 'C5-watches-broken',
    done: 'two events of Jobs in a thousand are a 410, one of SecondCronJobs in a hundred is half a line',
    holds: 'one new list for each, and no loop',
    act: together(withEvents(jobs, {}, { do: 'gone' }, 0.002), withEvents(objects, {}, { do: 'truncate' }, 0.01)),
    seed: 75,
    ...scan,
  },
  {
    id: 'D2-too-many-requests',
    done: 'every create is answered 429 with Retry-After 1',
    holds: 'the newest slot only afterwards; the Lease is kept',
    act: withoutLaunches(
      withFault(creates, { do: 'answer', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 }),
    ),
    seed: 82,
    longestOutageMs: 60_000,
  },
  {
    id: 'D3-server-errors',
    done: 'three in ten requests are answered 500, 503 or 504',
    holds: 'nothing twice, and what is missed is counted: a slot is retried until the next one is due',
    act: withoutLaunches(
      together(...[500, 503, 504].map((code) => withFault({}, { do: 'answer', code, reason: 'InternalError' }, 0.1))),
    ),
    seed: 83,
    mayBeUnready: true,
    ...scan,
  },
  {
    id: 'D4-slow',
    done: 'every request takes two seconds more',
    holds: 'a launch is at most 2.5 s late',
    act: withFault({}, { do: 'delay', ms: 2_000 }),
    seed: 84,
    lateMs: 2_500,
    mayBeUnready: true,
    ...scan,
  },
  {
    id: 'D5-api-server-killed',
    done: 'SIGKILL of the API server, and a start five seconds later',
    holds: 'ready again by itself; one run of each resource afterwards',
    act: killApiServer,
    seed: 85,
    longestOutageMs: 40_000,
  },
  {
    id: 'D5-api-server-stopped',
    done: 'SIGSTOP of the API server for 15 s',
    holds: 'ready again by itself; one run of each resource afterwards',
    act: stopApiServer(15_000),
    seed: 86,
    longestOutageMs: 40_000,
  },
]
