import { isTrue, type KubeObject, textAt } from './objects.ts'
import { ageColumn, ago, type Column, column, duration, nameColumn } from './tables.ts'

function jobStatus(job: KubeObject): string {
  const types = ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet']
  const isGoing = job.metadata.deletionTimestamp !== undefined
  return types.find((type) => isTrue(job, type)) ?? (isGoing ? 'Terminating' : 'Running')
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
