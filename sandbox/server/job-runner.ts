import type { V1JobSpec } from '@kubernetes/client-node'
import type { Api } from './api.ts'
import { asFields, conditionOf, type Fields, type KubeObject, listOf, textAt, timestamp } from './objects.ts'
import type { Place } from './store.ts'
import { jobs, pods } from './types.ts'

/** The pause after a failed Pod; it doubles with each. */
const firstBackOffMs = 10_000
const longestBackOffMs = 600_000

/** As it is stored, with its defaults. */
type JobSpec = Required<Pick<V1JobSpec, 'suspend' | 'completions' | 'parallelism' | 'backoffLimit'>> & V1JobSpec
type Job = KubeObject & { readonly spec: JobSpec }

interface Pods {
  readonly active: readonly Place[]
  readonly succeeded: number
  readonly failed: readonly Place[]
}

/** Plays the Job controller: looks at a Job a turn after it or one of its Pods has changed, and when a time of it has come. */
export function runJobs(api: Api): void {
  const look = api.queue((place) => {
    const { uid, deletionTimestamp } = place.object.metadata
    if (place.type !== jobs || deletionTimestamp !== undefined) return
    const againMs = proceed(api, place)
    if (againMs < Infinity) api.later(againMs, () => look(uid))
  })
  api.store.subscribe(({ type, object: { metadata } }) => {
    if (type === jobs) look(metadata.uid)
    if (type === pods) for (const { uid } of metadata.ownerReferences ?? []) look(uid)
  })
}

/** Does what is to be done about a Job now; answers after which time to look again. */
function proceed(api: Api, place: Place): number {
  const job = place.object as Job
  const now = api.clock.now()
  const end = conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')
  if (end === undefined) return run(api, place, now)
  const { ttlSecondsAfterFinished = Infinity } = job.spec
  const leftMs = since(end) + ttlSecondsAfterFinished * 1_000 - now
  if (leftMs > 0) return leftMs
  api.delete(place, 'Foreground')
  return Infinity
}

/** Makes Pods or takes them away, and notes how it stands then; a suspended Job runs none, and its time begins anew. */
function run(api: Api, place: Place, now: number): number {
  const job = place.object as Job
  const { suspend, activeDeadlineSeconds = Infinity } = job.spec
  const { startTime = timestamp(now) } = asFields(job.status)
  const leftMs = suspend ? Infinity : Date.parse(String(startTime)) + activeDeadlineSeconds * 1_000 - now
  const own = podsOf(job.metadata.uid, api.store.dependentsOf(job.metadata.uid))
  const [most, added] = goalOf(job, own, leftMs)
  const kept = own.active.slice(0, most)
  const pauseMs = pauseAfter(own.failed, now)
  const made = pauseMs > 0 ? 0 : most - kept.length
  for (const pod of own.active.slice(most)) api.delete(pod)
  for (let n = 0; n < made; n += 1) api.store.put(pods, api.stamped(pods, podOf(job)))
  const isAt = (end: string) => added.some(([type]) => type === end)
  const counts = countsOf(own, kept.length + made, isAt('Failed'))
  const ready = kept.filter((pod) => phaseOf(pod) === 'Running').length
  const times = { ...(suspend ? {} : { startTime }), ...(isAt('Complete') ? { completionTime: timestamp(now) } : {}) }
  const status = { ready, terminating: 0, uncountedTerminatedPods: {}, ...counts, ...times }
  api.replace(place, { ...job, status: { ...status, ...withConditions(job, now, added) } })
  return pauseMs > 0 ? Math.min(leftMs, pauseMs) : leftMs
}

/** When a condition became what it is. */
function since(condition: Fields | undefined): number {
  return Date.parse(textAt(condition, 'lastTransitionTime'))
}

/** By the selector that the API server has given the Job. */
function podsOf(job: string, dependents: readonly Place[]): Pods {
  const own = dependents.filter(({ type, object: { metadata } }) => {
    return type === pods && metadata.labels?.['batch.kubernetes.io/controller-uid'] === job
  })
  const { Pending = [], Running = [], Succeeded = [], Failed = [] } = Object.groupBy(own, phaseOf)
  return { active: [...Pending, ...Running], succeeded: Succeeded.length, failed: Failed }
}

function phaseOf({ object }: Place): string {
  return textAt(object, 'status.phase')
}

type Condition = readonly [type: string, reason: string, message: string, status?: string]

const suspended: Condition = ['Suspended', 'JobSuspended', 'Job suspended']
const resumed: Condition = ['Suspended', 'JobResumed', 'Job resumed', 'False']

/** Below zero when none has failed. */
function pauseAfter(failed: readonly Place[], now: number): number {
  const ends = failed.map(({ object }) => since(conditionOf(object, 'Ready')))
  return Math.max(...ends) + Math.min(firstBackOffMs * 2 ** (failed.length - 1), longestBackOffMs) - now
}

/** How many Pods are to be active, and the conditions that come with that. */
function goalOf(
  { spec, status }: Job,
  own: Pods,
  leftMs: number,
): readonly [most: number, added: readonly Condition[]] {
  const { suspend, completions, parallelism, backoffLimit } = spec
  if (suspend) return [0, [suspended]]
  if (own.succeeded >= completions) return [0, ended('Complete', 'CompletionsReached')]
  if (own.failed.length > backoffLimit) return [0, ended('Failed', 'BackoffLimitExceeded')]
  if (leftMs <= 0) return [0, ended('Failed', 'DeadlineExceeded')]
  return [Math.min(parallelism, completions - own.succeeded), status?.['conditions'] === undefined ? [] : [resumed]]
}

const messages = {
  CompletionsReached: 'Reached expected number of succeeded pods',
  BackoffLimitExceeded: 'Job has reached the specified backoff limit',
  DeadlineExceeded: 'Job was active longer than specified deadline',
}

/** The condition of an end, after the one that announces it. */
function ended(type: 'Complete' | 'Failed', reason: keyof typeof messages): readonly Condition[] {
  const announced = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  return [announced, type].map((each) => [each, reason, messages[reason]])
}

/** Those of the Job, with these in the place of others of their types; one that is there already stays. */
function withConditions(job: Job, now: number, wanted: readonly Condition[]): Fields {
  const added = wanted.filter(([type, , , is = 'True']) => textAt(conditionOf(job, type), 'status') !== is)
  const others = listOf(job.status?.['conditions']).filter((other) => added.every(([type]) => type !== other['type']))
  const times = { lastProbeTime: timestamp(now), lastTransitionTime: timestamp(now) }
  const made = added.map(([type, reason, message, is = 'True']) => ({ type, status: is, ...times, reason, message }))
  return others.length + made.length === 0 ? {} : { conditions: [...others, ...made] }
}

/** Counts of zero are left out. What is active when a Job fails has failed. */
function countsOf({ active: before, succeeded, failed }: Pods, active: number, isFailed: boolean): Fields {
  const counts = { active, succeeded, failed: failed.length + (isFailed ? before.length : 0) }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

function podOf({ metadata: { name, namespace, uid }, spec }: Job): KubeObject {
  const template = asFields(spec['template'])
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true }
  const own = { generateName: `${name}-`, namespace, ownerReferences: [owner] }
  const metadata = { ...asFields(template['metadata']), ...own }
  const pod: Fields = { apiVersion: 'v1', kind: 'Pod', metadata, spec: template['spec'], status: { phase: 'Pending' } }
  return pod as unknown as KubeObject
}
