import { setTimeout as delay } from 'node:timers/promises'
import type { OperatorProcess } from '../support/operator-process.ts'
import { usageOf } from '../support/usage.ts'
import type { Sample } from './checker/check-process.ts'

const everyMs = 500
const beatMs = 100
/** With this process its proxy stands still, and mostly the machine: nobody has ordered that fault, and nobody is excused. */
export const mostStillMs = 3_000

/** Asks the probes of processes, and what they take, twice a second. */
export class Sampler {
  readonly samples: Sample[] = []
  /** For how long this process itself did nothing at all, at most. */
  stoodStillMs = 0
  readonly #heart: NodeJS.Timeout
  readonly #stop = new AbortController()
  readonly #running: Promise<unknown>

  constructor(operators: readonly OperatorProcess[]) {
    let last = Date.now()
    this.#heart = setInterval(() => {
      const now = Date.now()
      this.stoodStillMs = Math.max(this.stoodStillMs, now - last - beatMs)
      last = now
    }, beatMs)
    this.#running = Promise.all(operators.map((operator) => this.#run(operator)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#heart)
    this.#stop.abort()
    await this.#running
  }

  async #run(operator: OperatorProcess): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const at = Date.now()
      const [ready, healthy] = await Promise.all([operator.probe('/readyz'), operator.probe('/healthz')])
      // Between two lives there is nothing to count, and one that is just dying has no memory of its own any more.
      const { rssMb, sockets } = await usageOf(operator.pid).catch(() => ({ rssMb: 0, sockets: 0 }))
      this.samples.push({ at, process: operator.name, ready, healthy, rssMb: rssMb || 0, sockets })
      await delay(everyMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }
}
