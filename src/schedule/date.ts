import type { Instant } from './state.ts'

/** The one place of the core that makes a Date: of an instant that it is handed, never of the clock. */
export function dateOf(instant: Instant) {
  // oxlint-disable-next-line no-restricted-globals -- an argument is given, so no clock is read
  return new Date(instant)
}
