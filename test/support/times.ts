import type { Instant } from '../../src/schedule/state.ts'

/** The instant that a clock on the wall shows as `12:00:30` or `12:00:30.250`, on the day that all tests happen on. */
export function at(time: string): Instant {
  return Date.parse(`2026-01-01T${time}Z`)
}

/** The same in Unix seconds, as the names of Jobs have it. */
export function seconds(time: string): number {
  return Math.floor(at(time) / 1_000)
}
