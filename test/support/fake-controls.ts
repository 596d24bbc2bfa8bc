import type { ApiError } from '../../src/api/api-error.ts'
import type { Job } from '../../src/api/job.ts'
import { finalizer } from '../../src/api/names.ts'
import type { SecondCronJob, Status } from '../../src/api/secondcronjob.ts'
import type { JobTemplate } from '../../src/api/template.ts'
import { aborted, type Clock } from '../../src/clock.ts'
import type {
  Created,
  CreateOptions,
  EventRecorder,
  JobControl,
  JobManifest,
  LaunchResult,
  SecondCronJobControl,
  Tally,
  UserEvent,
  WithTemplate,
} from '../../src/controller/ports.ts'
import { aJob, anApiError, nextVersion, template } from './builders.ts'

/** What a fake does with the next calls: an error rejects, a promise is waited for, `undefined` lets the call through. */
type Reaction = ApiError | Promise<unknown> | undefined

/** A JobControl that keeps its Jobs in memory, and a log of all calls with the time they were made at. */
export class FakeJobControl implements JobControl {
  readonly jobs = new Map<string, Job>()
  readonly log: string[] = []
  /** Asked at each create; by default everything succeeds. */
  onCreate: (manifest: JobManifest, options: CreateOptions) => Reaction = () => undefined
  onGet: () => Reaction = () => undefined
  onDelete: (job: Job) => Reaction = () => undefined
  onList: () => Reaction = () => undefined
  warnings: readonly string[] = []
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The calls since the last time this was asked. */
  calls(): string[] {
    return this.log.splice(0)
  }

  async create(_namespace: string, manifest: JobManifest, options: CreateOptions): Promise<Created> {
    const { name } = manifest.metadata
    this.#note(options.dryRun === true ? `try ${name}` : `create ${name}`)
    await react(this.onCreate(manifest, options))
    if (this.jobs.has(name)) throw anApiError({ kind: 'AlreadyExists', code: 409 })
    if (options.dryRun === true) return { job: null, warnings: this.warnings }
    const job = jobOf(manifest)
    this.jobs.set(name, job)
    return { job, warnings: this.warnings }
  }

  /** A create whose answer is lost has made its Job. */
  arrives(manifest: JobManifest): void {
    this.jobs.set(manifest.metadata.name, jobOf(manifest))
  }

  async get(_namespace: string, name: string): Promise<Job | null> {
    this.#note(`get ${name}`)
    await react(this.onGet())
    return this.jobs.get(name) ?? null
  }

  async list(): Promise<readonly Job[]> {
    this.#note('list')
    await react(this.onList())
    return [...this.jobs.values()]
  }

  async delete(job: Job): Promise<void> {
    this.#note(`delete ${job.name}`)
    await react(this.onDelete(job))
    this.jobs.delete(job.name)
  }

  #note(what: string): void {
    this.log.push(`${new Date(this.#clock.now()).toISOString().slice(14, 23)} ${what}`)
  }
}

/** A SecondCronJobControl over one map of objects, which behaves as the API server does with our patches. */
export class FakeSecondCronJobControl implements SecondCronJobControl {
  readonly objects = new Map<string, SecondCronJob>()
  readonly log: string[] = []
  onWrite: (object: SecondCronJob) => Reaction = () => undefined
  onGetWithTemplate: () => Reaction = () => undefined
  /** Of every object. */
  template: JobTemplate = template

  async get(_namespace: string, name: string): Promise<SecondCronJob | null> {
    return this.objects.get(name) ?? null
  }

  async getWithTemplate(_namespace: string, name: string, signal: AbortSignal): Promise<WithTemplate | null> {
    this.log.push(`get ${name} with its template`)
    await Promise.race([react(this.onGetWithTemplate()), aborted(signal)])
    if (signal.aborted) throw anApiError({ kind: 'Unanswered' })
    const object = this.objects.get(name)
    return object === undefined ? null : { object, template: this.template }
  }

  async addFinalizer(object: SecondCronJob): Promise<SecondCronJob> {
    this.log.push(`add finalizer ${object.name}`)
    await react(this.onWrite(object))
    return this.#change(object, { finalizers: [...object.finalizers, finalizer] })
  }

  async removeFinalizer(object: SecondCronJob): Promise<SecondCronJob | null> {
    this.log.push(`remove finalizer ${object.name}`)
    await react(this.onWrite(object))
    this.objects.delete(object.name)
    return null
  }

  async patchStatus(object: SecondCronJob, status: Status): Promise<SecondCronJob> {
    this.log.push(`status ${object.name}`)
    await react(this.onWrite(object))
    return this.#change(object, { status })
  }

  #change(object: SecondCronJob, change: Partial<SecondCronJob>): SecondCronJob {
    const after = { ...object, ...change, resourceVersion: nextVersion() }
    this.objects.set(object.name, after)
    return after
  }
}

export class FakeEventRecorder implements EventRecorder {
  readonly events: string[] = []

  record(object: SecondCronJob, { type, reason, note }: UserEvent): void {
    this.events.push(`${object.name} ${type} ${reason}: ${note}`)
  }
}

/** What was counted, as lines. */
export class FakeTally implements Tally {
  readonly counted: string[] = []

  wrote(latenessMs: number): void {
    this.counted.push(`wrote ${latenessMs}`)
  }

  answered(result: LaunchResult): void {
    this.counted.push(result)
  }

  skipped(reason: string): void {
    this.counted.push(`skipped ${reason}`)
  }

  missed(reason: string, count: number): void {
    this.counted.push(`missed ${count} ${reason}`)
  }
}

async function react(reaction: Reaction): Promise<void> {
  if (reaction instanceof Promise) await reaction
  else if (reaction !== undefined) throw reaction
}

function jobOf(manifest: JobManifest): Job {
  const { name, namespace } = manifest.metadata
  const owners = manifest.metadata['ownerReferences'] as readonly { uid: string }[]
  const slot = Number(name.split('-').at(-1)) * 1_000
  const when = Number.isNaN(slot) ? { slot: null } : { slot, createdAt: slot }
  return aJob({ uid: `job-${name}`, name, namespace, ...when, ownerUid: owners[0]?.uid ?? null })
}
