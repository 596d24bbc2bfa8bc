import { JSONPath } from 'jsonpath-plus'
import { type Fields, type KubeObject, listOf, textAt } from './objects.ts'
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

export function column(name: string, value: Column['value'], more: Partial<Column> = {}): Column {
  return { name, type: 'string', value, ...more }
}

export const nameColumn = column('Name', '.metadata.name', { format: 'name' })
export const ageColumn = column('Age', '.metadata.creationTimestamp', { type: 'date' })

/** What kubectl prints: a row for each object. */
export function tableOf(
  { columns = [ageColumn] }: ResourceType,
  items: readonly KubeObject[],
  [now, include]: readonly [now: number, includeObject: string | null],
): Fields {
  const all = columns.some(({ format }) => format === 'name') ? columns : [nameColumn, ...columns]
  const defaults = { format: '', description: '', priority: 0 }
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: all.map(({ value: _value, ...definition }) => ({ ...defaults, ...definition })),
    rows: items.map((object) => ({
      cells: all.map((one) => cell(one, object, now)),
      object: included(object, include),
    })),
  }
}

function included(object: KubeObject, include: string | null): Fields | null {
  if (include === 'None') return null
  return include === 'Object' ? object : partial(object)
}

/** Identity and labels only. */
export function partial({ metadata }: KubeObject): Fields {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
}

function cell({ type, value }: Column, object: KubeObject, now: number): unknown {
  if (typeof value !== 'string') return value(object, now)
  const found = (JSONPath({ path: `$${value}`, json: object, eval: 'safe' }) as unknown[] | undefined)?.[0]
  return type === 'date' && found != null ? ago(found, now) : (found ?? null)
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
  if (minutes < 180) return `${minutes}m${minutes < 10 ? rest(seconds % 60, 's') : ''}`
  if (hours < 48) return `${hours}h${hours < 8 ? rest(minutes % 60, 'm') : ''}`
  const days = Math.floor(hours / 24)
  if (days < 730) return `${days}d${days < 8 ? rest(hours % 24, 'h') : ''}`
  return `${Math.floor(days / 365)}y${days < 2_920 ? rest(days % 365, 'd') : ''}`
}

function rest(count: number, unit: string): string {
  return count === 0 ? '' : `${count}${unit}`
}

export function conditionOf({ status }: KubeObject, type: string): Fields | undefined {
  return listOf(status?.['conditions']).find((condition) => condition['type'] === type)
}

/** Whether it has the condition, and it is true. */
export function isTrue(object: KubeObject, type: string): boolean {
  return textAt(conditionOf(object, type), 'status') === 'True'
}
