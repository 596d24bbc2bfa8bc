import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, type Observed } from '../../faults/checker/checker.ts'
import type { Kind } from '../../faults/checker/violation.ts'
import type { AuditRecord } from '../../support/audit.ts'
import { observed } from './hand-made.ts'

export interface Case {
  readonly records: readonly AuditRecord[]
  readonly given?: Partial<Observed>
  /** `kind` of each violation, with what it is about. */
  readonly want: readonly (readonly [Kind, RegExp])[]
}

/** A test for each of the cases: these violations are found, and no others. */
export function testEach(cases: Readonly<Record<string, Case>>): void {
  for (const [name, { records, given, want }] of Object.entries(cases))
    test(`checker: ${name}`, () => {
      const found = check(observed(records, given)).violations
      const said = found.map(({ resource, job, detail }) => `${resource} ${job} ${detail}`)
      assert.deepEqual(
        found.map(({ kind }) => kind),
        want.map(([kind]) => kind),
        said.join('\n'),
      )
      for (const [index, [, words]] of want.entries()) assert.match(said[index] ?? '', words)
    })
}
