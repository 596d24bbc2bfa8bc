import type { AuditRecord } from './audit.ts'
import { waitFor } from './admin.ts'
import type { Cluster } from './cluster.ts'
import type { OperatorProcess } from './operator-process.ts'
import type { Outage } from './verdict.ts'

/** The creates of a second take a moment: those that were on their way when their sender ended are excused. */
const underwayMs = 500
/** From the first moment of leading to the first decision: a consistent list of both kinds, on a busy machine. */
const beginningMs = 1_000
const takeoverLimitMs = 12_000

/** Two operators, of which one leads. */
export class Pair {
  readonly both: readonly [OperatorProcess, OperatorProcess]

  static async start(cluster: Cluster, args: readonly string[] = []): Promise<Pair> {
    const first = await (await cluster.operator({ args })).start()
    const second = await (await cluster.operator({ args })).start('standby')
    return new Pair([first, second])
  }

  private constructor(both: readonly [OperatorProcess, OperatorProcess]) {
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

  /** Ends the leader in this way, and waits until the other one leads and has begun: nobody could launch in between. */
  async handOver(end: (leader: OperatorProcess) => Promise<unknown>): Promise<Outage> {
    const [leader, standby] = await this.roles()
    const start = Date.now() - underwayMs
    await Promise.all([end(leader), waitFor('the standby to lead', takeoverLimitMs, () => standby.leads())])
    return { start, end: Date.now() + beginningMs }
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
