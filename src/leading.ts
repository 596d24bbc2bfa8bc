import type { Logger } from 'pino'
import { asApiError } from './api/api-error.ts'
import { aborted, type Clock } from './clock.ts'
import type { Config } from './config.ts'
import { Controller } from './controller/controller.ts'
import type { Tally } from './controller/ports.ts'
import type { Stores } from './controller/stores.ts'
import { KubeEventRecorder } from './kube/event-recorder.ts'
import { fenced } from './kube/fenced.ts'
import { KubeJobControl } from './kube/job-control.ts'
import { KubeSecondCronJobControl } from './kube/secondcronjob-control.ts'
import type { Transport } from './kube/transport.ts'
import type { Term } from './leader/term.ts'

export interface LeadingParts {
  readonly config: Config
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
  readonly stores: Stores
  readonly tally: Tally
  /** This machine's clock has been set, and is known to be wrong: nothing is written by it. */
  readonly isClockStepped: () => boolean
  /** Makes the stores no older than now. Rejects with ApiError. */
  readonly catchUp: (signal: AbortSignal) => Promise<void>
}

const catchUpAgainMs = 250
const firstPatienceMs = 2_000
const longestPatienceMs = 8_000
const eventGraceMs = 500

/**
 * What a leader does, for as long as its term lasts: first the stores are made to say what the API server says now, then a
 * controller of this term alone decides, with ports that write only while the term holds.
 */
export class Leading {
  readonly #parts: LeadingParts
  #controller: Controller | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(parts: LeadingParts) {
    this.#parts = parts
  }

  /** The controller that decides now, or null: a standby, or a leader that has not caught up yet. */
  get controller(): Controller | null {
    return this.#controller
  }

  /** A term has begun; `stop` ends what it does before the term is over. One at a time: the one before has stopped first. */
  begin(term: Term, stop: AbortSignal): void {
    this.#last = this.#last.then(() => this.#lead(term, stop))
  }

  /** Resolves when nothing is done any more by the terms that have begun. */
  ended(): Promise<void> {
    return this.#last
  }

  async #lead(term: Term, stop: AbortSignal): Promise<void> {
    const end = AbortSignal.any([term.over, stop])
    if (!(await this.#caughtUp(end))) return
    const { clock, log, stores } = this.#parts
    const { controller, events } = this.#make(term)
    this.#controller = controller
    controller.start()
    log.info({ resources: stores.objects.size, jobs: stores.jobs.size }, 'operator leads')
    await aborted(end)
    this.#controller = null
    await controller.stop()
    const told = new AbortController()
    const telling = events.stop().then(() => told.abort())
    // The next leader waits for us, and an API server that answers no event must not make that last.
    await Promise.race([telling, clock.sleep(eventGraceMs, told.signal)])
  }

  /**
   * Again and again, until it has: false when the term ended before. A question that is not answered is asked once more,
   * beside it: its connection may be dead, and nothing is launched meanwhile.
   */
  async #caughtUp(end: AbortSignal): Promise<boolean> {
    const caughtUp = new AbortController()
    const over = AbortSignal.any([end, caughtUp.signal])
    for (let patienceMs = firstPatienceMs; !over.aborted; patienceMs = Math.min(2 * patienceMs, longestPatienceMs))
      await Promise.race([this.#tryToCatchUp(end, caughtUp), this.#parts.clock.sleep(patienceMs, over)])
    return !end.aborted
  }

  async #tryToCatchUp(end: AbortSignal, caughtUp: AbortController): Promise<void> {
    const { clock, log, catchUp } = this.#parts
    try {
      await catchUp(end)
      caughtUp.abort()
    } catch (thrown) {
      log.warn({ err: asApiError(thrown) }, 'could not catch up with the API server, nothing is decided before that')
      await clock.sleep(catchUpAgainMs, end)
    }
  }

  #make(term: Term): { readonly controller: Controller; readonly events: KubeEventRecorder } {
    const { config, clock, log, stores, tally, isClockStepped } = this.#parts
    const holds = () => term.holds() && !isClockStepped()
    const transport = fenced(this.#parts.transport, { holds, expired: term.expired })
    const events = new KubeEventRecorder({ transport, log, instance: config.podName })
    const controller = new Controller({
      clock,
      log,
      jobControl: new KubeJobControl(transport),
      objectControl: new KubeSecondCronJobControl(transport),
      events,
      stores,
      tally,
      connections: config.connections,
      createTimeoutMs: config.createTimeoutSeconds * 1_000,
      leaseLeftMs: () => term.leaseLeftMs(),
      transitions: () => term.transitions,
    })
    return { controller, events }
  }
}
