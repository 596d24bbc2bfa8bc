import assert from 'node:assert/strict'
import type { KubeObject } from './admin.ts'
import { type Cluster, createdAt, expectationOf, untilTime } from './cluster.ts'
import { gaps } from './gaps.ts'
import { describeLateness, type Expectation, type Outage, type Verdict } from './verdict.ts'

/** Until the last create of a second has its answer, and is in the audit log. */
const settleMs = 1_500

/** Some SecondCronJobs of short intervals, and what became of them by the audit log. */
export class Fleet {
  readonly #cluster: Cluster
  readonly #objects: readonly KubeObject[]

  /** `count` of them, of 1 s to `longestSeconds`, with more in their specs; serving by now. */
  static async create(
    cluster: Cluster,
    count: number,
    longestSeconds: number,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Fleet> {
    const objects = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        cluster.create(`f${index}`, { intervalSeconds: 1 + (index % longestSeconds), ...more }),
      ),
    )
    const fleet = new Fleet(cluster, objects)
    await untilTime(Math.max(...objects.map(createdAt)) + 3_000)
    return fleet
  }

  private constructor(cluster: Cluster, objects: readonly KubeObject[]) {
    this.#cluster = cluster
    this.#objects = objects
  }

  /** What is expected from `from` to `until`, but for the outages, of those with an interval of at least so much. */
  expectations(from: number, until: number, outages: readonly Outage[], shortestMs = 0): readonly Expectation[] {
    return this.#objects
      .map((object) => ({ ...expectationOf(object, from, until), outages }))
      .filter(({ intervalMs }) => intervalMs >= shortestMs)
  }

  /** Lets it go on for some seconds, and judges all from `from` on; nothing may be wrong. Answers what may be printed. */
  async judged(from: number, outages: readonly Outage[], shortestMs = 0): Promise<string> {
    const verdict = await this.verdict(from, outages, shortestMs)
    assertClean(verdict)
    return `${verdict.due} slots due while somebody led, ${verdict.launched} launched; ${describeLateness(verdict)}`
  }

  async verdict(from: number, outages: readonly Outage[], shortestMs = 0): Promise<Verdict> {
    const until = Date.now() + 3_000
    await untilTime(until + settleMs)
    return this.#cluster.judge(this.expectations(from, until, outages, shortestMs))
  }

  /** The seconds without a launch of each outage, ascending. */
  async gaps(outages: readonly Outage[]): Promise<readonly number[]> {
    return gaps(outages, this.expectations(0, 0, []), await this.#cluster.audit())
  }
}

/** Nothing lost, twice, off the grid, early, or run later than once. */
export function assertClean({ lost, twice, offGrid, early, backRuns }: Verdict): void {
  const none = { lost: [], twice: [], offGrid: [], early: [], backRuns: [] }
  assert.deepEqual({ lost, twice, offGrid, early, backRuns }, none)
}
