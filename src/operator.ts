import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { decodeSecondCronJob } from './api/decode.ts'
import { decodeJob, type Job } from './api/job.ts'
import type { SecondCronJob } from './api/secondcronjob.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { Controller } from './controller/controller.ts'
import { Loops } from './controller/loops.ts'
import { tickCheck, watchCheck } from './health-checks.ts'
import { buildServer } from './http/server.ts'
import { KubeEventRecorder } from './kube/event-recorder.ts'
import { KubeJobControl } from './kube/job-control.ts'
import { jobsPath, ownerSelector, secondCronJobsPath } from './kube/paths.ts'
import { KubeSecondCronJobControl } from './kube/secondcronjob-control.ts'
import type { Transport } from './kube/transport.ts'
import { aborted, type Collection } from './mirror.ts'
import { Mirrors } from './mirrors.ts'

export interface OperatorParts {
  readonly config: Config
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
}

/** The composition root: makes every part, and starts and stops them in order. */
export class Operator {
  readonly #parts: OperatorParts
  readonly #events: KubeEventRecorder
  readonly #controller: Controller
  readonly #objects: Mirrors<SecondCronJob>
  readonly #jobs: Mirrors<Job>
  readonly #loops: Loops
  #started = false

  constructor(parts: OperatorParts) {
    const { config, transport, clock, log } = parts
    const jobControl = new KubeJobControl(transport)
    const objectControl = new KubeSecondCronJobControl(transport)
    this.#parts = parts
    this.#events = new KubeEventRecorder({ transport, log, instance: config.podName })
    this.#controller = new Controller({
      clock,
      log,
      jobControl,
      objectControl,
      events: this.#events,
      connections: config.connections,
      createTimeoutMs: config.createTimeoutSeconds * 1_000,
    })
    this.#jobs = this.#mirrorJobs(jobControl)
    this.#objects = this.#mirrorObjects(objectControl)
    this.#loops = new Loops({
      clock,
      schedule: (now) => this.#controller.scheduler.tick(now),
      reconcile: (now) => this.#controller.reconciler.tick(now),
      scan: (signal) => this.#scan(signal),
    })
  }

  /** Resolves when `signal` has aborted and everything has been stopped; within ten seconds of that. */
  async run(signal: AbortSignal): Promise<void> {
    const { config, transport, log } = this.#parts
    const server = this.#server()
    const address = await server.listen({ host: config.host, port: config.port })
    log.info({ address }, 'health server listens')

    const looping = this.#loops.run(signal)
    const background = new AbortController()
    const watching = Promise.all([
      transport.keepFresh(background.signal),
      this.#objects.watch(background.signal),
      this.#jobs.watch(background.signal),
    ])
    await Promise.race([this.#allReady(), aborted(signal)])
    if (!signal.aborted) this.#start()
    await looping

    await this.#controller.stop()
    background.abort()
    await server.close()
    // Whatever is still on its way fails now, so nothing below waits for an API server that does not answer.
    await transport.close()
    await Promise.all([watching, this.#events.stop()])
    log.info('operator stopped')
  }

  /** Connections are open and both stores are complete. */
  async #allReady(): Promise<void> {
    await Promise.all([this.#parts.transport.warmUp(), this.#objects.synced(), this.#jobs.synced()])
  }

  #start(): void {
    const { clock, log } = this.#parts
    const { objects, jobs } = this.#controller
    this.#controller.start(clock.now())
    this.#started = true
    log.info({ resources: objects.size, jobs: jobs.size }, 'operator runs')
  }

  async #scan(signal: AbortSignal): Promise<void> {
    if (this.#started) await Promise.all([this.#objects.scan(signal), this.#jobs.scan(signal)])
  }

  #server(): FastifyInstance {
    const { clock, log } = this.#parts
    return buildServer({
      log,
      healthz: { ticker: () => tickCheck(this.#loops.sinceTick(clock.monotonic())) },
      readyz: {
        'secondcronjobs-watch': () => watchCheck(this.#objects.health(clock.monotonic())),
        'jobs-watch': () => watchCheck(this.#jobs.health(clock.monotonic())),
      },
    })
  }

  #mirrorObjects(control: KubeSecondCronJobControl): Mirrors<SecondCronJob> {
    const store = this.#controller.objects
    const collection: Collection<SecondCronJob> = {
      what: 'secondcronjobs',
      path: secondCronJobsPath,
      decode: decodeSecondCronJob,
      store,
      get: (namespace, name) => control.get(namespace, name),
      remove: (uid) => store.bury(uid),
      absence: 'looked up',
      isServed: (namespace) => this.#isServed(namespace),
    }
    // A namespace may be readable only after the start: what is decided there goes by its Jobs all the same.
    return new Mirrors(this.#parts, collection, this.#parts.config.namespaces, this.#jobs)
  }

  /** A Job that leaves the label selector looks deleted and may come back: it is removed, not buried. */
  #mirrorJobs(control: KubeJobControl): Mirrors<Job> {
    const store = this.#controller.jobs
    const collection: Collection<Job> = {
      what: 'jobs',
      path: jobsPath,
      labelSelector: ownerSelector(),
      decode: decodeJob,
      store,
      get: (namespace, name) => control.get(namespace, name),
      remove: (uid) => store.remove(uid),
      absence: 'believed',
      isServed: (namespace) => this.#isServed(namespace),
    }
    return new Mirrors(this.#parts, collection, this.#parts.config.namespaces)
  }

  #isServed(namespace: string): boolean {
    return this.#controller.objects.values().some((object) => object.namespace === namespace)
  }
}
