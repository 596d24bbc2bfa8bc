import type { Api } from './api.ts'
import { asFields, conditionOf, type Fields, isTrue, type KubeObject, listOf, textAt, timestamp } from './objects.ts'
import type { Place } from './store.ts'
import { jobs, pods } from './types.ts'

/** The pause after a failed Pod; it doubles with each. */
const firstBackOffMs = 10_000
const longestBackOffMs = 600_000

interface Job extends KubeObject {
  readonly spec: Fields & {
    readonly suspend: boolean
    readonly completions: number
    readonly parallelism: number
    readonly backoffLimit: number
    readonly activeDeadlineSeconds?: number
    readonly ttlSecondsAfterFinished?: number
  }
}

interface Pods {
  readonly active: readonly Place[]
  readonly succeeded: number
  readonly failed: readonly Place[]
}

/** What is to be done about a Job now. */
interface Step {
  /** How its status is then. */
  readonly status: Fields
  /** How many Pods are made. */
  readonly made?: number
  /** The Pods that are taken away. */
  readonly taken?: readonly Place[]
  /** After which time to look again; at once the Job is deleted. */
  readonly againMs?: number
}

/** Plays the Job controller: looks at a Job a turn after it or one of its Pods has changed, and when a time of it has come. */
export function runJobs(api: Api): void {
  const { store, clock } = api
  const look = api.queue((place) => {
    const job = place.object as Job
    const { uid, deletionTimestamp } = job.metadata
    if (place.type !== jobs || deletionTimestamp !== undefined) return
    const leftMs = expiryOf(job) - clock.now()
    if (leftMs <= 0) return api.delete(place, 'Foreground')
    const own = podsOf(uid, store.dependentsOf(uid))
    const { status, made = 0, taken = [], againMs = leftMs } = stepOf(job, own, clock.now())
    for (const pod of taken) api.delete(pod)
    for (let n = 0; n < made; n += 1) store.put(pods, api.stamped(pods, podOf(job)))
    if (againMs < Infinity) api.later(againMs, () => look(uid))
    api.replace(place, { ...job, status })
  })
  store.subscribe(({ type, object: { metadata } }) => {
    if (type === jobs) look(metadata.uid)
    if (type === pods) for (const { uid } of metadata.ownerReferences ?? []) look(uid)
  })
}

function endOf(job: Job): Fields | undefined {
  return conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')
}

/** Infinity for a Job that is not at its end, or stays. */
function expiryOf(job: Job): number {
  const end = endOf(job)
  const { ttlSecondsAfterFinished = Infinity } = job.spec
  return end === undefined ? Infinity : Date.parse(textAt(end, 'lastTransitionTime')) + ttlSecondsAfterFinished * 1_000
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

/** In the status of a Job that runs nothing. */
const idle = { ready: 0, terminating: 0, uncountedTerminatedPods: {} }

const suspended: Condition = ['Suspended', 'JobSuspended', 'Job suspended', 'True']
const resumed: Condition = ['Suspended', 'JobResumed', 'Job resumed', 'False']

function stepOf(job: Job, own: Pods, now: number): Step {
  const { suspend } = job.spec
  const { active: _active, startTime, ...status } = job.status ?? {}
  if (endOf(job) !== undefined) return { status: job.status ?? {} }
  const conditions = withConditions(job, now, suspend ? suspended : resumed)
  const changed = isTrue(job, 'Suspended') === suspend ? {} : { conditions }
  if (suspend) return { status: { ...status, ...idle, ...changed }, taken: own.active }
  if (startTime !== undefined) return proceed(job, own, now)
  return { status: { ...status, ...idle, ...changed, startTime: timestamp(now) } }
}

function proceed(job: Job, own: Pods, now: number): Step {
  const { active, succeeded, failed } = own
  const { parallelism, completions } = job.spec
  const { active: _active, ...status } = job.status ?? {}
  const reason = endingOf(own, job, now)
  if (reason !== null) return { status: { ...status, ...idle, ...finalStatus(job, own, reason, now) }, taken: active }
  const most = Math.min(parallelism, completions - succeeded)
  const kept = active.slice(0, most)
  const wanted = most - kept.length
  const pauseMs = wanted === 0 || failed.length === 0 ? 0 : pauseAfter(failed, now)
  const made = pauseMs > 0 ? 0 : wanted
  const ready = kept.filter((pod) => phaseOf(pod) === 'Running').length
  const counts = positive({ active: kept.length + made, succeeded, failed: failed.length })
  const againMs = Math.min(pauseMs > 0 ? pauseMs : Infinity, leftMsOf(job, now))
  return { status: { ...status, ready, ...counts }, made, taken: active.slice(most), againMs }
}

function pauseAfter(failed: readonly Place[], now: number): number {
  const ends = failed.map(({ object: { status } }) => {
    return Date.parse(textAt(listOf(status?.['containerStatuses'])[0], 'state.terminated.finishedAt'))
  })
  return Math.max(...ends) + Math.min(firstBackOffMs * 2 ** (failed.length - 1), longestBackOffMs) - now
}

/** By its reason: the condition of an end, the one that announces it, and what they say. */
const endings = {
  CompletionsReached: ['Complete', 'SuccessCriteriaMet', 'Reached expected number of succeeded pods'],
  BackoffLimitExceeded: ['Failed', 'FailureTarget', 'Job has reached the specified backoff limit'],
  DeadlineExceeded: ['Failed', 'FailureTarget', 'Job was active longer than specified deadline'],
} as const

/** How long it may still be active. */
function leftMsOf({ spec: { activeDeadlineSeconds = Infinity }, status }: Job, now: number): number {
  return Date.parse(textAt(status, 'startTime')) + activeDeadlineSeconds * 1_000 - now
}

function endingOf({ succeeded, failed }: Pods, job: Job, now: number): keyof typeof endings | null {
  if (succeeded >= job.spec.completions) return 'CompletionsReached'
  if (failed.length > job.spec.backoffLimit) return 'BackoffLimitExceeded'
  return leftMsOf(job, now) <= 0 ? 'DeadlineExceeded' : null
}

function finalStatus(job: Job, { active, succeeded, failed }: Pods, reason: keyof typeof endings, now: number): Fields {
  const [type, announced, message] = endings[reason]
  const conditions = withConditions(job, now, [announced, reason, message, 'True'], [type, reason, message, 'True'])
  const completed = type === 'Complete' ? { completionTime: timestamp(now) } : {}
  const counts = positive({ succeeded, failed: failed.length + (type === 'Failed' ? active.length : 0) })
  return { ...counts, ...completed, conditions }
}

type Condition = readonly [type: string, reason: string, message: string, status: string]

/** Those of the Job, with these in the place of others of their types. */
function withConditions({ status }: Job, now: number, ...added: readonly Condition[]): readonly Fields[] {
  const others = listOf(status?.['conditions']).filter((other) => added.every(([type]) => type !== other['type']))
  const times = { lastProbeTime: timestamp(now), lastTransitionTime: timestamp(now) }
  return [...others, ...added.map(([type, reason, message, is]) => ({ type, status: is, ...times, reason, message }))]
}

/** Counts of zero are left out. */
function positive(counts: Readonly<Record<string, number>>): Fields {
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
