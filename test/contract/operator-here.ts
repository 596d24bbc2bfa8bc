import pino from 'pino'
import { aborted, type Clock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { ClockOffset } from '../../src/kube/clock-offset.ts'
import { findCluster } from '../../src/kube/find-cluster.ts'
import { Transport } from '../../src/kube/transport.ts'
import { Operator } from '../../src/operator.ts'

export interface OperatorParts {
  readonly clock: Clock
  /** A file. */
  readonly kubeconfig: string
  /** The only one that it serves. */
  readonly namespace: string
  /** Of its Lease: not the one that it serves, which may be deleted. */
  readonly leaseNamespace: string
}

/** The operator as it is composed for a cluster, in this process, with a clock of the test's. */
export class OperatorHere {
  /** What it has logged, a line each. */
  readonly lines: string[] = []
  readonly #parts: OperatorParts
  readonly #stop = new AbortController()
  readonly #listening = Promise.withResolvers<void>()
  #running: Promise<void> = Promise.resolve()

  /** Resolves when it has begun; it leads later. */
  static async start(parts: OperatorParts): Promise<OperatorHere> {
    const operator = new OperatorHere(parts)
    await operator.#start()
    return operator
  }

  private constructor(parts: OperatorParts) {
    this.#parts = parts
  }

  get leads(): boolean {
    return this.lines.some((line) => line.includes('"operator leads"'))
  }

  /** Begins to end it; `ended` tells when it has. */
  stop(): void {
    this.#stop.abort()
  }

  get ended(): Promise<void> {
    return this.#running
  }

  async #start(): Promise<void> {
    const { clock, kubeconfig, namespace, leaseNamespace } = this.#parts
    const where = { namespaces: namespace, 'pod-namespace': leaseNamespace }
    const flags = { ...where, port: '0', host: '127.0.0.1', connections: '5' }
    const config = readConfig(flags, {}, Object.keys(flags))
    const log = pino({ level: 'debug' }, { write: (line: string) => this.#note(line) })
    const offset = new ClockOffset(clock, log)
    const transport = await Transport.open({
      source: findCluster({ kubeconfig, context: undefined, env: {} }),
      clock,
      log,
      connections: config.connections,
      userAgent: 'second-cron-job-operator/contract',
      onServerTime: (serverTime) => offset.observe(serverTime),
    })
    const operator = new Operator({ config, transport, clock, log, offset, version: 'contract' })
    this.#running = operator.run(this.#stop.signal)
    await Promise.race([this.#listening.promise, this.#running, aborted(this.#stop.signal)])
  }

  #note(line: string): void {
    this.lines.push(line)
    if (line.includes('"health server listens"')) this.#listening.resolve()
  }
}
