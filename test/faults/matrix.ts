import { withFault } from './acts.ts'
import type { Row } from './row.ts'
import { interrupted } from './rows/crashes.ts'
import { failures } from './rows/failures.ts'
import { stale } from './rows/stale.ts'

export const matrix: readonly Row[] = [
  {
    id: 'R0-nothing',
    done: 'nothing: what users do, without any fault',
    holds: 'the measure for all other rows',
    act: withFault({}, { do: 'pass' }),
    seed: 1,
  },
  ...interrupted,
  ...stale,
  ...failures,
]
