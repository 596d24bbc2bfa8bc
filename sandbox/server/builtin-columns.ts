import { asFields, fieldAt, type Fields, type KubeObject } from './objects.ts'
import { ageColumn, ago, type Column, conditionOf, duration, nameColumn } from './tables.ts'

type Value = Column['value']

function text(name: string, value: Value, priority = 0): Column {
  return { name, type: 'string', priority, value }
}

function containersOf(spec: unknown): readonly Fields[] {
  return (asFields(spec)['containers'] ?? []) as Fields[]
}

function podSpecOf(job: KubeObject): unknown {
  return fieldAt(job, 'spec.template.spec')
}

function jobStatus(job: KubeObject): string {
  const found = ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(
    (type) => conditionOf(job, type)?.['status'] === 'True',
  )
  return found ?? (job.metadata.deletionTimestamp === undefined ? 'Running' : 'Terminating')
}

function jobDuration({ status = {} }: KubeObject, now: number): string {
  const { startTime, completionTime } = status
  if (startTime === undefined) return ''
  const end = completionTime === undefined ? now : Date.parse(String(completionTime))
  return duration(end - Date.parse(String(startTime)))
}

function podStatus({ status = {}, metadata }: KubeObject): unknown {
  const [container] = (status['containerStatuses'] ?? []) as Fields[]
  const reason = fieldAt(container, 'state.terminated.reason')
  return metadata.deletionTimestamp === undefined ? (reason ?? status['phase']) : 'Terminating'
}

function ready({ spec, status = {} }: KubeObject): string {
  const statuses = (status['containerStatuses'] ?? []) as Fields[]
  return `${statuses.filter((container) => container['ready'] === true).length}/${containersOf(spec).length}`
}

function eventSubject({ involvedObject }: KubeObject): string {
  const { kind, name } = asFields(involvedObject)
  return `${String(kind).toLowerCase()}/${String(name)}`
}

function lastSeen(event: KubeObject, now: number): string {
  const time = event['lastTimestamp'] ?? event['eventTime'] ?? event.metadata.creationTimestamp
  return ago(time, now)
}

const event = [
  text('Last Seen', lastSeen),
  text('Type', '.type'),
  text('Reason', '.reason'),
  text('Object', eventSubject),
  text('Message', '.message'),
  { ...nameColumn, priority: 1 },
]

/** By plural. The first column is always the name, but for Events. */
export const builtinColumns: Readonly<Record<string, { readonly columns: readonly Column[] }>> = {
  namespaces: { columns: [text('Status', '.status.phase'), ageColumn] },
  pods: {
    columns: [text('Ready', ready), text('Status', podStatus), text('Restarts', () => '0'), ageColumn],
  },
  jobs: {
    columns: [
      text('Status', jobStatus),
      text(
        'Completions',
        ({ spec, status }) => `${String(status?.['succeeded'] ?? 0)}/${String(spec?.['completions'])}`,
      ),
      text('Duration', jobDuration),
      ageColumn,
      text(
        'Containers',
        (job) =>
          containersOf(podSpecOf(job))
            .map(({ name }) => name)
            .join(','),
        1,
      ),
      text(
        'Images',
        (job) =>
          containersOf(podSpecOf(job))
            .map(({ image }) => image)
            .join(','),
        1,
      ),
    ],
  },
  leases: { columns: [text('Holder', '.spec.holderIdentity'), ageColumn] },
  customresourcedefinitions: {
    columns: [{ name: 'Created At', type: 'date', value: ({ metadata }) => metadata.creationTimestamp }],
  },
  events: { columns: event },
}
