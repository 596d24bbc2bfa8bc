import type { Cluster } from '../support/cluster.ts'
import { createdAt, untilTime } from '../support/cluster.ts'
import type { KubeObject } from '../support/admin.ts'
import { waitFor } from '../support/admin.ts'
import type { OperatorOptions, OperatorProcess } from '../support/operator-process.ts'
import type { Outage } from './checker/check-launches.ts'
import { specOf } from './churn.ts'
import { FaultProxy } from './proxy/fault-proxy.ts'
import { seeded } from './proxy/rules.ts'

/** How it is set; what is left out is as ever. */
export interface StageSetting {
  readonly seed: number
  /** How many resources, of a second to so many; fifty of up to five, usually. */
  readonly size?: { readonly count: number; readonly longestSeconds: number }
  /** One, usually. */
  readonly replicas?: number
  /** More in the specs of the resources. */
  readonly more?: Readonly<Record<string, unknown>>
  /** Of each replica, where it is another one than the shipped one. */
  readonly operators?: readonly OperatorOptions[]
  /** How far apart the clocks of the replicas are: a launch of the one behind is on its way for longer. */
  readonly clocksApartMs?: number
  /** Each replica is behind a proxy of its own. */
  readonly apart?: boolean
}

export interface StageOptions extends StageSetting {
  readonly namespace: string
  /** Another operator than the shipped one. */
  readonly bundle?: string
}

/** The creates of a second take a moment: those that were on their way when their sender ended are excused. */
const underwayMs = 500
/** After a fault that hit more than the leader: what failed meanwhile is tried again, by everybody, and the pauses end. */
export const recoveryMs = 1_500
/**
 * From when it says that it leads to its first decision, after which no slot is lost any more: in twenty takeovers in six rows
 * its first Job came 102 ms before to 32 ms after that. What is due then is sent before what is due next, which is late for
 * it by up to 0.9 s on a busy machine.
 */
const beginningMs = 500
const usualSize = { count: 50, longestSeconds: 5 }
const leadMs = 30_000

/** A control plane, a proxy, operators behind it, and fifty resources of one to five seconds. */
export class Stage {
  readonly cluster: Cluster
  readonly operators: readonly OperatorProcess[]
  readonly namespace: string
  readonly random: () => number
  /** Times in which nobody could launch, or not every time. */
  readonly outages: Outage[] = []
  /** Times in which a probe may say no although somebody launches. */
  readonly idles: Outage[] = []
  /** When a server that stood still went on. */
  readonly resumed: number[] = []
  /** What the row itself has found wrong. */
  readonly wrongs: string[] = []
  /** Why it says nothing: it was not played, or not all of it. */
  readonly unplayed: string[] = []
  /** How often the fault was done. */
  runs = 0
  readonly #options: StageOptions
  /** Of each operator; the same one of all of them, unless they are apart. */
  readonly #proxies: readonly FaultProxy[]
  #resources: readonly KubeObject[] = []

  static async set(cluster: Cluster, options: StageOptions): Promise<Stage> {
    const { namespace, seed, replicas = 1, operators: others = [], bundle } = options
    const proxy = await FaultProxy.of(cluster.plane, { seed, remembersLists: true })
    const operators: OperatorProcess[] = []
    const proxies: FaultProxy[] = []
    for (let n = 0; n < replicas; n += 1) {
      const own = { ...others[n], ...(bundle !== undefined && { bundle }) }
      const before = n > 0 && options.apart === true ? await FaultProxy.of(cluster.plane, { seed: seed + n }) : proxy
      proxies.push(before)
      const operator = await cluster.operator({ server: before.url, ...own })
      operators.push(await operator.start(n === 0 ? 'leader' : 'standby'))
    }
    await cluster.createNamespace(namespace)
    return new Stage(cluster, proxies, operators, options)
  }

  /** Another one in a namespace of its own, with the same operators. */
  async next(options: Pick<StageOptions, 'namespace' | 'seed'>): Promise<Stage> {
    await this.cluster.createNamespace(options.namespace)
    return new Stage(this.cluster, this.#proxies, this.operators, { ...this.#options, ...options })
  }

  private constructor(
    cluster: Cluster,
    proxies: readonly FaultProxy[],
    operators: readonly OperatorProcess[],
    options: StageOptions,
  ) {
    this.cluster = cluster
    this.#proxies = proxies
    this.operators = operators
    this.namespace = options.namespace
    this.random = seeded(options.seed)
    this.#options = options
  }

  /** The first one; the only one where there is one replica. */
  get operator(): OperatorProcess {
    const [first] = this.operators
    if (first === undefined) throw new Error('a stage without an operator')
    return first
  }

  /** That of the first one. */
  get proxy(): FaultProxy {
    return this.proxyOf(this.operator)
  }

  /** Each of them once. */
  get proxies(): readonly FaultProxy[] {
    return [...new Set(this.#proxies)]
  }

  proxyOf(operator: OperatorProcess | undefined): FaultProxy {
    const proxy = this.#proxies[this.operators.findIndex((one) => one === operator)]
    if (proxy === undefined) throw new Error('no operator of this stage')
    return proxy
  }

  get names(): readonly string[] {
    return this.#resources.map(({ metadata }) => metadata.name)
  }

  /** Nobody could launch from this moment until `end` is over, and what it has left behind is made good. */
  async outage(end: () => Promise<unknown>): Promise<void> {
    const { start, ended } = await this.#during(end)
    this.outages.push({ start, end: ended + recoveryMs })
  }

  /** The same where all is well but for who leads. */
  async takeover(end: () => Promise<unknown>): Promise<void> {
    const { start, ended } = await this.#during(end)
    this.outages.push({ start, end: ended + beginningMs, settled: ended + recoveryMs })
  }

  async #during(end: () => Promise<unknown>): Promise<{ readonly start: number; readonly ended: number }> {
    const { clocksApartMs = 0 } = this.#options
    const start = Date.now() - underwayMs - clocksApartMs
    await end()
    return { start, ended: Date.now() + clocksApartMs }
  }

  /** While one that is not needed starts, its probes say nothing. */
  async idle(act: () => Promise<unknown>): Promise<void> {
    const start = Date.now() - underwayMs
    await act()
    this.idles.push({ start, end: Date.now() + underwayMs })
  }

  /** Until it leads and says that it is ready. */
  async ready(): Promise<void> {
    await waitFor('/readyz to say yes', leadMs, async () => (await this.operator.probe('/readyz')) === 200)
    await this.leader()
  }

  /** The operator that leads, and is not this one. */
  leader(but?: OperatorProcess): Promise<OperatorProcess> {
    return waitFor('somebody to lead', leadMs, async () => {
      const others = this.operators.filter((operator) => operator !== but)
      const leading = await Promise.all(others.map((operator) => operator.leads()))
      return others.find((_, index) => leading[index]) ?? null
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // So that the next one need not wait for the end of a Lease.
    await Promise.all(this.operators.map((operator) => operator.terminate()))
    await Promise.all(this.proxies.map((proxy) => proxy[Symbol.asyncDispose]()))
  }

  /** Creates the resources. Every tenth one has Jobs with Pods. */
  async fill(): Promise<void> {
    const { more = {}, size = usualSize } = this.#options
    const { count, longestSeconds } = size
    this.#resources = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const intervalSeconds = 1 + (index % longestSeconds)
        const spec = index % 10 === 0 ? { intervalSeconds, ...more } : specOf(intervalSeconds, more)
        return this.cluster.create(`f${index}`, spec, this.namespace)
      }),
    )
    await untilTime(Math.max(...this.#resources.map(createdAt)) + 5_000)
  }
}
