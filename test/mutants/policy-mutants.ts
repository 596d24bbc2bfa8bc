import type { Mutant } from './mutants.ts'

const attempt = 'src/controller/launch-attempt.ts'
const decide = 'src/schedule/decide.ts'
const manual = 'src/controller/manual-runs.ts'
const manualTest = 'test/unit/controller/manual-runs.test.ts'
const tokensTest = 'test/unit/controller/manual-runs-tokens.test.ts'
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
    changes: [{ file: manual, text: "token === '' || token === lastManualRun", by: "token === ''" }],
    killers: [manualTest],
  },
  {
    name: 'run-now serves the next token before the last one is stored',
    changes: [{ file: manual, text: 'manualRunCount === before &&', by: 'manualRunCount >= before &&' }],
    killers: [tokensTest],
  },
  {
    name: 'run-now takes a token that comes back for the old one',
    changes: [{ file: 'src/api/job.ts', text: '(of.before === 0 ? first', by: '(of.before >= 0 ? first' }],
    killers: [tokensTest],
  },
  {
    name: 'run-now runs a template that is not accepted',
    changes: [
      { file: manual, text: "verdict !== null && verdict.status !== 'False'", by: "verdict?.status !== 'none'" },
    ],
    killers: [tokensTest],
  },
  {
    name: 'a deletion does not wait for a run-now create on its way',
    changes: [{ file: 'src/controller/controller.ts', text: ' && this.#manualRuns.isIdle(uid)', by: '' }],
    killers: [tokensTest],
  },
  {
    name: 'Replace deletes a run-now Job whose token is not stored',
    changes: [
      {
        file: 'src/controller/stored-first.ts',
        text: 'isAtRisk(parts, uid) ? untilStored(parts, uid).then(make) : make()',
        by: 'isAtRisk(parts, uid) ? make() : make()',
      },
    ],
    killers: ['test/unit/controller/manual-runs-and-policy.test.ts'],
  },
]
