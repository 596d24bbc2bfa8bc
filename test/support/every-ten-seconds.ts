import type { IntervalGrid, ScheduleState } from '../../src/schedule/state.ts'
import { at } from './times.ts'

/** From 12:00:00 on. */
export const tenSeconds: IntervalGrid = { kind: 'interval', anchor: at('12:00:00'), intervalMs: 10_000, firstIndex: 0 }
/** A resource that has handled its slots until 12:00:20. */
export const everyTenSeconds: ScheduleState = {
  grid: tenSeconds,
  since: at('12:00:00'),
  handledUntil: at('12:00:20'),
  first: false,
  paused: null,
  startingDeadlineMs: null,
  concurrencyPolicy: 'Allow',
  activeJobsLimit: 100,
  activity: { active: 0, unsettled: 0, busyUntil: null },
}
