import type { Mutant } from './mutants.ts'

const launcher = 'src/controller/launcher.ts'
const lanesTest = 'test/unit/controller/launch-lanes.test.ts'

/** In which order what waits goes. */
export const laneMutants: readonly Mutant[] = [
  {
    name: 'a crowded lane is first come, first served',
    changes: [{ file: 'src/controller/lanes.ts', text: ': -turn.dueBy', by: ': 0' }],
    killers: [lanesTest],
  },
  {
    name: 'a run of each day waits behind those of each second for good',
    changes: [{ file: launcher, text: 'Math.min(slot + longestBehindMs, ', by: 'Math.min(' }],
    killers: [lanesTest],
  },
]
