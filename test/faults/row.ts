import type { ControlPlaneOptions } from '../control-plane/control-plane.ts'
import type { Act } from './acts.ts'
import type { StageSetting } from './stage.ts'

/** One row: a fault, and the measures for what must hold all the same. */
export interface Row extends StageSetting {
  readonly id: string
  readonly done: string
  /** Beside what holds in every row: none twice, early, off the grid, lost or late while somebody could launch. */
  readonly holds: string
  readonly act: Act
  /** A control plane of its own, which no other row is played on. */
  readonly plane?: ControlPlaneOptions
  /** How late a launch may be. */
  readonly lateMs?: number
  /** How late half of the launches may be, where that is what the row is about. */
  readonly medianMs?: number
  /** Where nobody could launch every time: the part of all slots that is launched all the same, 0 to 1. */
  readonly leastShare?: number
  /** How long a change of a spec may go unnoticed: when the watch has lost it, until the next scan. */
  readonly noticeMs?: number
  readonly goneMs?: number
  /** How long it may take until the status tells of a launch. */
  readonly storedMs?: number
  /** How long nobody may lead. */
  readonly longestOutageMs?: number
  /** The fault is one in which the probes may say no. */
  readonly mayBeUnready?: boolean
  /** How soon after its beginning /readyz has to tell of the fault. */
  readonly unreadyWithinMs?: number
  /** How long it takes after the quiet until statuses are final; when the controllers of others have to recover as well. */
  readonly restMs?: number
  /** How often the operator may list, where a storm of lists is what the row is about. */
  readonly mostLists?: number
  /** How many creates may be on their way at once, where a burst is what the row is about. */
  readonly mostAtOnce?: number
  /** Of the fault period; else what the command says. */
  readonly seconds?: number
}
