import { type KubeObject, timestamp } from './objects.ts'

/** What the Job controller tells the users of a Job. */
export function jobEvent(
  { apiVersion, kind, metadata }: KubeObject,
  reason: string,
  message: string,
  now: number,
): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata
  const at = timestamp(now)
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${Math.random().toString(16).slice(2)}`, namespace } as KubeObject['metadata'],
    involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
    type: /Exceeded$/.test(reason) ? 'Warning' : 'Normal',
    reason,
    message,
    source: { component: 'job-controller' },
    reportingComponent: 'job-controller',
    reportingInstance: '',
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
    eventTime: null,
  }
}
