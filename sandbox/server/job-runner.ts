import type { Api } from './api.ts'
import { type Ending, endings, eventOf, idle, podOf } from './job-objects.ts'
import { conditionOf, type Fields, isTrue, type KubeObject, listOf, textAt } from './objects.ts'
import type { Place } from './store.ts'
import { coreEvents, jobs, pods } from './types.ts'

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

/** Plays the Job controller: looks at a Job a turn after it or one of its Pods has changed, and when a time of it has come. */
export class JobRunner {
  readonly #api: Api
  readonly #look: (uid: string) => void

  constructor(api: Api) {
    this.#api = api
    this.#look = api.queue(({ type, object }) => {
      if (type === jobs && object.metadata.deletionTimestamp === undefined) this.#sync(object as Job)
    })
    api.store.subscribe(({ type, object: { metadata } }) => {
      if (type === jobs) this.#look(metadata.uid)
      if (type === pods) for (const { uid } of metadata.ownerReferences ?? []) this.#look(uid)
    })
  }

  #lookAgain({ metadata }: Job, ms: number): void {
    this.#api.later(ms, () => this.#look(metadata.uid))
  }

  #sync(job: Job): void {
    const end = conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')
    if (end !== undefined) this.#expire(job, Date.parse(textAt(end, 'lastTransitionTime')))
    else if (job.spec.suspend) this.#suspend(job)
    else if (job.status?.['startTime'] === undefined) this.#begin(job)
    else this.#proceed(job, this.#podsOf(job))
  }

  #expire(job: Job, endedAt: number): void {
    const left = endedAt + (job.spec.ttlSecondsAfterFinished ?? Infinity) * 1_000 - this.#api.clock.now()
    if (left <= 0) this.#api.delete({ type: jobs, object: job }, 'Foreground')
    else if (left < Infinity) this.#lookAgain(job, left)
  }

  #suspend(job: Job): void {
    this.#deletePods(job, this.#podsOf(job).active)
    if (isTrue(job, 'Suspended')) return
    const { startTime: _startTime, ...status } = withoutActive(job)
    const conditions = this.#with(job, ['Suspended', 'JobSuspended', 'Job suspended'])
    this.#write(job, { ...status, ...idle, conditions })
    this.#tell(job, 'Suspended', 'Job suspended')
  }

  #begin(job: Job): void {
    const { activeDeadlineSeconds } = job.spec
    const isResumed = isTrue(job, 'Suspended')
    const conditions = this.#with(job, ['Suspended', 'JobResumed', 'Job resumed'], 'False')
    const resumed = isResumed ? { conditions } : {}
    this.#write(job, { ...job.status, ...idle, ...resumed, startTime: this.#api.timestamp() })
    if (isResumed) this.#tell(job, 'Resumed', 'Job resumed')
    if (activeDeadlineSeconds !== undefined) this.#lookAgain(job, activeDeadlineSeconds * 1_000)
  }

  #proceed(job: Job, own: Pods): void {
    const { parallelism, completions } = job.spec
    const { active, succeeded, failed } = own
    const runMs = this.#api.clock.now() - Date.parse(textAt(job, 'status.startTime'))
    const ending = endingOf(own, job, runMs)
    if (ending !== null) return this.#end(job, own, ending)
    const wanted = Math.max(0, Math.min(parallelism, completions - succeeded) - active.length)
    const pauseMs = wanted === 0 ? 0 : this.#pauseAfter(failed)
    const made = pauseMs > 0 ? 0 : wanted
    if (pauseMs > 0) this.#lookAgain(job, pauseMs)
    for (let n = 0; n < made; n += 1) this.#createPod(job)
    const ready = active.filter((pod) => phaseOf(pod) === 'Running').length
    const counts = shown({ active: active.length + made, succeeded, failed: failed.length })
    this.#write(job, { ...withoutActive(job), ready, ...counts })
  }

  #pauseAfter(failed: readonly Place[]): number {
    if (failed.length === 0) return 0
    const ends = failed.map(({ object: { status } }) => {
      return Date.parse(textAt(listOf(status?.['containerStatuses'])[0], 'state.terminated.finishedAt'))
    })
    const pauseMs = Math.min(firstBackOffMs * 2 ** (failed.length - 1), longestBackOffMs)
    return Math.max(...ends) + pauseMs - this.#api.clock.now()
  }

  #end(job: Job, { active, succeeded, failed }: Pods, reason: Ending): void {
    const { type, announced, message, event } = endings[reason]
    this.#deletePods(job, active)
    const announcing = this.#with(job, [announced, reason, message])
    const conditions = [...announcing, ...this.#with({ ...job, status: {} }, [type, reason, message])]
    const completed = type === 'Complete' ? { completionTime: this.#api.timestamp() } : {}
    const counts = shown({ succeeded, failed: failed.length + (type === 'Failed' ? active.length : 0) })
    this.#write(job, { ...withoutActive(job), ...idle, ...counts, ...completed, conditions })
    this.#tell(job, event[0], event[1])
  }

  #deletePods(job: Job, active: readonly Place[]): void {
    for (const pod of active) {
      this.#api.delete(pod)
      this.#tell(job, 'SuccessfulDelete', `Deleted pod: ${pod.object.metadata.name}`)
    }
  }

  #createPod(job: Job): void {
    const { metadata } = this.#api.store.put(pods, this.#api.stamped(pods, podOf(job)))
    this.#tell(job, 'SuccessfulCreate', `Created pod: ${metadata.name}`)
  }

  /** By the selector that the API server has given the Job. */
  #podsOf({ metadata: { uid } }: Job): Pods {
    const own = this.#api.store.dependentsOf(uid).filter(({ type, object: { metadata } }) => {
      return type === pods && metadata.labels?.['batch.kubernetes.io/controller-uid'] === uid
    })
    const { Pending = [], Running = [], Succeeded = [], Failed = [] } = Object.groupBy(own, phaseOf)
    return { active: [...Pending, ...Running], succeeded: Succeeded.length, failed: Failed }
  }

  #with(job: KubeObject, [type, reason, message]: readonly [string, string, string], status = 'True'): Fields[] {
    const now = this.#api.timestamp()
    const others = listOf(job.status?.['conditions']).filter((condition) => condition['type'] !== type)
    return [...others, { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message }]
  }

  #write(job: Job, status: Fields): void {
    this.#api.replace({ type: jobs, object: job }, { ...job, status })
  }

  #tell(job: Job, reason: string, message: string): void {
    const event = eventOf(job, [reason, message], this.#api.timestamp())
    this.#api.store.put(coreEvents, this.#api.stamped(coreEvents, event))
  }
}

function endingOf({ succeeded, failed }: Pods, { spec }: Job, runMs: number): Ending | null {
  if (succeeded >= spec.completions) return 'CompletionsReached'
  if (failed.length > spec.backoffLimit) return 'BackoffLimitExceeded'
  return runMs >= (spec.activeDeadlineSeconds ?? Infinity) * 1_000 ? 'DeadlineExceeded' : null
}

function phaseOf({ object }: Place): string {
  return textAt(object, 'status.phase')
}

function withoutActive({ status = {} }: Job): Fields {
  const { active: _active, ...rest } = status
  return rest
}

/** Counts of zero are left out. */
function shown(counts: Readonly<Record<string, number>>): Fields {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
