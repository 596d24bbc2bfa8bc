/** Any JSON object: what is stored is what was sent, after defaults and pruning. */
export type Fields = Record<string, unknown>

export interface Metadata {
  name: string
  generateName?: string
  /** Absent for what belongs to the whole cluster. */
  namespace?: string
  uid: string
  resourceVersion: string
  generation?: number
  creationTimestamp: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: { readonly uid: string; readonly controller?: boolean; readonly blockOwnerDeletion?: boolean }[]
}

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
