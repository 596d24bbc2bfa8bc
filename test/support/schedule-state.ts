import type { Grid, Instant, ScheduleState } from '../../src/schedule/state.ts'

/** The state of a resource that nothing holds back, and that was created at the anchor of its grid. */
export function aScheduleState(grid: Grid, change: Partial<ScheduleState> = {}): ScheduleState {
  return {
    grid,
    since: grid.anchor,
    handledUntil: null,
    first: true,
    paused: null,
    startingDeadlineMs: null,
    concurrencyPolicy: 'Allow',
    activeJobsLimit: 100,
    activity: { active: 0, unsettled: 0, busyUntil: null },
    ...change,
  }
}

/** What the scheduler keeps of a decision about `slot`. */
export function handled(state: ScheduleState, slot: Instant): ScheduleState {
  return { ...state, handledUntil: slot, first: false }
}
