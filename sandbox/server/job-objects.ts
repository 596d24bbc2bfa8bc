import { asFields, type Fields, type KubeObject, randomSuffix } from './objects.ts'

export type Ending = 'CompletionsReached' | 'BackoffLimitExceeded' | 'DeadlineExceeded'

const backoff = 'Job has reached the specified backoff limit'
const deadline = 'Job was active longer than specified deadline'
const failed = { type: 'Failed', announced: 'FailureTarget' } as const

/** What is said of each end: the condition, the one that announces it, and the Event. */
export const endings = {
  CompletionsReached: {
    type: 'Complete',
    announced: 'SuccessCriteriaMet',
    message: 'Reached expected number of succeeded pods',
    event: ['Completed', 'Job completed'],
  },
  BackoffLimitExceeded: { ...failed, message: backoff, event: ['BackoffLimitExceeded', backoff] },
  DeadlineExceeded: { ...failed, message: deadline, event: ['DeadlineExceeded', deadline] },
} as const

/** In the status of a Job that runs nothing. */
export const idle = { ready: 0, terminating: 0, uncountedTerminatedPods: {} }

export function podOf({ metadata: { name, namespace, uid }, spec }: KubeObject): KubeObject {
  const template = asFields(spec?.['template'])
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true }
  const names = { name: `${name}-${randomSuffix()}`, generateName: `${name}-`, namespace }
  const metadata = { ...asFields(template['metadata']), ...names, ownerReferences: [owner] }
  const pod: Fields = { apiVersion: 'v1', kind: 'Pod', metadata, spec: template['spec'], status: { phase: 'Pending' } }
  return pod as unknown as KubeObject
}

export function eventOf(
  { metadata, ...job }: KubeObject,
  [reason, message]: readonly [string, string],
  now: string,
): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata
  const event: Fields = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${randomSuffix()}${randomSuffix()}`, namespace },
    involvedObject: { apiVersion: job.apiVersion, kind: job.kind, name, namespace, uid, resourceVersion },
    reason,
    message,
    type: reason.endsWith('Exceeded') ? 'Warning' : 'Normal',
    source: { component: 'job-controller' },
    reportingComponent: 'job-controller',
    reportingInstance: '',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    eventTime: null,
  }
  return event as unknown as KubeObject
}
