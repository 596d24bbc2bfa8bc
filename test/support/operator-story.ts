import pino from 'pino'
import type { SecondCronJob } from '../../src/api/secondcronjob.ts'
import { Controller } from '../../src/controller/controller.ts'
import { Foresight } from '../../src/controller/foresight.ts'
import { Loops } from '../../src/controller/loops.ts'
import { nextVersion } from './builders.ts'
import { FakeEventRecorder, FakeJobControl, FakeSecondCronJobControl, FakeTally } from './fake-controls.ts'
import { ManualClock } from './manual-clock.ts'
import { at } from './times.ts'

/** The controller on fakes and a clock that stands still: what the unit tests tell their stories with. */
export class OperatorStory {
  readonly clock: ManualClock
  readonly jobs: FakeJobControl
  readonly objects = new FakeSecondCronJobControl()
  readonly events = new FakeEventRecorder()
  readonly tally = new FakeTally()
  readonly controller: Controller
  readonly #stop = new AbortController()
  #running: Promise<unknown> = Promise.resolve()

  constructor(start = '12:00:00') {
    this.clock = new ManualClock(`2026-01-01T${start}Z`)
    this.jobs = new FakeJobControl(this.clock)
    this.controller = new Controller({
      clock: this.clock,
      log: pino({ level: 'silent' }),
      jobControl: this.jobs,
      objectControl: this.objects,
      events: this.events,
      connections: 32,
      createTimeoutMs: 10_000,
      leaseLeftMs: () => 5_500,
      transitions: () => 7,
      tally: this.tally,
    })
  }

  /** Starts the loops with these objects in the store. */
  async start(...objects: SecondCronJob[]): Promise<this> {
    for (const object of objects) this.apply(object)
    const loops = new Loops({
      clock: this.clock,
      schedule: (now) => this.controller.scheduler.tick(now),
      reconcile: (now) => this.controller.reconciler.tick(now),
      scan: async () => {},
    })
    this.controller.start()
    const { clock, controller } = this
    const isBusy = () => controller.launcher.backlog > 0
    const foresight = new Foresight({ clock, objects: controller.objects, isBusy })
    this.#running = Promise.all([loops.run(this.#stop.signal), foresight.run(this.#stop.signal)])
    await this.clock.advance(0)
    return this
  }

  /** What the watch does with an object that somebody has written. */
  apply(given: SecondCronJob): void {
    const object = { ...given, resourceVersion: nextVersion() }
    this.objects.objects.set(object.name, object)
    this.controller.objects.put(object)
  }

  /** What the watch does with the Jobs. */
  seeJobs(): void {
    for (const job of this.jobs.jobs.values()) this.controller.jobs.put(job)
  }

  /** What the watch does with a Job that has come to its end. */
  finish(name: string, result: 'Complete' | 'Failed' = 'Complete'): void {
    const job = this.jobs.jobs.get(name)
    if (job === undefined) throw new Error(`there is no Job ${name}`)
    const finished = { ...job, resourceVersion: nextVersion(), finished: { result, at: this.clock.now() } }
    this.jobs.jobs.set(name, finished)
    this.controller.jobs.put(finished)
  }

  async until(time: string): Promise<void> {
    await this.clock.advanceTo(at(time))
  }

  /** The creates since the last time this was asked, as `<when> <name>`. */
  created(): string[] {
    return this.jobs.calls().flatMap((call) => (call.includes(' create ') ? [call.replace('create ', '')] : []))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
    const stopped = this.controller.stop()
    await this.clock.advance(10_000)
    await stopped
  }
}
