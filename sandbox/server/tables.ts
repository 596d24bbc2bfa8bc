import type { V1CustomResourceColumnDefinition } from '@kubernetes/client-node'
import { JSONPath } from 'jsonpath-plus'
import { type Fields, isTrue, type KubeObject, textAt } from './objects.ts'

/** A printer column: what to show is a JSON path, or of some types a function. */
export type Column = Omit<V1CustomResourceColumnDefinition, 'jsonPath'> & {
  readonly jsonPath: string | ((object: KubeObject, now: number) => unknown)
}

function column(name: string, jsonPath: Column['jsonPath'], more: Partial<Column> = {}): Column {
  return { name, type: 'string', jsonPath, ...more }
}

const nameColumn = column('Name', '.metadata.name', { format: 'name' })
export const ageColumn = column('Age', '.metadata.creationTimestamp', { type: 'date' })

/** What kubectl prints: a row for each object. */
export function tableOf(
  columns: readonly Column[],
  items: readonly KubeObject[],
  [now, include]: readonly [now: number, includeObject: string | null],
): Fields {
  const all = columns.some(({ format }) => format === 'name') ? columns : [nameColumn, ...columns]
  const defaults = { format: '', description: '', priority: 0 }
  const shown = include === 'Object' ? (object: KubeObject) => object : include === 'None' ? () => null : partial
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: all.map(({ jsonPath: _path, ...definition }) => ({ ...defaults, ...definition })),
    rows: items.map((object) => ({ cells: all.map((one) => cell(one, object, now)), object: shown(object) })),
  }
}

/** Identity and labels only. */
export function partial({ metadata }: KubeObject): Fields {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
}

function cell({ type, jsonPath }: Column, object: KubeObject, now: number): unknown {
  if (typeof jsonPath !== 'string') return jsonPath(object, now)
  const found = (JSONPath({ path: `$${jsonPath}`, json: object, eval: 'safe' }) as unknown[] | undefined)?.[0]
  return type === 'date' && found != null ? ago(found, now) : (found ?? null)
}

/** `5m`, for a time that is five minutes ago. */
function ago(time: unknown, now: number): string {
  return typeof time === 'string' ? duration(now - Date.parse(time)) : '<unknown>'
}

const [minute, hour, day, year] = [60, 3_600, 86_400, 31_536_000]
/** Up to how many seconds an age is told in which unit, and up to how many the next smaller one is told as well. */
const units = [
  { below: 120, unit: 1, letter: 's', finerBelow: 0, finer: 1, finerLetter: '' },
  { below: 3 * hour, unit: minute, letter: 'm', finerBelow: 10 * minute, finer: 1, finerLetter: 's' },
  { below: 2 * day, unit: hour, letter: 'h', finerBelow: 8 * hour, finer: minute, finerLetter: 'm' },
  { below: 2 * year, unit: day, letter: 'd', finerBelow: 8 * day, finer: hour, finerLetter: 'h' },
  { below: Infinity, unit: year, letter: 'y', finerBelow: 8 * year, finer: day, finerLetter: 'd' },
]

/** As kubectl writes it: two units at most, and the second only where it matters. */
export function duration(ms: number): string {
  const seconds = Math.trunc(ms / 1_000)
  if (seconds < -1) return '<invalid>'
  const { unit = 1, letter, finerBelow = 0, finer = 1, finerLetter } = units.find(({ below }) => seconds < below) ?? {}
  const rest = seconds < finerBelow ? Math.floor((seconds % unit) / finer) : 0
  return `${Math.max(0, Math.floor(seconds / unit))}${letter}${rest === 0 ? '' : `${rest}${finerLetter}`}`
}

function jobStatus(job: KubeObject): string {
  const types = ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet']
  const otherwise = job.metadata.deletionTimestamp === undefined ? 'Running' : 'Terminating'
  return types.find((type) => isTrue(job, type)) ?? otherwise
}

function jobDuration({ status = {} }: KubeObject, now: number): string {
  const { startTime, completionTime } = status as Readonly<Record<string, string>>
  if (startTime === undefined) return ''
  return duration((completionTime === undefined ? now : Date.parse(completionTime)) - Date.parse(startTime))
}

/** What kubectl shows of the types that come without a CustomResourceDefinition, beside their names. */
export const builtinColumns: Readonly<Record<string, readonly Column[]>> = {
  Namespace: [column('Status', '.status.phase'), ageColumn],
  Pod: [column('Status', '.status.phase'), ageColumn],
  Job: [
    column('Status', jobStatus),
    column('Completions', (job) => `${textAt(job, 'status.succeeded') || 0}/${textAt(job, 'spec.completions')}`),
    column('Duration', jobDuration),
    ageColumn,
  ],
  CustomResourceDefinition: [column('Created At', '.metadata.creationTimestamp')],
  Lease: [column('Holder', '.spec.holderIdentity'), ageColumn],
  Event: [
    column('Last Seen', (event, now) =>
      ago(event['lastTimestamp'] ?? event['eventTime'] ?? event.metadata.creationTimestamp, now),
    ),
    column('Type', '.type'),
    column('Reason', '.reason'),
    column('Object', ({ involvedObject: of }) => `${textAt(of, 'kind').toLowerCase()}/${textAt(of, 'name')}`),
    column('Message', '.message'),
    { ...nameColumn, priority: 1 },
  ],
}
