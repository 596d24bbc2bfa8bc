import { JSONPath } from 'jsonpath-plus'
import { asFields, type Fields, type KubeObject } from './objects.ts'
import type { ResourceType } from './types.ts'

/** A printer column: what to show is a JSON path, as CustomResourceDefinitions have it, or a function. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  /** Above 0: only with `-o wide`. */
  readonly priority?: number
  readonly value: string | ((object: KubeObject, now: number) => unknown)
}

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  value: ({ metadata }) => metadata.name,
}
export const ageColumn: Column = { name: 'Age', type: 'date', value: '.metadata.creationTimestamp' }

/** What kubectl prints: a row for each object. */
export function tableOf({ columns = [ageColumn] }: ResourceType, items: readonly KubeObject[], now: number): Fields {
  const all = columns.some(({ format }) => format === 'name') ? columns : [nameColumn, ...columns]
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: all.map(({ value: _value, ...column }) => ({
      format: '',
      description: '',
      priority: 0,
      ...column,
    })),
    rows: items.map((object) => ({ cells: all.map((column) => cell(column, object, now)), object: partial(object) })),
  }
}

/** Identity and labels only. */
export function partial({ metadata }: KubeObject): Fields {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
}

function cell({ type, value }: Column, object: KubeObject, now: number): unknown {
  const found = typeof value === 'string' ? atPath(object, value) : value(object, now)
  return type === 'date' && typeof value === 'string' ? ago(found, now) : (found ?? null)
}

function atPath(json: KubeObject, path: string): unknown {
  return (JSONPath({ path: `$${path}`, json, eval: 'safe' }) as unknown as unknown[])[0]
}

/** `5m`, for a time that is five minutes ago. */
export function ago(time: unknown, now: number): string {
  return typeof time === 'string' ? duration(now - Date.parse(time)) : '<unknown>'
}

/** As kubectl writes it: two units at most, and the second only where it matters. */
export function duration(ms: number): string {
  const seconds = Math.trunc(ms / 1_000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 120) return `${Math.max(0, seconds)}s`
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600)]
  if (minutes < 180) return minutes < 10 ? two(minutes, 'm', seconds % 60, 's') : `${minutes}m`
  if (hours < 48) return hours < 8 ? two(hours, 'h', minutes % 60, 'm') : `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 730) return days < 8 ? two(days, 'd', hours % 24, 'h') : `${days}d`
  return two(Math.floor(days / 365), 'y', days < 8 * 365 ? days % 365 : 0, 'd')
}

function two(many: number, unit: string, few: number, smaller: string): string {
  return few === 0 ? `${many}${unit}` : `${many}${unit}${few}${smaller}`
}

/** How a client wants to see what it asked for. */
export type Form = 'object' | 'table' | 'partial'

export function formOf(accept: string): Form {
  const [first = ''] = accept.split(',')
  if (first.includes('as=Table')) return 'table'
  return first.includes('as=PartialObjectMetadata') ? 'partial' : 'object'
}

export function conditionOf({ status }: KubeObject, type: string): Fields | undefined {
  return ((status?.['conditions'] ?? []) as Fields[]).find((condition) => asFields(condition)['type'] === type)
}
