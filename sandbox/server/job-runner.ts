import type { Api } from './api.ts'
import { type Ending, endings, eventOf, idle, podOf } from './job-objects.ts'
import { asFields, type Fields, type KubeObject, listOf, textAt, timestamp } from './objects.ts'
import type { Place } from './store.ts'
import { conditionOf, isTrue } from './tables.ts'
import { coreEvents, jobs, pods } from './types.ts'

/** The pause after a failed Pod; it doubles with each. */
const firstBackOffMs = 10_000
const longestBackOffMs = 600_000

interface Pods {
  readonly active: readonly KubeObject[]
  readonly succeeded: number
  readonly failed: readonly KubeObject[]
}

/** Plays the Job controller: looks at a Job a turn after it or one of its Pods has changed, and when a time of it has come. */
export class JobRunner {
  readonly #api: Api
  readonly #waiting = new Set<string>()

  constructor(api: Api) {
    this.#api = api
    api.store.subscribe(({ collection, object: { metadata } }) => {
      if (collection === jobs.collection) this.#look(metadata.uid)
      if (collection === pods.collection) for (const { uid } of metadata.ownerReferences ?? []) this.#look(uid)
    })
  }

  #look(uid: string): void {
    if (this.#waiting.has(uid)) return
    this.#waiting.add(uid)
    setImmediate(() => {
      this.#waiting.delete(uid)
      const { collection, object } = this.#api.store.byUid(uid) ?? {}
      if (collection === jobs.collection && object?.metadata.deletionTimestamp === undefined && object !== undefined)
        this.#sync(object)
    })
  }

  #lookAgain({ metadata }: KubeObject, ms: number): void {
    this.#api.later(ms, () => this.#look(metadata.uid))
  }

  #sync(job: KubeObject): void {
    const end = conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')
    if (end !== undefined) this.#expire(job, Date.parse(textAt(end, 'lastTransitionTime')))
    else if (job.spec?.['suspend'] === true) this.#suspend(job)
    else if (job.status?.['startTime'] === undefined) this.#begin(job)
    else this.#proceed(job, this.#podsOf(job), job.spec as unknown as JobSpec)
  }

  #expire(job: KubeObject, endedAt: number): void {
    const ttl = job.spec?.['ttlSecondsAfterFinished']
    if (typeof ttl !== 'number') return
    const left = endedAt + ttl * 1_000 - this.#api.clock.now()
    if (left <= 0) this.#api.delete(jobs, job, 'Foreground')
    else this.#lookAgain(job, left)
  }

  #suspend(job: KubeObject): void {
    this.#deletePods(job, this.#podsOf(job).active)
    if (isTrue(job, 'Suspended')) return
    const { startTime: _startTime, ...status } = withoutActive(job)
    this.#write(job, {
      ...status,
      ...idle,
      conditions: this.#with(job, ['Suspended', 'JobSuspended', 'Job suspended']),
    })
    this.#event(job, 'Suspended', 'Job suspended')
  }

  #begin(job: KubeObject): void {
    const { activeDeadlineSeconds } = asFields(job.spec)
    const isResumed = isTrue(job, 'Suspended')
    const resumed = isResumed
      ? { conditions: this.#with(job, ['Suspended', 'JobResumed', 'Job resumed'], 'False') }
      : {}
    this.#write(job, { ...job.status, ...idle, ...resumed, startTime: timestamp(this.#api.clock.now()) })
    if (isResumed) this.#event(job, 'Resumed', 'Job resumed')
    if (typeof activeDeadlineSeconds === 'number') this.#lookAgain(job, activeDeadlineSeconds * 1_000)
  }

  #proceed(job: KubeObject, own: Pods, spec: JobSpec): void {
    const runMs = this.#api.clock.now() - Date.parse(textAt(job, 'status.startTime'))
    const ending = endingOf(own, spec, runMs)
    if (ending !== null) return this.#end(job, own, ending)
    const { active, succeeded, failed } = own
    const wanted = Math.max(0, Math.min(spec.parallelism, spec.completions - succeeded) - active.length)
    const pauseMs = wanted === 0 ? 0 : this.#pauseAfter(failed)
    const made = pauseMs > 0 ? 0 : wanted
    if (pauseMs > 0) this.#lookAgain(job, pauseMs)
    for (let n = 0; n < made; n += 1) this.#createPod(job)
    const ready = active.filter((pod) => textAt(pod, 'status.phase') === 'Running').length
    const counts = shown({ active: active.length + made, succeeded, failed: failed.length })
    this.#write(job, { ...withoutActive(job), ready, ...counts })
  }

  #pauseAfter(failed: readonly KubeObject[]): number {
    const ends = failed.map((pod) =>
      textAt(listOf(pod.status?.['containerStatuses'])[0], 'state.terminated.finishedAt'),
    )
    const pause = Math.min(firstBackOffMs * 2 ** (failed.length - 1), longestBackOffMs)
    return failed.length === 0 ? 0 : Math.max(...ends.map((end) => Date.parse(end))) + pause - this.#api.clock.now()
  }

  #end(job: KubeObject, { active, succeeded, failed }: Pods, reason: Ending): void {
    const { type, announced, message, event } = endings[reason]
    this.#deletePods(job, active)
    const announcing = this.#with(job, [announced, reason, message])
    const conditions = [...announcing, ...this.#with({ ...job, status: {} }, [type, reason, message])]
    const completed = type === 'Complete' ? { completionTime: timestamp(this.#api.clock.now()) } : {}
    const counts = shown({ succeeded, failed: failed.length + (type === 'Failed' ? active.length : 0) })
    this.#write(job, { ...withoutActive(job), ...idle, ...counts, ...completed, conditions })
    this.#event(job, event[0], event[1])
  }

  #deletePods(job: KubeObject, active: readonly KubeObject[]): void {
    for (const pod of active) {
      this.#api.delete(pods, pod, 'Background')
      this.#event(job, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
    }
  }

  #createPod(job: KubeObject): void {
    const { metadata } = this.#api.create(pods, this.#api.stamped(pods, podOf(job)))
    this.#event(job, 'SuccessfulCreate', `Created pod: ${metadata.name}`)
  }

  #podsOf({ metadata }: KubeObject): Pods {
    const own = this.#api.store.dependentsOf(metadata.uid).filter((place) => isSelectedBy(metadata, place))
    const byPhase = Map.groupBy(own, ({ object }) => textAt(object, 'status.phase'))
    const inPhase = (phase: string) => (byPhase.get(phase) ?? []).map(({ object }) => object)
    return {
      active: [...inPhase('Pending'), ...inPhase('Running')],
      succeeded: inPhase('Succeeded').length,
      failed: inPhase('Failed'),
    }
  }

  #with(job: KubeObject, [type, reason, message]: readonly [string, string, string], status = 'True'): Fields[] {
    const now = timestamp(this.#api.clock.now())
    const others = listOf(job.status?.['conditions']).filter((condition) => condition['type'] !== type)
    return [...others, { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message }]
  }

  #write(job: KubeObject, status: Fields): void {
    this.#api.replace(jobs, job, { ...job, status })
  }

  #event(job: KubeObject, reason: string, message: string): void {
    const event = eventOf(job, [reason, message], timestamp(this.#api.clock.now()))
    this.#api.create(coreEvents, this.#api.stamped(coreEvents, event))
  }
}

interface JobSpec {
  readonly completions: number
  readonly parallelism: number
  readonly backoffLimit: number
  readonly activeDeadlineSeconds?: number
}

function endingOf({ succeeded, failed }: Pods, spec: JobSpec, runMs: number): Ending | null {
  if (succeeded >= spec.completions) return 'CompletionsReached'
  if (failed.length > spec.backoffLimit) return 'BackoffLimitExceeded'
  return runMs >= (spec.activeDeadlineSeconds ?? Infinity) * 1_000 ? 'DeadlineExceeded' : null
}

/** By the selector that the API server has given the Job. */
function isSelectedBy({ uid }: KubeObject['metadata'], { collection, object }: Place): boolean {
  return collection === pods.collection && object.metadata.labels?.['batch.kubernetes.io/controller-uid'] === uid
}

function withoutActive({ status = {} }: KubeObject): Fields {
  const { active: _active, ...rest } = status
  return rest
}

/** Counts of zero are left out. */
function shown(counts: Readonly<Record<string, number>>): Fields {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
