import { ApiError, type ApiErrorFacts } from '../../src/api/api-error.ts'
import type { Job } from '../../src/api/job.ts'
import { finalizer } from '../../src/api/names.ts'
import type { SecondCronJob, Spec, Status } from '../../src/api/secondcronjob.ts'
import { heldTemplate, type JobTemplate } from '../../src/api/template.ts'
import { at } from './times.ts'

export const template: JobTemplate = {
  metadata: { labels: {}, annotations: {} },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'busybox' }] } } },
}

const spec: Spec = {
  schedule: { kind: 'interval', intervalSeconds: 10, firstRun: 'AtCreation' },
  suspend: false,
  startingDeadlineSeconds: null,
  concurrencyPolicy: 'Allow',
  activeJobsLimit: 100,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 1,
  jobTemplate: heldTemplate(template),
}

/** What is held of a template with this Job spec. */
export function held(jobSpec: Readonly<Record<string, unknown>>) {
  return heldTemplate({ metadata: { labels: {}, annotations: {} }, spec: jobSpec })
}

let version = 100

/** resourceVersions rise over all objects, as they do at the API server. */
export function nextVersion(): string {
  version += 1
  return String(version)
}

/** A resource created at 12:00:00, every ten seconds, with our finalizer, accepted. */
export function aSecondCronJob(
  change: Partial<Omit<SecondCronJob, 'spec'>> = {},
  specChange: Partial<Spec> = {},
): SecondCronJob {
  const name = change.name ?? 'beat'
  return {
    uid: `uid-${name}`,
    namespace: 'default',
    name,
    resourceVersion: nextVersion(),
    generation: 1,
    createdAt: at('12:00:00'),
    deletingSince: null,
    finalizers: [finalizer],
    runNow: null,
    spec: { valid: true, ...spec, ...specChange },
    status: accepted(1),
    ...change,
  }
}

export function everySeconds(intervalSeconds: number): Partial<Spec> {
  return { schedule: { kind: 'interval', intervalSeconds, firstRun: 'AtCreation' } }
}

export function accepted(observedGeneration: number): Status {
  return {
    conditions: [
      {
        type: 'Accepted',
        status: 'True',
        reason: 'Accepted',
        message: '',
        observedGeneration,
        lastTransitionTime: '2026-01-01T12:00:00Z',
      },
    ],
  }
}

export function aJob(change: Partial<Job> = {}): Job {
  const slot = change.slot ?? at('12:00:00')
  return {
    uid: `job-${slot / 1_000}`,
    namespace: 'default',
    name: `beat-${slot / 1_000}`,
    resourceVersion: nextVersion(),
    createdAt: slot,
    deleting: false,
    ownerUid: 'uid-beat',
    slot,
    finished: null,
    ...change,
  }
}

export function anApiError(facts: Partial<ApiErrorFacts>): ApiError {
  return new ApiError({
    kind: 'Unexpected',
    code: 0,
    reason: '',
    message: facts.kind ?? 'some error',
    causes: [],
    detailsKind: '',
    retryAfterMs: null,
    ...facts,
  })
}
