import type { Instant } from '../schedule/state.ts'

/** `2026-12-01T09:00:00Z`, the form of metav1.Time: whole seconds, UTC. */
export function formatTime(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}

/** `2026-12-01T09:00:00.123000Z`, the form of metav1.MicroTime: the API server insists on six digits. */
export function formatMicroTime(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, -1)}000Z`
}

/** The instant that an RFC 3339 text names, or null when it is none. */
export function parseTime(text: unknown): Instant | null {
  if (typeof text !== 'string') return null
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? null : instant
}
