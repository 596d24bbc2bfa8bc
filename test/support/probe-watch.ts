import { setTimeout as delay } from 'node:timers/promises'
import type { OperatorProcess } from './operator-process.ts'

const pollMs = 100
const paths = ['/healthz', '/readyz'] as const

interface Seen {
  /** performance.now() */
  readonly at: number
  readonly status: number
}

/** Asks the probes of a process again and again, as the kubelet does, and notes when an answer changes. */
export class ProbeWatch {
  readonly #operator: OperatorProcess
  readonly #seen: Record<(typeof paths)[number], Seen[]> = { '/healthz': [], '/readyz': [] }
  readonly #stop = new AbortController()
  readonly #running: Promise<unknown>

  constructor(operator: OperatorProcess) {
    this.#operator = operator
    this.#running = Promise.all(paths.map((path) => this.#run(path)))
  }

  status(path: (typeof paths)[number]): number {
    return this.#seen[path].at(-1)?.status ?? 0
  }

  /** Seconds from `since` until the answer first was not 200, and from `mended` until it was again; null for never. */
  after(path: (typeof paths)[number], since: number, mended: number): readonly [no: number | null, yes: number | null] {
    const seen = this.#seen[path]
    const no = seen.find(({ at, status }) => at >= since && status !== 200)
    const yes = no === undefined ? undefined : seen.findLast(({ at, status }) => at > no.at && status === 200)
    return [no === undefined ? null : (no.at - since) / 1_000, yes === undefined ? null : (yes.at - mended) / 1_000]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(path: (typeof paths)[number]): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const status = await this.#operator.probe(path)
      if (status !== this.#seen[path].at(-1)?.status) this.#seen[path].push({ at: performance.now(), status })
      await delay(pollMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }
}
