import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { decodeSecondCronJob } from './api/decode.ts'
import { decodeJob, type Job } from './api/job.ts'
import type { SecondCronJob } from './api/secondcronjob.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { Controller } from './controller/controller.ts'
import { Loops } from './controller/loops.ts'
import { Scan } from './controller/scan.ts'
import { tickCheck, watchCheck } from './health-checks.ts'
import { buildServer } from './http/server.ts'
import { KubeEventRecorder } from './kube/event-recorder.ts'
import { KubeJobControl } from './kube/job-control.ts'
import { listMetadata } from './kube/paged-list.ts'
import { jobsPath, ownerSelector, secondCronJobsPath } from './kube/paths.ts'
import { Reflector } from './kube/reflector.ts'
import { KubeSecondCronJobControl } from './kube/secondcronjob-control.ts'
import type { Transport } from './kube/transport.ts'

export interface OperatorParts {
  readonly config: Config
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
}

/** The composition root: makes every part, and starts and stops them in order. */
export class Operator {
  readonly #parts: OperatorParts
  readonly #controller: Controller
  readonly #events: KubeEventRecorder
  readonly #objectWatch: Reflector<SecondCronJob>
  readonly #jobWatch: Reflector<Job>
  readonly #objectScan: Scan<SecondCronJob>
  readonly #jobScan: Scan<Job>
  readonly #loops: Loops
  #started = false
  readonly #synced = { objects: Promise.withResolvers<void>(), jobs: Promise.withResolvers<void>() }

  constructor(parts: OperatorParts) {
    const { config, transport, clock, log } = parts
    this.#parts = parts
    const jobControl = new KubeJobControl(transport)
    const objectControl = new KubeSecondCronJobControl(transport)
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
    this.#objectWatch = this.#watchObjects()
    this.#jobWatch = this.#watchJobs()
    this.#objectScan = this.#scanObjects(objectControl)
    this.#jobScan = this.#scanJobs(jobControl)
    this.#loops = new Loops({
      clock,
      schedule: (now) => this.#controller.scheduler.tick(now),
      reconcile: (now) => this.#controller.reconciler.tick(now),
      scan: async (signal) => {
        if (!this.#started) return
        await Promise.all([this.#objectScan.run(signal), this.#jobScan.run(signal)])
      },
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
      this.#objectWatch.run(background.signal),
      this.#jobWatch.run(background.signal),
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

  #start(): void {
    const { clock, log } = this.#parts
    const { objects, jobs } = this.#controller
    this.#controller.start(clock.now())
    this.#started = true
    log.info({ resources: objects.size, jobs: jobs.size }, 'operator runs')
  }

  /** Connections are open and both stores are complete. */
  async #allReady(): Promise<void> {
    const { objects, jobs } = this.#synced
    await Promise.all([this.#parts.transport.warmUp(), objects.promise, jobs.promise])
  }

  #server(): FastifyInstance {
    const { clock, log } = this.#parts
    return buildServer({
      log,
      healthz: { ticker: () => tickCheck(this.#loops.sinceTick(clock.monotonic())) },
      readyz: {
        'secondcronjobs-watch': () => watchCheck(this.#objectWatch.health(clock.monotonic())),
        'jobs-watch': () => watchCheck(this.#jobWatch.health(clock.monotonic())),
      },
    })
  }

  #watchObjects(): Reflector<SecondCronJob> {
    const { objects } = this.#controller
    return new Reflector({
      ...this.#watchParts(),
      path: secondCronJobsPath,
      decode: decodeSecondCronJob,
      sink: {
        replace: (items) => {
          void this.#objectScan.verify(objects.putAll(items))
          this.#synced.objects.resolve()
        },
        put: (object) => objects.put(object),
        remove: (object) => objects.bury(object.uid),
      },
    })
  }

  #watchJobs(): Reflector<Job> {
    const { jobs } = this.#controller
    return new Reflector({
      ...this.#watchParts(),
      path: jobsPath,
      labelSelector: ownerSelector(),
      decode: decodeJob,
      sink: {
        replace: (items) => {
          for (const { uid } of jobs.putAll(items)) jobs.remove(uid)
          this.#synced.jobs.resolve()
        },
        put: (job) => jobs.put(job),
        remove: (job) => jobs.remove(job.uid),
      },
    })
  }

  #watchParts() {
    const { transport, clock, log } = this.#parts
    return { transport, clock, log, random: Math.random }
  }

  #scanObjects(control: KubeSecondCronJobControl): Scan<SecondCronJob> {
    const { transport, clock, log } = this.#parts
    const { objects } = this.#controller
    const scanned = {
      what: 'secondcronjobs',
      held: objects,
      list: () => listMetadata({ transport, path: secondCronJobsPath }),
      get: (namespace: string, name: string) => control.get(namespace, name),
      put: (object: SecondCronJob) => objects.put(object),
      remove: (uid: string) => objects.bury(uid),
    }
    return new Scan(scanned, clock, log)
  }

  #scanJobs(control: KubeJobControl): Scan<Job> {
    const { transport, clock, log } = this.#parts
    const { jobs } = this.#controller
    const scanned = {
      what: 'jobs',
      held: jobs,
      list: () => listMetadata({ transport, path: jobsPath, labelSelector: ownerSelector() }),
      get: (namespace: string, name: string) => control.get(namespace, name),
      put: (job: Job) => jobs.put(job),
      remove: (uid: string) => jobs.remove(uid),
    }
    return new Scan(scanned, clock, log)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}
