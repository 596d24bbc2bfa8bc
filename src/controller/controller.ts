import type { Logger } from 'pino'
import { isActive, type Job, jobName } from '../api/job.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { Clock } from '../clock.ts'
import type { Instant } from '../schedule/state.ts'
import type { Store } from '../store.ts'
import { Acceptance } from './acceptance.ts'
import { Finalizer } from './finalizer.ts'
import { inPieces } from './in-pieces.ts'
import type { JobKey } from './job-of-name.ts'
import { Launcher } from './launcher.ts'
import { Manifests } from './manifests.ts'
import type { EventRecorder, JobControl, SecondCronJobControl, Tally } from './ports.ts'
import { ManualRuns } from './manual-runs.ts'
import { Reconciler } from './reconciler.ts'
import { Scheduler } from './scheduler.ts'
import { StatusWriter } from './status-writer.ts'
import { storedFirst } from './stored-first.ts'
import { Stores } from './stores.ts'

export interface ControllerParts {
  readonly clock: Clock
  readonly log: Logger
  readonly jobControl: JobControl
  readonly objectControl: SecondCronJobControl
  readonly events: EventRecorder
  readonly connections: number
  readonly createTimeoutMs: number
  /** For so long from now nobody else leads. */
  readonly leaseLeftMs: () => number
  /** The number of this leadership, as it is written on each Job. */
  readonly transitions: () => number
  readonly stores?: Stores
  readonly tally: Tally
}

const graceMs = 1_000

/**
 * The way of the data, put together: stores → scheduler → launcher → API server, and stores → reconciler → API server.
 * Knows neither the client nor the process; tests drive it with fakes of the ports. One for each term of leadership: it
 * begins with nothing but what the stores say.
 */
export class Controller {
  readonly scheduler: Scheduler
  readonly reconciler: Reconciler
  readonly launcher: Launcher
  readonly #stores: Stores
  readonly #manifests: Manifests
  readonly #acceptance: Acceptance
  readonly #manualRuns: ManualRuns
  readonly #clock: Clock
  /** Nothing is decided or done on half a list. */
  #started = false
  #beginning: Promise<void> = Promise.resolve()
  readonly #stopped = new AbortController()

  constructor(parts: ControllerParts) {
    const { clock, jobControl } = parts
    this.#clock = clock
    this.#stores = parts.stores ?? new Stores()
    this.#manifests = new Manifests({ ...parts, control: parts.objectControl, store: this.objects })
    const tries = { ...parts, jobs: jobControl, manifests: this.#manifests }
    this.#acceptance = new Acceptance({
      ...tries,
      changed: (uid) => this.#accepted(uid),
      answered: (uid, isSoon) => this.launcher.tried(uid, isSoon),
    })
    const owned = (uid: string) => this.#stores.owned.of(uid)
    const proofs = { clock, owned, stored: (uid: string) => this.objects.get(uid) }
    this.#manualRuns = new ManualRuns({
      ...tries,
      ...proofs,
      verdict: (object) => this.#acceptance.verdict(object),
      seen: (job) => this.jobs.put(job),
      enter: (turn) => this.launcher.enter(turn),
      changed: (uid) => this.#touch(uid),
    })
    this.scheduler = new Scheduler({
      objects: this.objects,
      jobSlots: (uid) => this.#stores.owned.slots(uid),
      verdict: (object) => this.#acceptance.verdict(object),
      active: (uid) => owned(uid).filter(isActive),
      activity: (uid, besides) => this.#stores.owned.activity(uid, this.launcher.unsettled(uid), besides),
      manifest: (object, slot) => storedFirst(proofs, object.uid, () => this.#manifests.ofSlot(object, slot)),
      dispatch: (uid, slot) => this.launcher.launch(uid, slot),
      touched: (uid) => this.#touch(uid),
      events: parts.events,
      tally: parts.tally,
    })
    this.launcher = this.#makeLauncher(parts)
    this.reconciler = this.#makeReconciler(parts)
    this.#stores.listen({
      objectChanged: (before, after) => this.#objectChanged(before, after),
      jobChanged: (before, after) => this.#jobChanged(before, after),
    })
  }

  get objects(): Store<SecondCronJob> {
    return this.#stores.objects
  }

  get jobs(): Store<Job> {
    return this.#stores.jobs
  }

  /** Both stores are complete. The first resources are decided in this very turn, all others in turns that are short. */
  start(): void {
    this.#started = true
    this.scheduler.start()
    const look = (object: SecondCronJob) => this.#objectChanged(undefined, object)
    this.#beginning = inPieces(this.#clock, this.objects.values(), look, this.#stopped.signal)
  }

  /** No further decision; what is on its way gets a moment. Bounded, whatever the API server does. */
  async stop(): Promise<void> {
    this.scheduler.stop()
    this.#stopped.abort()
    this.#stores.listen(null)
    const done = new AbortController()
    const settled = Promise.all([this.reconciler, this.#acceptance, this.#manifests].map((part) => part.stop())).then(
      () => done.abort(),
    )
    const bounded = Promise.race([settled, this.#clock.sleep(graceMs, done.signal)])
    await Promise.all([this.launcher.stop(graceMs), bounded, this.#beginning])
  }

  #makeLauncher(parts: ControllerParts): Launcher {
    return new Launcher({
      ...parts,
      jobs: parts.jobControl,
      prepare: (uid, slot, now) => this.scheduler.prepare(uid, slot, now),
      leftMs: (uid, slot, now) => this.scheduler.leftMs(uid, slot, now),
      nextSlot: (uid, slot) => this.scheduler.nextSlot(uid, slot),
      settle: (uid, slot, outcome, now) => this.scheduler.settle(uid, slot, outcome, now),
      jobOf: (uid, slot) => this.#jobOf(uid, slot),
      seen: (job) => this.jobs.put(job),
      buryJob: (uid) => this.jobs.bury(uid),
    })
  }

  #makeReconciler({ jobControl: jobs, objectControl: objects, ...parts }: ControllerParts): Reconciler {
    return new Reconciler({
      ...parts,
      jobs,
      objects,
      stored: (uid) => this.objects.get(uid),
      owned: (uid) => this.#stores.owned.of(uid),
      acceptance: this.#acceptance,
      manualRuns: this.#manualRuns,
      finalizer: new Finalizer({
        ...parts,
        jobs,
        objects,
        isIdle: (uid) => this.launcher.isIdle(uid) && this.#manualRuns.isIdle(uid),
      }),
      status: new StatusWriter({
        ...parts,
        objects,
        acceptance: this.#acceptance,
        track: (uid) => this.scheduler.track(uid),
        jobs: (uid) => this.#stores.owned.of(uid),
        manualRuns: (object) => this.#manualRuns.served(object),
        backlog: () => this.launcher.backlog,
      }),
      put: (object) => this.objects.put(object),
      bury: (uid) => this.objects.bury(uid),
      buryJob: (uid) => this.jobs.bury(uid),
    })
  }

  #jobOf(uid: string, slot: Instant): JobKey | null {
    const object = this.objects.get(uid)
    return object === undefined ? null : { namespace: object.namespace, name: jobName(object.name, slot) }
  }

  #objectChanged(before: SecondCronJob | undefined, after: SecondCronJob | undefined): void {
    this.scheduler.see(before, after, this.#clock.now())
    const uid = (after ?? before)?.uid
    if (uid === undefined) return
    if (after === undefined) this.launcher.forget(uid)
    this.#touch(uid)
  }

  #jobChanged(before: Job | undefined, after: Job | undefined): void {
    const owner = after?.ownerUid ?? before?.ownerUid
    if (owner == null || this.objects.get(owner) === undefined) return
    if (after?.ownerUid === owner && after.slot !== null) this.scheduler.seeJob(owner, after.slot, this.#clock.now())
    this.#touch(owner)
  }

  #accepted(uid: string): void {
    this.scheduler.consider(uid, this.#clock.now())
    this.#touch(uid)
  }

  #touch(uid: string): void {
    if (this.#started) this.reconciler.add(uid)
  }
}
