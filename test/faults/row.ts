import type { Act } from './acts.ts'

/** One row: a fault, and the measures for what must hold all the same. */
export interface Row {
  readonly id: string
  readonly done: string
  /** Beside what holds in every row: none twice, early, off the grid, lost or late while somebody could launch. */
  readonly holds: string
  readonly act: Act
  readonly seed: number
  readonly replicas?: number
  readonly more?: Readonly<Record<string, unknown>>
  /** How late a launch may be. */
  readonly lateMs?: number
  /** How long a change of a spec may go unnoticed: when the watch has lost it, until the next scan. */
  readonly noticeMs?: number
  readonly goneMs?: number
  /** How long nobody may lead. */
  readonly longestOutageMs?: number
  /** The fault is one in which the probes may say no. */
  readonly mayBeUnready?: boolean
  /** The fault is one of which /readyz has to tell. */
  readonly mustBeUnready?: boolean
  /** How long it takes after the quiet until statuses are final; when the controllers of others have to recover as well. */
  readonly restMs?: number
  /** What was sent before a fault may be served after it: a server that stands still reads it when it goes on. */
  readonly mayServeOld?: boolean
  /** Of the fault period; else what the command says. */
  readonly seconds?: number
}
