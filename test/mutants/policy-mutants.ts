import type { Mutant } from './mutants.ts'

const attempt = 'src/controller/launch-attempt.ts'
const decide = 'src/schedule/decide.ts'
const concurrencyTest = 'test/unit/controller/concurrency.test.ts'

/** That what runs already is looked at, and that run-now runs once. */
export const policyMutants: readonly Mutant[] = [
  {
    name: 'Forbid decides while a create of the same resource has no answer',
    changes: [
      {
        file: decide,
        text: "state.concurrencyPolicy !== 'Allow' && state.activity.unsettled > 0",
        by: 'state.first && !state.first',
      },
    ],
    killers: ['test/unit/schedule/decide.test.ts', concurrencyTest],
  },
  {
    name: 'the store learns of a Job by the watch alone',
    changes: [
      { file: attempt, text: 'if (job !== null) parts.seen(job)', by: 'if (job === null) parts.seen(job as never)' },
    ],
    killers: [concurrencyTest],
  },
  {
    name: 'a create under Forbid may be committed when somebody else leads',
    changes: [{ file: attempt, text: 'return alone ? Math.max', by: 'return alone && !alone ? Math.max' }],
    killers: [concurrencyTest],
  },
  {
    name: 'the policy is not asked again when a create is written',
    changes: [
      {
        file: decide,
        text: "return obstacle === null ? { kind: 'go' }",
        by: "return obstacle !== 'never' ? { kind: 'go' }",
      },
    ],
    killers: ['test/unit/schedule/review.test.ts'],
  },
  {
    name: 'run-now runs a token again that the status has',
    changes: [
      {
        file: 'src/controller/manual-runs.ts',
        text: 'tried.token : (status.lastManualRun ?? null)',
        by: 'tried.token : (status.lastManualRun === null ? "" : null)',
      },
    ],
    killers: ['test/unit/controller/manual-runs.test.ts'],
  },
]
