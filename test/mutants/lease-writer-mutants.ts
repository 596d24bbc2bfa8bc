import type { Mutant } from './mutants.ts'

const elector = 'src/leader/elector.ts'
const leaseControl = 'src/kube/lease-control.ts'
const leading = 'src/leading.ts'
const writersTest = 'test/unit/leader/lease-writers.test.ts'
const controlTest = 'test/integration/lease-control.test.ts'
const leadingTest = 'test/unit/leading.test.ts'

/** Somebody else writes the Lease as well, and questions that are never answered. */
export const leaseWriterMutants: readonly Mutant[] = [
  {
    name: 'a label on the Lease extends it',
    changes: [{ file: 'src/leader/lease.ts', text: '&& isSameRecord(before.lease, lease)', by: '&& false' }],
    killers: [writersTest],
  },
  {
    name: 'a Lease that somebody has labelled is not given back',
    changes: [{ file: 'src/leader/give-back.ts', text: "asApiError(thrown).kind !== 'Conflict' ||", by: 'true ||' }],
    killers: [writersTest],
  },
  {
    name: 'a renewal that is answered after somebody else has written the Lease is leadership',
    changes: [{ file: elector, text: 'isNewer(known.lease.resourceVersion, written.resourceVersion)', by: 'false' }],
    killers: [writersTest],
  },
  {
    name: 'a renewal takes off what others have put on the Lease',
    changes: [
      {
        file: leaseControl,
        text: 'return { resourceVersion, labels, annotations, ownerReferences, finalizers }',
        by: 'return { resourceVersion }',
      },
    ],
    killers: [controlTest],
  },
  {
    name: 'transitions are counted beyond an int32',
    changes: [{ file: leaseControl, text: 'Math.min(transitions, mostTransitions)', by: 'transitions' }],
    killers: [controlTest],
  },
  {
    name: 'a create under Forbid that is written late may be committed when somebody else leads',
    changes: [{ file: 'src/controller/launch-attempt.ts', text: 'isInTime() && isStillWanted', by: 'isStillWanted' }],
    killers: ['test/unit/controller/late-writes.test.ts'],
  },
  {
    name: 'a list at takeover that hangs is waited for',
    changes: [{ file: leading, text: 'this.#parts.clock.sleep(patienceMs, over)', by: 'new Promise(() => {})' }],
    killers: [leadingTest],
  },
]
