import type { Mutant } from './mutants.ts'

const attempt = 'src/controller/launch-attempt.ts'
const history = 'src/schedule/history.ts'
const launcher = 'src/controller/launcher.ts'
const scheduler = 'src/controller/scheduler.ts'
const beginTrack = 'src/controller/begin-track.ts'
const launcherTest = 'test/unit/controller/launcher.test.ts'
const askedWhenWrittenTest = 'test/unit/controller/asked-when-written.test.ts'
const schedulerTest = 'test/unit/controller/scheduler.test.ts'
const reconcilerTest = 'test/unit/controller/reconciler.test.ts'
const historyTest = 'test/unit/schedule/history.test.ts'

/** That a slot is run once, and only while it is wanted. */
export const launchMutants: readonly Mutant[] = [
  {
    name: '409 is taken for an error',
    changes: [
      { file: attempt, text: "if (error.kind !== 'AlreadyExists') return", by: 'if (error.kind !== undefined) return' },
    ],
    killers: [launcherTest],
  },
  {
    name: '409 is taken for success, whoever owns the Job',
    changes: [{ file: 'src/controller/job-of-name.ts', text: 'if (job.ownerUid !== uid)', by: 'if (job.uid === uid)' }],
    killers: [launcherTest],
  },
  {
    name: 'an abort is taken for a cancel: an unknown create is not looked up',
    changes: [{ file: attempt, text: 'if (of.refusal?.unknown === true)', by: 'if (of.refusal?.unknown === null)' }],
    killers: [launcherTest],
  },
  {
    name: 'a look-up that fails is taken for "not there"',
    changes: [
      {
        file: attempt,
        text: "return { kind: 'again', refusal: { ...refusalOf(asApiError(thrown)), unknown: true }, asked: true }",
        by: 'void thrown\n    return null',
      },
    ],
    killers: [launcherTest],
  },
  {
    name: 'a 5xx is taken for "not created"',
    changes: [
      {
        file: 'src/controller/refusal.ts',
        text: "(error.kind === 'Unanswered' || error.kind === 'ServerError')",
        by: "error.kind === 'Unanswered'",
      },
    ],
    killers: ['test/unit/controller/refusal.test.ts'],
  },
  {
    name: 'whether a slot is wanted is not asked when its create is written',
    changes: [{ file: attempt, text: 'signal: of.signal, isWanted }', by: 'signal: of.signal }' }],
    killers: [askedWhenWrittenTest],
  },
  {
    name: 'an older slot is run after a newer one',
    changes: [{ file: launcher, text: 'if (waiting.slot === work.newest && ', by: 'if (waiting.slot > 0 && ' }],
    killers: ['test/unit/controller/launch-lanes.test.ts'],
  },
  {
    name: 'the names of the Jobs are not asked what was run',
    changes: [
      {
        file: beginTrack,
        text: 'const known = latest(parseTime(status.handledUntil), launched)',
        by: 'const known = parseTime(status.handledUntil)',
      },
    ],
    killers: [schedulerTest],
  },
  {
    name: 'the status is not asked what was run',
    changes: [
      {
        file: beginTrack,
        text: 'const known = latest(parseTime(status.handledUntil), launched)',
        by: 'const known = slots.reduce(latest, null)',
      },
    ],
    killers: [schedulerTest],
  },
  {
    name: 'a controller that has stopped still prepares',
    changes: [{ file: scheduler, text: 'state === null || !this.#running', by: 'state === null' }],
    killers: [askedWhenWrittenTest],
  },
  {
    name: 'launches do not wait for the finalizer',
    changes: [{ file: scheduler, text: "if (!object.finalizers.includes(finalizer)) return 'NotReady'", by: '' }],
    killers: [schedulerTest],
  },
  {
    name: 'a Job goes before its slot is stored',
    changes: [
      {
        file: history,
        text: '(run.slot ?? -Infinity) <= (persistedUntil ?? -Infinity)',
        by: 'run.slot === null || persistedUntil !== undefined',
      },
    ],
    killers: [historyTest, reconcilerTest],
  },
  {
    name: 'a Job goes that is younger than ten seconds',
    changes: [{ file: history, text: 'if (now - run.createdAt < youngestMs) return false', by: '' }],
    killers: [historyTest],
  },
  {
    name: 'with a TTL the slot is stored some time later',
    changes: [{ file: 'src/controller/status-writer.ts', text: 'if (guardsSlot(object, status) || ', by: 'if (' }],
    killers: [reconcilerTest],
  },
  {
    name: 'a TTL of a second is sent as it is',
    changes: [
      {
        file: 'src/controller/job-manifest.ts',
        text: 'spec: { ...withLongEnoughTtl(template.spec),',
        by: 'spec: { ...template.spec,',
      },
    ],
    killers: ['test/unit/controller/job-manifest.test.ts'],
  },
  {
    name: 'at deletion Jobs of somebody else go as well',
    changes: [
      {
        file: 'src/controller/finalizer.ts',
        text: 'job.ownerUid === object.uid && !job.deleting',
        by: '!job.deleting',
      },
    ],
    killers: [reconcilerTest],
  },
  {
    name: 'deletion does not wait for creates on their way',
    changes: [
      {
        file: 'src/controller/finalizer.ts',
        text: 'if (!this.#parts.isIdle(object.uid))',
        by: 'if (object.uid === null)',
      },
    ],
    killers: [reconcilerTest],
  },
  {
    name: 'what is missing from a list is gone',
    changes: [
      {
        file: 'src/controller/scan.ts',
        text: 'const doubtful = [...this.#differing(listed)',
        by: 'for (const { uid } of this.#missing(listed)) this.#kind.remove(uid)\n      const doubtful = [...this.#differing(listed)',
      },
    ],
    killers: ['test/unit/controller/scan.test.ts'],
  },
  {
    name: 'a store goes back in time',
    changes: [
      {
        file: 'src/store.ts',
        text: 'if (held !== undefined && !isNewer(item.resourceVersion, held.resourceVersion)) return',
        by: '',
      },
    ],
    killers: ['test/unit/store.test.ts'],
  },
]
