import { jobName, manualJobName } from '../api/job.ts'
import {
  apiVersion,
  cronJobTimestampAnnotation,
  instantiateAnnotation,
  kind,
  ownerLabel,
  slotAnnotation,
} from '../api/names.ts'
import type { SecondCronJob, Spec } from '../api/secondcronjob.ts'
import { formatTime } from '../api/time.ts'
import type { Instant } from '../schedule/state.ts'
import type { JobManifest } from './ports.ts'

/** A shorter life would let the Job, the lock of its slot, vanish before the slot is stored. */
export const shortestTtlSeconds = 30

/** The Job of one slot: the template as it stands, plus what makes it ours. `slot` 0 stands for the trial run. */
export function jobManifest(object: SecondCronJob, spec: Spec, slot: Instant): JobManifest {
  const name = slot === 0 ? `${object.name}-0000000000` : jobName(object.name, slot)
  return manifestOf(object, spec, { name, at: slot, marks: { [cronJobTimestampAnnotation]: formatTime(slot) } })
}

/** The extra Job that a run-now token asks for, asked for at `now`. */
export function manualJobManifest(object: SecondCronJob, spec: Spec, token: string, now: Instant): JobManifest {
  const name = manualJobName(object.name, token)
  return manifestOf(object, spec, { name, at: now, marks: { [instantiateAnnotation]: 'manual' } })
}

interface Run {
  readonly name: string
  readonly at: Instant
  /** Further annotations of the Job, not of its Pods. */
  readonly marks: Readonly<Record<string, string>>
}

function manifestOf(object: SecondCronJob, spec: Spec, { name, at, marks }: Run): JobManifest {
  const { labels, annotations } = spec.jobTemplate.metadata
  const ours = { [ownerLabel]: object.name }
  const when = { [slotAnnotation]: formatTime(at) }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: object.namespace,
      labels: { ...labels, ...ours },
      annotations: { ...annotations, ...when, ...marks },
      ownerReferences: [
        { apiVersion, kind, name: object.name, uid: object.uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: { ...withLongEnoughTtl(spec.jobTemplate.spec), template: podTemplate(spec.jobTemplate.spec, ours, when) },
  }
}

/** Whether the one change that we make to a template applies to this one. */
export function isTtlRaised(spec: Spec): boolean {
  const ttl = spec.jobTemplate.spec['ttlSecondsAfterFinished']
  return typeof ttl === 'number' && ttl >= 0 && ttl < shortestTtlSeconds
}

/** Whether the Job goes by itself some time after its end. */
export function hasTtl(spec: Spec): boolean {
  return typeof spec.jobTemplate.spec['ttlSecondsAfterFinished'] === 'number'
}

function withLongEnoughTtl(jobSpec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const ttl = jobSpec['ttlSecondsAfterFinished']
  if (typeof ttl !== 'number' || ttl < 0 || ttl >= shortestTtlSeconds) return jobSpec
  return { ...jobSpec, ttlSecondsAfterFinished: shortestTtlSeconds }
}

/** A template of a wrong shape is sent as it is: the server's words about it are better than ours. */
function podTemplate(
  jobSpec: Readonly<Record<string, unknown>>,
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
): unknown {
  const template = jobSpec['template']
  if (!isRecord(template)) return template
  const { metadata } = template
  const given = isRecord(metadata) ? metadata : {}
  return {
    ...template,
    metadata: {
      ...given,
      labels: { ...asRecord(given['labels']), ...labels },
      annotations: { ...asRecord(given['annotations']), ...annotations },
    },
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
