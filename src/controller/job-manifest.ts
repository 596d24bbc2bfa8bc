import { asRecord, isRecord } from '../api/fields.ts'
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
import type { JobTemplate } from '../api/template.ts'
import { formatTime } from '../api/time.ts'
import type { Instant } from '../schedule/state.ts'
import { askOf } from './manual-ask.ts'
import type { JobManifest } from './ports.ts'

/** A shorter life would let the Job, the lock of its slot, vanish before the slot is stored. */
export const shortestTtlSeconds = 30

/** The Job of one slot: the template as it stands, plus what makes it ours. */
export function jobManifest(object: SecondCronJob, template: JobTemplate, slot: Instant): JobManifest {
  const marks = { [cronJobTimestampAnnotation]: formatTime(slot) }
  return manifestOf(object, template, { name: jobName(object.name, slot), at: slot, marks })
}

/** Such a Job under a name that no slot has, for a dry run. */
export function trialManifest(object: SecondCronJob, template: JobTemplate): JobManifest {
  const marks = { [cronJobTimestampAnnotation]: formatTime(0) }
  return manifestOf(object, template, { name: `${object.name}-0000000000`, at: 0, marks })
}

/** The extra Job that a run-now token asks for, asked for at `now`. */
export function manualJobManifest(object: SecondCronJob, template: JobTemplate, now: Instant): JobManifest {
  const name = manualJobName(object.name, askOf(object))
  return manifestOf(object, template, { name, at: now, marks: { [instantiateAnnotation]: 'manual' } })
}

interface Run {
  readonly name: string
  readonly at: Instant
  /** Further annotations of the Job, not of its Pods. */
  readonly marks: Readonly<Record<string, string>>
}

function manifestOf(object: SecondCronJob, template: JobTemplate, { name, at, marks }: Run): JobManifest {
  const { labels, annotations } = template.metadata
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
    spec: { ...withLongEnoughTtl(template.spec), template: podTemplate(template.spec, ours, when) },
  }
}

/** Whether the one change that we make to a template applies to this one. */
export function isTtlRaised(spec: Spec): boolean {
  const ttl = spec.jobTemplate.ttlSecondsAfterFinished
  return ttl !== null && ttl >= 0 && ttl < shortestTtlSeconds
}

/** Whether the Job goes by itself some time after its end. */
export function hasTtl(spec: Spec): boolean {
  return spec.jobTemplate.ttlSecondsAfterFinished !== null
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
