import { withFault } from './acts.ts'
import type { Row } from './row.ts'
import { interrupted } from './rows/crashes.ts'
import { refused } from './rows/cluster.ts'
import { failures } from './rows/failures.ts'
import { stale } from './rows/stale.ts'
import { timed } from './rows/time.ts'

export const matrix: readonly Row[] = [
  {
    id: 'R0-nothing',
    done: 'nothing: what users do, without any fault',
    holds: 'whatever another row finds wrong is not wrong without its fault',
    act: withFault({}, { do: 'pass' }),
    seed: 1,
    medianMs: 150,
  },
  ...interrupted,
  ...stale,
  ...failures,
  ...timed,
  ...refused,
]

export function rowCalled(id: string): Row {
  const row = matrix.find((one) => one.id === id)
  if (row === undefined) throw new Error(`no row is called ${id}`)
  return row
}
