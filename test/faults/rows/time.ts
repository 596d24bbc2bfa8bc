import { crash } from '../acts.ts'
import { blindStandby, stepClock, stopAtTimes } from '../leader-acts.ts'
import { cutOffLease, deleteLease, holdLease, keepingLease, overwriteHolder, queueWrites } from '../lease-acts.ts'
import type { Row } from '../row.ts'
import { crowd } from '../user-acts.ts'

const hourMs = 3_600_000

/** Who leads, what time it is, and how much there is to do. */
export const timed: readonly Row[] = [
  {
    id: 'B7-lease-deleted',
    done: 'the Lease of two replicas is deleted, and again when somebody has led for five seconds',
    holds: 'nothing twice',
    act: deleteLease,
    seed: 66,
    replicas: 2,
    seconds: 20,
    longestOutageMs: 4_000,
  },
  {
    id: 'B7-holder-overwritten',
    done: 'somebody writes another holder into the Lease of two replicas, and again when one of them has led for five seconds',
    holds: 'nothing is written in the term of another one; after its duration somebody leads again',
    act: overwriteHolder,
    seed: 67,
    replicas: 2,
    seconds: 30,
    longestOutageMs: 9_500,
  },
  {
    id: 'B7-lease-cut-off',
    done: 'the renewals of the leader of two are never answered, and all else is',
    holds: 'it stops before the other one begins: nothing twice',
    act: cutOffLease,
    seed: 68,
    replicas: 2,
    seconds: 20,
    longestOutageMs: 10_000,
  },
  {
    id: 'B7-lease-held',
    done: 'a renewal of the leader of two is stored at once and answered 2 s later, and the next ones are not, again and again',
    holds: 'a term counts from when its renewal was sent: nothing is written 4.5 s after that',
    act: holdLease(2_000),
    seed: 69,
    replicas: 2,
    longestOutageMs: 17_000,
  },
  {
    id: 'B7-writes-queued',
    done: 'the leader of two cannot renew; its creates are lost, and what it reads is answered 5.2 s after the last renewal: other writes wait for a connection till then, again and again',
    holds: 'what was queued in its term is not sent after it',
    act: queueWrites,
    seed: 145,
    replicas: 2,
    apart: true,
    longestOutageMs: 10_000,
  },
  {
    id: 'B9-standby-blind',
    done: 'the standby is told of nothing for six seconds; then the leader is killed, again and again',
    holds: 'who takes over looks first: what was created, changed and deleted meanwhile is known',
    act: blindStandby,
    seed: 70,
    replicas: 2,
    apart: true,
    // The watch of the Lease tells nothing either: it is read once in its duration, and may have been renewed right after that.
    longestOutageMs: 15_000,
  },
  ...[hourMs, -hourMs].map((stepMs, index) => ({
    id: stepMs > 0 ? 'G1-clock-ahead' : 'G1-clock-behind',
    done: `the clock of the operator is set an hour ${stepMs > 0 ? 'ahead' : 'back'} for eight seconds`,
    holds: 'nothing early, nothing twice; it goes on when the clock is right',
    act: stepClock(8_000),
    seed: 121 + index,
    operators: [{ clock: { stepMs } }],
    longestOutageMs: 20_000,
    mayBeUnready: true,
  })),
  {
    id: 'G3-clocks-apart',
    done: 'of two replicas one has a clock that is 3 s behind; SIGKILL of the leader at a create, again and again',
    holds: 'nothing twice; what the one behind launches is 3 s late',
    act: crash('committed', 'job-create'),
    seed: 123,
    replicas: 2,
    operators: [{}, { clock: { shiftMs: -3_000 } }],
    clocksApartMs: 3_000,
    lateMs: 4_000,
    noticeMs: 6_000,
    goneMs: 9_000,
    longestOutageMs: 17_000,
  },
  {
    id: 'G4-suspended',
    done: 'SIGSTOP of the only operator for 15 s, as of a machine that is put to sleep',
    holds: 'one run of each resource afterwards, and not fifteen',
    act: stopAtTimes(15_000, 5_000),
    seed: 124,
    longestOutageMs: 22_000,
  },
  {
    id: 'H4-blocked',
    done: 'the only operator stands still for 3 s of each 9, as one whose event loop is blocked',
    holds: 'it does not lose the Lease for it; one run of each resource afterwards',
    act: keepingLease(stopAtTimes(3_000, 6_000)),
    seed: 134,
    longestOutageMs: 7_000,
  },
  {
    id: 'I1-crowd',
    done: 'ten other resources are created each second, changed two seconds later, and deleted after two more',
    holds: 'these fifty lose nothing',
    act: crowd(10),
    // The Jobs of each of the two hundred that go are listed once.
    mostLists: 350,
    seed: 141,
  },
]
