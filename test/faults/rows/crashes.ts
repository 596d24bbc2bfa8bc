import { crash, crashLoop, crashLoopUnled, together, withFault } from '../acts.ts'
import { writeKinds, writes } from '../kinds.ts'
import { dieUnstored, terminateInBurst } from '../leader-acts.ts'
import { specOf } from '../churn.ts'
import type { Moment } from '../proxy/rules.ts'
import type { Row } from '../row.ts'
import { runByHand } from '../user-acts.ts'
import { withEvents } from '../watch-acts.ts'

/** Which of them come with a body of some length. */
const severed: readonly Row[] = (['job-create', 'status-patch', 'lease'] as const).map((kind, of) => ({
  id: `A9-${kind}-severed`,
  done: `SIGKILL at byte 40 of the body of a write (${kind}), which the API server gets no more of, and a restart, again and again`,
  holds: 'half a write is none',
  act: crash('severed', kind),
  seed: 410 + of,
  longestOutageMs: 10_000,
}))

const points: readonly (readonly [id: string, moment: Moment, words: string])[] = [
  ['A1', 'received', 'before it is forwarded'],
  ['A2', 'committed', 'after it is committed, before the answer'],
  ['A3', 'answered', 'right after the answer'],
]

/** One operator that is started anew, and two of which the other one takes over. */
const crashes: readonly Row[] = [1, 2].flatMap((replicas) =>
  points.flatMap(([id, moment, words], index) =>
    writeKinds.map((kind, of) => ({
      id: `${id}-${kind}${replicas === 1 ? '' : '-of-two'}`,
      done: `SIGKILL at a write (${kind}) ${words}, ${replicas === 1 ? 'and a restart' : 'of the leader of two'}, again and again`,
      holds: 'one Job per slot, the status tells the truth, finalizers go',
      act: crash(moment, kind),
      seed: 1_000 * (replicas - 1) + 100 * (index + 1) + of,
      replicas,
      longestOutageMs: 10_000,
    })),
  ),
)

const { jobTemplate } = specOf(1) as { jobTemplate: { spec: object } }
const shortLived = { jobTemplate: { spec: { ...jobTemplate.spec, ttlSecondsAfterFinished: 5 } } }

/** A crash between two writes, and an answer that never comes. */
export const interrupted: readonly Row[] = [
  ...crashes,
  ...severed,
  {
    id: 'A4-answer-lost',
    done: 'of a fifth of the creates the answer is lost, and the connection cut',
    holds: 'the Job of the slot is found, not made again',
    act: withFault(writes['job-create'], { do: 'lose' }, 0.2),
    seed: 41,
  },
  {
    id: 'A4-sent-twice',
    done: 'a fifth of the creates is sent twice by somebody in between, and answered the second time: 409; the watch of Jobs tells everything five seconds later',
    holds: 'a Job of its own that is there already is a launch, and no failure',
    act: together(
      withFault(writes['job-create'], { do: 'twice' }, 0.2),
      withEvents({ resource: 'jobs' }, {}, { do: 'delay', ms: 5_000 }),
    ),
    seed: 42,
  },
  {
    id: 'A4-run-by-hand',
    done: 'twice a second a resource is told to run now; SIGKILL at a create after it is committed, before the answer, of the leader of two, again and again',
    holds: 'each of these runs is made once, whoever leads',
    act: together(crash('committed', 'job-create'), runByHand),
    seed: 43,
    replicas: 2,
    longestOutageMs: 10_000,
  },
  {
    id: 'A5-crash-loop',
    done: 'SIGKILL three seconds after it leads, again and again',
    holds: 'missed slots are counted to the last one',
    act: crashLoop(3_000),
    seed: 51,
    longestOutageMs: 10_000,
  },
  {
    id: 'A5-crash-loop-unled',
    done: 'SIGKILL three seconds after each start: too soon to lead',
    holds: 'when it lives again, one run of each resource, and missed slots are counted to the last one',
    act: crashLoopUnled(3_000),
    seed: 57,
  },
  {
    id: 'A6-terminated-in-burst',
    done: 'SIGTERM of the leader of two when eighty Jobs are due at once, again and again',
    holds: 'what is on its way ends before the Lease is given back; it ends with 0, and the next one leads at once',
    // More at once take a control plane on two cores longer than a second by itself.
    act: terminateInBurst(60),
    seed: 52,
    replicas: 2,
    longestOutageMs: 4_000,
  },
  {
    id: 'A7-ttl-unstored',
    done: 'Jobs of a TTL of 5 s, which the operator makes 30 s; no status can be stored, and the leader of two dies every ten seconds',
    holds: 'the name of a slot is free again, and it is not run again',
    act: dieUnstored(10_000),
    seed: 53,
    seconds: 45,
    replicas: 2,
    more: shortLived,
    storedMs: 90_000,
    goneMs: 10_000,
    longestOutageMs: 10_000,
  },
  {
    id: 'A8-history-unstored',
    done: 'no Job is to be kept, no status can be stored, and the leader of two dies every ten seconds; some resources are slow',
    holds: 'a Job stays until its slot is stored, and its slot is not run again',
    act: dieUnstored(10_000),
    seed: 54,
    seconds: 45,
    replicas: 2,
    more: { successfulJobsHistoryLimit: 0 },
    storedMs: 90_000,
    goneMs: 10_000,
    longestOutageMs: 10_000,
  },
]
