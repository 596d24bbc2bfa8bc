import { crash } from '../acts.ts'
import { cutOffLease, deleteLease, overwriteHolder, stepClock, stopAtTimes } from '../leader-acts.ts'
import type { Row } from '../row.ts'
import { crowd } from '../user-acts.ts'

const hourMs = 3_600_000

/** Who leads, what time it is, and how much there is to do. */
export const timed: readonly Row[] = [
  {
    id: 'B7-lease-deleted',
    done: 'the Lease of two replicas is deleted every five seconds',
    holds: 'nothing twice',
    act: deleteLease,
    seed: 66,
    replicas: 2,
    seconds: 20,
    mayBeUnready: true,
  },
  {
    id: 'B7-holder-overwritten',
    done: 'somebody writes another holder into the Lease of two replicas, every five seconds',
    holds: 'nothing twice',
    act: overwriteHolder,
    seed: 67,
    replicas: 2,
    seconds: 20,
    mayBeUnready: true,
  },
  {
    id: 'B7-lease-cut-off',
    done: 'the renewals of the leader of two are never answered, and all else is',
    holds: 'it stops before the other one begins: nothing twice',
    act: cutOffLease,
    seed: 68,
    replicas: 2,
    seconds: 20,
    longestOutageMs: 15_000,
    mayBeUnready: true,
  },
  ...[hourMs, -hourMs].map((stepMs, index) => ({
    id: stepMs > 0 ? 'G1-clock-ahead' : 'G1-clock-behind',
    done: `the clock of the operator is set an hour ${stepMs > 0 ? 'ahead' : 'back'} for eight seconds`,
    holds: 'nothing early, nothing twice; it goes on when the clock is right',
    act: stepClock(8_000),
    seed: 121 + index,
    operators: [{ clock: { stepMs } }],
    longestOutageMs: 40_000,
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
    lateMs: 4_500,
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
    longestOutageMs: 40_000,
    mayBeUnready: true,
  },
  {
    id: 'H4-blocked',
    done: 'the only operator stands still for 3 s of each 9, as one whose event loop is blocked',
    holds: 'it does not lose the Lease for it; one run of each resource afterwards',
    act: stopAtTimes(3_000, 6_000),
    seed: 134,
    longestOutageMs: 12_000,
    mayBeUnready: true,
  },
  {
    id: 'I1-crowd',
    done: 'ten other resources are created each second, changed two seconds later, and deleted after two more',
    holds: 'these fifty lose nothing',
    act: crowd(10),
    seed: 141,
  },
]
