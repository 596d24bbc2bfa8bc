import type { Instant } from './state.ts'

/** A run that ended, as far as the history limits are concerned. */
export interface FinishedRun {
  readonly id: string
  readonly result: 'Complete' | 'Failed'
  /** null for a run that stands for no slot. */
  readonly slot: Instant | null
  readonly createdAt: Instant
}

export interface HistoryLimits {
  readonly successful: number
  readonly failed: number
  /** `handledUntil` as it is stored at the API server. */
  readonly persistedUntil: Instant | null
}

export interface HistoryPlan {
  /** The ids to delete now, oldest first within each kind. */
  readonly remove: readonly string[]
  /** Something is beyond its limit but may not be deleted yet. */
  readonly more: boolean
}

/** Truncation makes a creation look up to a second older than it is. */
const youngestMs = 10_000 + 1_000

/**
 * Which finished runs exceed their limit. The Job is the lock of its slot, so none goes whose slot is newer than what
 * the status has stored, and none that is younger than ten seconds (a request that was thought lost may still arrive).
 */
export function planHistory(now: Instant, runs: readonly FinishedRun[], limits: HistoryLimits): HistoryPlan {
  const excess = [...beyond(runs, 'Complete', limits.successful), ...beyond(runs, 'Failed', limits.failed)]
  const remove = excess.filter((run) => isDeletable(now, run, limits.persistedUntil)).map(({ id }) => id)
  return { remove, more: remove.length < excess.length }
}

function beyond(runs: readonly FinishedRun[], result: FinishedRun['result'], limit: number): readonly FinishedRun[] {
  return runs
    .filter((run) => run.result === result)
    .sort((a, b) => startOf(b) - startOf(a))
    .slice(limit)
    .toReversed()
}

function startOf(run: FinishedRun): Instant {
  return run.slot ?? run.createdAt
}

function isDeletable(now: Instant, run: FinishedRun, persistedUntil: Instant | null): boolean {
  if (now - run.createdAt < youngestMs) return false
  return (run.slot ?? -Infinity) <= (persistedUntil ?? -Infinity)
}
