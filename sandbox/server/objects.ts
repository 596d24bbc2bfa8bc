import type { V1ObjectMeta } from '@kubernetes/client-node'

/** Any JSON object: what is stored is what was sent, after defaults and pruning. */
export type Fields = Record<string, unknown>

type Always = 'name' | 'uid' | 'resourceVersion' | 'creationTimestamp'

/** Times are texts here, as they go over the wire. */
export type Metadata = Omit<V1ObjectMeta, Always | 'deletionTimestamp'> &
  Record<Always, string> & { deletionTimestamp?: string }

/** Once stored, an object is never changed: a write stores another one. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: Metadata
  spec?: Fields
  status?: Fields | undefined
  [field: string]: unknown
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The objects of a list, none when it is no list. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** What is at `status.phase`, as a text; empty when there is nothing. */
export function textAt(value: unknown, path: string): string {
  const found = path.split('.').reduce<unknown>((at, part) => asFields(at)[part], value)
  return typeof found === 'string' ? found : found == null ? '' : JSON.stringify(found)
}

/** `2026-12-01T09:00:00Z` */
export function timestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}

export function conditionOf({ status }: KubeObject, type: string): Fields | undefined {
  return listOf(status?.['conditions']).find((condition) => condition['type'] === type)
}

/** Whether it has the condition, and it is true. */
export function isTrue(object: KubeObject, type: string): boolean {
  return textAt(conditionOf(object, type), 'status') === 'True'
}

/** A list or a map without an entry is the same as none: it is not stored, and a JSON patch can test for that. */
export function withoutEmpty(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value))) as unknown as Metadata
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
