import { countMutants } from './count-mutants.ts'
import { laneMutants } from './lane-mutants.ts'
import { launchMutants } from './launch-mutants.ts'
import { leaseMutants } from './lease-mutants.ts'
import { leaseWriterMutants } from './lease-writer-mutants.ts'
import { matrixMutants } from './matrix-mutants.ts'
import { policyMutants } from './policy-mutants.ts'
import type { Change } from './tree.ts'
import { writeMutants } from './write-mutants.ts'

/** The operator without one of its guards, and the tests that must turn red for it: at least one in each file. */
export interface Mutant {
  /** What the operator does wrong. */
  readonly name: string
  readonly changes: readonly Change[]
  readonly killers: readonly string[]
}

export const mutants: readonly Mutant[] = [
  ...leaseMutants,
  ...leaseWriterMutants,
  ...writeMutants,
  ...launchMutants,
  ...countMutants,
  ...laneMutants,
  ...policyMutants,
  ...matrixMutants,
]
