import { asFields, type KubeObject, listOf, textAt } from './objects.ts'
import { ageColumn, ago, type Column, column, duration, isTrue, nameColumn } from './tables.ts'

const wide = { priority: 1 }

function jobStatus(job: KubeObject): string {
  const found = ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) =>
    isTrue(job, type),
  )
  return found ?? (job.metadata.deletionTimestamp === undefined ? 'Running' : 'Terminating')
}

function jobDuration(job: KubeObject, now: number): string {
  const [start, end] = ['status.startTime', 'status.completionTime'].map((path) => Date.parse(textAt(job, path)))
  if (start === undefined || Number.isNaN(start)) return ''
  return duration((end === undefined || Number.isNaN(end) ? now : end) - start)
}

/** Of each container. */
function containers(field: string): (job: KubeObject) => string {
  return (job) =>
    listOf(asFields(asFields(job.spec?.['template'])['spec'])['containers'])
      .map((one) => textAt(one, field))
      .join()
}

function selector(job: KubeObject): string {
  const labels = Object.entries(asFields(asFields(job.spec?.['selector'])['matchLabels']))
  return labels.map(([key, value]) => `${key}=${String(value)}`).join()
}

function podStatus({ status, metadata }: KubeObject): string {
  const reason = textAt(listOf(status?.['containerStatuses'])[0], 'state.terminated.reason')
  return metadata.deletionTimestamp === undefined ? reason || textAt(status, 'phase') : 'Terminating'
}

function ready({ spec, status }: KubeObject): string {
  const count = listOf(status?.['containerStatuses']).filter((one) => one['ready'] === true).length
  return `${count}/${listOf(spec?.['containers']).length}`
}

function lastSeen(event: KubeObject, now: number): string {
  return ago(event['lastTimestamp'] ?? event['eventTime'] ?? event.metadata.creationTimestamp, now)
}

function subject({ involvedObject }: KubeObject): string {
  return `${textAt(involvedObject, 'kind').toLowerCase()}/${textAt(involvedObject, 'name')}`
}

/** What kubectl shows of the types that come without a CustomResourceDefinition. */
export const builtinColumns: Readonly<Record<string, readonly Column[]>> = {
  Namespace: [column('Status', '.status.phase'), ageColumn],
  Pod: [
    column('Ready', ready),
    column('Status', podStatus),
    column('Restarts', () => '0'),
    ageColumn,
    ...['IP', 'Node', 'Nominated Node', 'Readiness Gates'].map((name) => column(name, () => '<none>', wide)),
  ],
  Job: [
    column('Status', jobStatus),
    column('Completions', (job) => `${textAt(job, 'status.succeeded') || 0}/${textAt(job, 'spec.completions')}`),
    column('Duration', jobDuration),
    ageColumn,
    column('Containers', containers('name'), wide),
    column('Images', containers('image'), wide),
    column('Selector', selector, wide),
  ],
  Lease: [column('Holder', '.spec.holderIdentity'), ageColumn],
  CustomResourceDefinition: [column('Created At', ({ metadata }) => metadata.creationTimestamp, { type: 'date' })],
  Event: [
    column('Last Seen', lastSeen),
    column('Type', '.type'),
    column('Reason', '.reason'),
    column('Object', subject),
    column('Message', '.message'),
    { ...nameColumn, ...wide },
  ],
}
