/** Any JSON object: what is stored is whatever was sent, after defaults and pruning. */
export type Fields = Record<string, unknown>

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

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
  ownerReferences?: OwnerReference[]
}

/** Once stored, an object is never changed: a write stores another one. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: Metadata
  spec?: Fields
  status?: Fields
  [field: string]: unknown
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** `2026-12-01T09:00:00Z`; with six digits of a second when `micro`. */
export function timestamp(instant: number, micro = false): string {
  const text = new Date(instant).toISOString()
  return micro ? text.replace('Z', '000Z') : `${text.slice(0, 19)}Z`
}

/** What is at `status.phase`, or undefined. */
export function fieldAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, part) => asFields(at)[part], value)
}

const letters = 'bcdfghjklmnpqrstvwxz2456789'

/** The five random characters behind a `generateName`. */
export function randomSuffix(): string {
  return Array.from({ length: 5 }, () => letters[Math.floor(Math.random() * letters.length)]).join('')
}
