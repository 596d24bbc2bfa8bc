import type { KubeObject } from './admin.ts'
import type { Expectation } from './verdict.ts'

/** epoch milliseconds of `metadata.creationTimestamp`. */
export function createdAt(object: KubeObject): number {
  return Date.parse(String(object.metadata['creationTimestamp']))
}

/** Looked at over [from, until); the interval is read from the object. */
export function expectationOf(object: KubeObject, from: number, until: number): Expectation {
  const spec = object['spec'] as { intervalSeconds?: number; interval_seconds?: number }
  const { name, namespace = 'default' } = object.metadata
  const intervalMs = (spec.intervalSeconds ?? spec.interval_seconds ?? 0) * 1_000
  return { namespace, name, createdAt: createdAt(object), intervalMs, from, until }
}
