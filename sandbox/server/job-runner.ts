import { type Api, type Mutations, sleepAndDo } from './mutations.ts'
import { jobEvent } from './job-event.ts'
import { asFields, type Fields, type KubeObject, randomSuffix, timestamp } from './objects.ts'
import { conditionOf } from './tables.ts'
import { coreEvents, jobs, pods } from './types.ts'

/** The first pause after a failed Pod; it doubles with each. */
const firstBackOffMs = 10_000
const longestBackOffMs = 600_000

interface Pods {
  readonly active: readonly KubeObject[]
  readonly succeeded: number
  readonly failed: readonly KubeObject[]
}

/** An end: the condition that says it, and the one that announces it. */
const ends = {
  CompletionsReached: ['Complete', 'SuccessCriteriaMet', 'Reached expected number of succeeded pods'],
  BackoffLimitExceeded: ['Failed', 'FailureTarget', 'Job has reached the specified backoff limit'],
  DeadlineExceeded: ['Failed', 'FailureTarget', 'Job was active longer than specified deadline'],
} as const

/** Plays the Job controller: looks at a Job whenever it or one of its Pods has changed, and when a time of it has come. */
export class JobRunner {
  readonly #api: Api
  readonly #mutations: Mutations
  readonly #waiting = new Set<string>()

  constructor(api: Api, mutations: Mutations) {
    this.#api = api
    this.#mutations = mutations
  }

  start(): void {
    this.#api.store.subscribe(({ collection, object: { metadata } }) => {
      if (collection === jobs.collection) this.#look(metadata.uid)
      if (collection === pods.collection) for (const { uid } of metadata.ownerReferences ?? []) this.#look(uid)
    })
  }

  #look(uid: string): void {
    if (this.#waiting.has(uid)) return
    this.#waiting.add(uid)
    setImmediate(() => {
      this.#waiting.delete(uid)
      const place = this.#api.store.byUid(uid)
      if (place?.collection === jobs.collection && place.object.metadata.deletionTimestamp === undefined)
        this.#sync(place.object)
    })
  }

  #sync(job: KubeObject): void {
    const end = conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')
    if (end !== undefined) this.#expire(job, String(end['lastTransitionTime']))
    else if (job.spec?.['suspend'] === true) this.#suspend(job)
    else if (job.status?.['startTime'] === undefined) this.#begin(job)
    else this.#proceed(job, this.#podsOf(job))
  }

  #expire(job: KubeObject, endedAt: string): void {
    const ttl = job.spec?.['ttlSecondsAfterFinished']
    if (typeof ttl !== 'number') return
    const left = Date.parse(endedAt) + ttl * 1_000 - this.#api.clock.now()
    if (left <= 0) this.#mutations.delete(jobs, job, 'Foreground')
    else this.#lookAgain(job, left)
  }

  #suspend(job: KubeObject): void {
    for (const pod of this.#podsOf(job).active) this.#mutations.delete(pods, pod, 'Background')
    if (conditionOf(job, 'Suspended')?.['status'] === 'True') return
    const { startTime: _startTime, ...status } = job.status ?? {}
    this.#write(job, {
      ...status,
      ...idle,
      conditions: this.#with(job, ['Suspended', 'JobSuspended', 'Job suspended']),
    })
    this.#event(job, 'Suspended', 'Job suspended')
  }

  #begin(job: KubeObject): void {
    const isResumed = conditionOf(job, 'Suspended') !== undefined
    const resumed = { conditions: this.#with(job, ['Suspended', 'JobResumed', 'Job resumed'], 'False') }
    this.#write(job, {
      ...job.status,
      ...idle,
      startTime: timestamp(this.#api.clock.now()),
      ...(isResumed ? resumed : {}),
    })
    if (isResumed) this.#event(job, 'Resumed', 'Job resumed')
  }

  #proceed(job: KubeObject, { active, succeeded, failed }: Pods): void {
    const { completions, backoffLimit, parallelism, activeDeadlineSeconds } = asFields(job.spec) as Record<
      string,
      number
    >
    const deadline = Date.parse(String(job.status?.['startTime'])) + (activeDeadlineSeconds ?? Infinity) * 1_000
    const counts = { succeeded, failed: failed.length }
    if (succeeded >= (completions ?? 1)) return this.#end(job, 'CompletionsReached', counts, active)
    if (failed.length > (backoffLimit ?? 6)) return this.#end(job, 'BackoffLimitExceeded', counts, active)
    if (this.#api.clock.now() >= deadline) return this.#end(job, 'DeadlineExceeded', counts, active)
    if (Number.isFinite(deadline) && active.length === 0) this.#lookAgain(job, deadline - this.#api.clock.now())
    const pause = this.#backOff(failed)
    const wanted = Math.min(parallelism ?? 1, (completions ?? 1) - succeeded) - active.length
    if (wanted > 0 && pause > 0) this.#lookAgain(job, pause)
    const made = pause > 0 ? 0 : Math.max(0, wanted)
    for (let n = 0; n < made; n += 1) this.#createPod(job)
    const ready = active.filter(({ status }) => status?.['phase'] === 'Running').length
    this.#write(job, { ...job.status, ...shown({ ...counts, active: active.length + made }), ready })
  }

  #backOff(failed: readonly KubeObject[]): number {
    if (failed.length === 0) return 0
    const ends = failed.map(({ status }) => {
      const [container] = (status?.['containerStatuses'] ?? []) as {
        readonly state?: { readonly terminated?: { readonly finishedAt?: string } }
      }[]
      return Date.parse(container?.state?.terminated?.finishedAt ?? '')
    })
    const pause = Math.min(firstBackOffMs * 2 ** (failed.length - 1), longestBackOffMs)
    return Math.max(...ends) + pause - this.#api.clock.now()
  }

  #end(job: KubeObject, reason: keyof typeof ends, counts: Fields, active: readonly KubeObject[]): void {
    const [type, announced, message] = ends[reason]
    for (const pod of active) this.#mutations.delete(pods, pod, 'Background')
    const conditions = [...this.#with(job, [announced, reason, message]), this.#condition([type, reason, message])]
    const completed = type === 'Complete' ? { completionTime: timestamp(this.#api.clock.now()) } : {}
    const { active: _active, ...status } = job.status ?? {}
    const failed = Number(counts['failed']) + (type === 'Failed' ? active.length : 0)
    this.#write(job, { ...status, ...idle, ...shown({ ...counts, failed }), ...completed, conditions })
    this.#event(job, type === 'Complete' ? 'Completed' : reason, type === 'Complete' ? 'Job completed' : message)
  }

  #createPod(job: KubeObject): void {
    const { name, namespace, uid } = job.metadata
    const template = asFields(job.spec?.['template'])
    const ownerReferences = [
      { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true },
    ]
    const metadata = {
      ...asFields(template['metadata']),
      name: `${name}-${randomSuffix()}`,
      namespace,
      generateName: `${name}-`,
      ownerReferences,
    }
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: template['spec'],
      status: { phase: 'Pending' },
    } as unknown as KubeObject
    this.#mutations.create(pods, this.#mutations.stamped(pods, pod))
    this.#event(job, 'SuccessfulCreate', `Created pod: ${metadata.name}`)
  }

  #podsOf({ metadata }: KubeObject): Pods {
    const own = this.#api.store
      .dependentsOf(metadata.uid)
      .flatMap(({ collection, object }) => (collection === pods.collection ? [object] : []))
    const inPhase = (...phases: string[]) => own.filter(({ status }) => phases.includes(String(status?.['phase'])))
    return { active: inPhase('Pending', 'Running'), succeeded: inPhase('Succeeded').length, failed: inPhase('Failed') }
  }

  #with(job: KubeObject, [type, reason, message]: readonly [string, string, string], status = 'True'): Fields[] {
    const others = ((job.status?.['conditions'] ?? []) as Fields[]).filter((condition) => condition['type'] !== type)
    return [...others, this.#condition([type, reason, message], status)]
  }

  #condition([type, reason, message]: readonly [string, string, string], status = 'True'): Fields {
    const now = timestamp(this.#api.clock.now())
    return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message }
  }

  #write(job: KubeObject, status: Fields): void {
    this.#mutations.replace(jobs, job, { ...job, status })
  }

  #event(job: KubeObject, reason: string, message: string): void {
    this.#mutations.create(
      coreEvents,
      this.#mutations.stamped(coreEvents, jobEvent(job, reason, message, this.#api.clock.now())),
    )
  }

  #lookAgain({ metadata }: KubeObject, ms: number): void {
    sleepAndDo(this.#api, ms, () => this.#look(metadata.uid))
  }
}

const idle = { ready: 0, terminating: 0, uncountedTerminatedPods: {} }

/** Counts of zero are left out. */
function shown(counts: Fields): Fields {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
}
