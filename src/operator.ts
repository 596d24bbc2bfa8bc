import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Job } from './api/job.ts'
import { leaseName } from './api/names.ts'
import type { SecondCronJob } from './api/secondcronjob.ts'
import { aborted, type Clock } from './clock.ts'
import { Collections } from './collections.ts'
import type { Config } from './config.ts'
import { Foresight } from './controller/foresight.ts'
import { Loops } from './controller/loops.ts'
import { Stores } from './controller/stores.ts'
import { leaderCheck, type Leadership, leaseCheck, tickCheck, watchCheck } from './health-checks.ts'
import { listen } from './http/listen.ts'
import { buildServer } from './http/server.ts'
import type { ClockOffset } from './kube/clock-offset.ts'
import { keepWarm } from './kube/keep-warm.ts'
import { KubeLeaseControl } from './kube/lease-control.ts'
import type { Transport } from './kube/transport.ts'
import { Elector } from './leader/elector.ts'
import { HeardLease } from './leader/heard-lease.ts'
import { Leading } from './leading.ts'
import { Metrics } from './metrics.ts'
import { Mirrors } from './mirrors.ts'

export interface OperatorParts {
  readonly config: Config
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
  readonly offset: ClockOffset
  /** Of the operator, for the metrics. */
  readonly version: string
}

const releaseTimeoutMs = 1_000
const clockSkew = 'ClockSkew: the clock differs from the API server by over five seconds'

/** The composition root: makes every part, and starts and stops them in order. */
export class Operator {
  readonly #parts: OperatorParts
  readonly #stores = new Stores()
  readonly #objects: Mirrors<SecondCronJob>
  readonly #jobs: Mirrors<Job>
  readonly #leading: Leading
  readonly #lease: HeardLease
  readonly #elector: Elector
  readonly #loops: Loops
  readonly #metrics: Metrics
  readonly #stop = new AbortController()
  /** Of this process alone: a restarted container has the name of its Pod as well. */
  readonly #identity: string
  #synced = false

  constructor(parts: OperatorParts) {
    const { clock, offset } = parts
    this.#parts = parts
    this.#identity = `${parts.config.podName}_${randomUUID()}`
    const collections = new Collections(parts.transport, this.#stores)
    this.#jobs = new Mirrors(parts, collections.jobs(), parts.config.namespaces)
    // A namespace may be readable only after the start: what is decided there goes by its Jobs all the same.
    this.#objects = new Mirrors(parts, collections.objects(), parts.config.namespaces, this.#jobs)
    const catchUp = async (signal: AbortSignal) => {
      await Promise.all([this.#objects.catchUp(signal), this.#jobs.catchUp(signal)])
    }
    this.#metrics = this.#makeMetrics()
    const isClockStepped = () => offset.isStepped
    this.#leading = new Leading({ ...parts, stores: this.#stores, tally: this.#metrics, catchUp, isClockStepped })
    const lease = new KubeLeaseControl(parts.transport, parts.config.podNamespace, leaseName)
    this.#lease = new HeardLease(lease, clock)
    this.#elector = this.#makeElector()
    this.#loops = new Loops({
      clock,
      schedule: (now) => this.#leading.controller?.scheduler.tick(now),
      reconcile: (now) => this.#leading.controller?.reconciler.tick(now),
      scan: (signal) => this.#scan(signal),
    })
  }

  /** Resolves when `signal` has aborted and everything has been stopped; within ten seconds of that. */
  async run(signal: AbortSignal): Promise<void> {
    const { config, transport, clock, log } = this.#parts
    const server = this.#server()
    const address = await listen(server, config)
    log.info({ address }, 'health server listens')

    const looping = Promise.all([this.#loops.run(signal), this.#foresight().run(signal)])
    const background = new AbortController()
    const watching = Promise.all([
      transport.keepFresh(background.signal),
      keepWarm(transport, clock, background.signal),
      this.#objects.watch(background.signal),
      this.#jobs.watch(background.signal),
    ])
    await Promise.race([this.#allReady(), aborted(signal)])
    await this.#compete(signal)
    await looping

    background.abort()
    await server.close()
    // Whatever is still on its way fails now, so nothing below waits for an API server that does not answer.
    await transport.close()
    await watching
    log.info('operator stopped')
  }

  /** Leads, or stands by, until `signal` aborts; then what is under way is ended before the Lease is given back. */
  async #compete(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    this.#synced = true
    this.#parts.log.info({ identity: this.#identity }, 'operator is ready, and competes for the lease')
    const competing = this.#elector.run(signal)
    await aborted(signal)
    this.#stop.abort()
    await this.#leading.ended()
    // A renewal that is under way would make the Lease's version another one.
    await competing
    await this.#elector.release(releaseTimeoutMs)
  }

  /** Connections are open and both stores are complete. */
  async #allReady(): Promise<void> {
    await Promise.all([this.#parts.transport.warmUp(), this.#objects.synced(), this.#jobs.synced()])
  }

  async #scan(signal: AbortSignal): Promise<void> {
    if (this.#synced) await Promise.all([this.#objects.scan(signal), this.#jobs.scan(signal)])
  }

  #foresight(): Foresight {
    const isBusy = () => (this.#leading.controller?.launcher.backlog ?? 0) > 0
    return new Foresight({ clock: this.#parts.clock, objects: this.#stores.objects, isBusy })
  }

  #makeElector(): Elector {
    const { config, clock, log, offset } = this.#parts
    return new Elector({
      control: this.#lease,
      clock,
      log,
      identity: this.#identity,
      times: { leaseMs: config.leaseDuration, renewDeadlineMs: config.renewDeadline, retryMs: config.retryPeriod },
      unfit: () => (offset.isSkewed || offset.isStepped ? clockSkew : null),
      begun: (term) => this.#leading.begin(term, this.#stop.signal),
    })
  }

  #makeMetrics(): Metrics {
    const { clock, offset, version } = this.#parts
    const launcher = () => this.#leading.controller?.launcher
    return new Metrics({
      version,
      leads: () => this.#leading.controller !== null,
      leaseAgeMs: () => this.#elector.term?.sinceRenewal() ?? 0,
      clockOffsetMs: () => offset.lastMs,
      inFlight: () => launcher()?.inFlight ?? 0,
      backlog: () => launcher()?.backlog ?? 0,
      resources: () => this.#stores.objects.size,
      repairs: () => ({ secondcronjobs: this.#objects.repairs, jobs: this.#jobs.repairs }),
      silentMs: () => ({
        secondcronjobs: this.#objects.health(clock.monotonic()).silentMs,
        jobs: this.#jobs.health(clock.monotonic()).silentMs,
      }),
    })
  }

  #server(): FastifyInstance {
    const { clock, log } = this.#parts
    return buildServer({
      log,
      metrics: this.#metrics,
      healthz: {
        ticker: () => tickCheck(this.#loops.sinceTick(clock.monotonic())),
        leader: () => leaderCheck(this.#leadership()),
      },
      readyz: {
        'secondcronjobs-watch': () => watchCheck(this.#objects.health(clock.monotonic())),
        'jobs-watch': () => watchCheck(this.#jobs.health(clock.monotonic())),
        lease: () => leaseCheck(this.#lease.failingMs, this.#lease.why),
      },
    })
  }

  #leadership(): Leadership {
    const { holder } = this.#elector
    const why = this.#parts.offset.isSkewed || this.#parts.offset.isStepped ? 'ClockSkew' : this.#lease.why
    return { leads: this.#leading.controller !== null, holder, why }
  }
}
