import { slotOf } from '../faults/checker/jobs-seen.ts'
import { type AuditRecord, isLaunch } from './audit.ts'
import { waitFor } from './admin.ts'
import type { Cluster } from './cluster.ts'
import type { OperatorOptions, OperatorProcess } from './operator-process.ts'
import type { Outage } from './verdict.ts'

/** The creates of a second take a moment: those that were on their way when their sender ended are excused. */
const underwayMs = 500
/** The successor's first launch is looked for so long; what is due is launched at once, and something is due soon. */
const firstLaunchLimitMs = 15_000
/** The creates of one decision are sent within so long. */
const decisionMs = 500
const takeoverLimitMs = 12_000

interface Beginning {
  readonly led: number
  readonly launched: number
  readonly oldestSlot: number
}

/** Two operators, of which one leads. */
export class Pair {
  readonly both: readonly [OperatorProcess, OperatorProcess]
  /** How long after they had the Lease, or after something was due, successors launched for the first time; milliseconds. */
  readonly beginnings: number[] = []
  readonly #cluster: Cluster

  static async start(cluster: Cluster, options: OperatorOptions = {}): Promise<Pair> {
    const first = await (await cluster.operator(options)).start()
    const second = await (await cluster.operator(options)).start('standby')
    return new Pair(cluster, [first, second])
  }

  private constructor(cluster: Cluster, both: readonly [OperatorProcess, OperatorProcess]) {
    this.#cluster = cluster
    this.both = both
  }

  /** The one that leads, and the other one. */
  async roles(): Promise<readonly [leader: OperatorProcess, standby: OperatorProcess]> {
    const [first, second] = this.both
    return waitFor('one of the two to lead', takeoverLimitMs, async () => {
      if (await first.leads()) return [first, second] as const
      return (await second.leads()) ? ([second, first] as const) : null
    })
  }

  /**
   * Ends the leader in this way, and waits until the other one has the Lease and has launched something. Nobody could
   * launch before it had; where it then had something to catch up, nobody had decided before the first launch of that.
   */
  async handOver(end: (leader: OperatorProcess) => Promise<unknown>): Promise<Outage> {
    const [leader, standby] = await this.roles()
    const start = Date.now() - underwayMs
    await Promise.all([end(leader), waitFor('the standby to lead', takeoverLimitMs, () => standby.leads())])
    const { led, launched, oldestSlot } = await this.#beginning(standby, start)
    this.beginnings.push(launched - Math.max(led, oldestSlot))
    return { start, end: oldestSlot <= led ? launched : led }
  }

  /** When the Lease was given to it, when it launched for the first time, and the oldest slot of that decision. */
  #beginning(operator: OperatorProcess, since: number): Promise<Beginning> {
    return waitFor(`the first launches of ${operator.name}`, firstLaunchLimitMs, async () => {
      const writes = writesOf(operator, await this.#cluster.audit()).filter(({ received }) => received >= since)
      const led = earliest(writes.filter(({ resource }) => resource === 'leases').map(({ completed }) => completed))
      const launches = writes.filter(isLaunch)
      const launched = earliest(launches.map(({ received }) => received))
      if (Date.now() < launched + decisionMs) return null
      const first = launches.filter(({ received }) => received < launched + decisionMs)
      return { led, launched, oldestSlot: earliest(first.map(({ name }) => slotOf(name) ?? Number.NaN)) }
    })
  }

  /** Starts again whichever does not run, as a standby. */
  async restore(): Promise<void> {
    await Promise.all(this.both.map(async (operator) => operator.isRunning || operator.start('standby')))
  }
}

/** The writes of this operator that the API server has committed. */
export function writesOf(operator: OperatorProcess, records: readonly AuditRecord[]): readonly AuditRecord[] {
  const verbs = new Set(['create', 'update', 'patch', 'delete'])
  return records.filter(
    ({ verb, userAgent, code, dryRun }) =>
      verbs.has(verb) && userAgent.includes(`(${operator.name})`) && code < 300 && !dryRun,
  )
}

/** The creates of Jobs that the API server has had from this operator, whatever it answered; trials apart. */
export function createsOf(operator: OperatorProcess, records: readonly AuditRecord[]): readonly AuditRecord[] {
  return records.filter(
    ({ verb, resource, userAgent, dryRun }) =>
      verb === 'create' && resource === 'jobs' && !dryRun && userAgent.includes(`(${operator.name})`),
  )
}

function earliest(instants: readonly number[]): number {
  return Math.min(...instants)
}
