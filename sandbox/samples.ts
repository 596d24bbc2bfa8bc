import type { KubeObject } from '../test/support/admin.ts'
import type { AuditRecord } from '../test/support/audit.ts'
import { createdAt, expectationOf } from '../test/support/cluster.ts'
import { describeLateness, type Expectation, judge, mergeVerdicts, type Verdict } from '../test/support/verdict.ts'

/** A slot that has just become due may still be on its way. */
const onItsWayMs = 500
/** Nor is a slot judged that is so close to a change: who was first is not to be told. */
const aroundChangeMs = 2_000

/** A sample resource, for as long as it is as it was created: somebody may suspend, edit or delete it. */
export class Sample {
  readonly name: string
  readonly #created: KubeObject
  /** The last time at which it was unchanged. */
  #seenAt: number
  #changedAt: number | null = null

  constructor(created: KubeObject) {
    this.name = created.metadata.name
    this.#created = created
    this.#seenAt = createdAt(created)
  }

  get changedAt(): number | null {
    return this.#changedAt
  }

  /** What it was, null when it was gone, in the answer to a request sent at `now`. */
  observe(object: KubeObject | null, now: number): void {
    if (this.#changedAt !== null) return
    if (object !== null && identity(object) === identity(this.#created)) this.#seenAt = now
    else this.#changedAt = now
  }

  /** The run at creation is left out: its slot is the creation, which is noted in whole seconds. */
  get expectation(): Expectation {
    const until = this.#seenAt - (this.#changedAt === null ? onItsWayMs : aroundChangeMs)
    return expectationOf(this.#created, createdAt(this.#created) + 1_000, until)
  }

  /** Whether this says something about the resource as it was created. */
  concerns({ name }: AuditRecord): boolean {
    return this.#changedAt === null || slotOf(name) < this.expectation.until
  }
}

/** The generation counts changes of the spec, and the mark of a deletion. */
function identity({ metadata }: KubeObject): string {
  return `${String(metadata['uid'])} ${String(metadata['generation'])}`
}

/** The slot that a Job is named after. */
export function slotOf(job: string): number {
  return Number(job.split('-').at(-1)) * 1_000
}

/** A create by anybody counts: there may be a second operator. Two of one name are wrong at any time. */
export function judgeSamples(samples: readonly Sample[], records: readonly AuditRecord[]): Verdict {
  const verdicts = samples.map((sample) => {
    const concerning = records.filter((record) => sample.concerns(record))
    return judge([sample.expectation], concerning)
  })
  const { twice } = judge(
    samples.map((sample) => sample.expectation),
    records,
  )
  return { ...mergeVerdicts(verdicts), twice }
}

export function isAllRight({ lost, twice, early, offGrid }: Verdict): boolean {
  return lost.length + twice.length + early.length + offGrid.length === 0
}

export function summaryOf(samples: readonly Sample[], verdict: Verdict): readonly string[] {
  const { due, lost, twice, early, offGrid } = verdict
  const counts = `${lost.length} lost, ${twice.length} twice, ${early.length} early, ${offGrid.length} off the grid`
  return [
    `${due} slots due, ${counts}; ${describeLateness(verdict)}`,
    'the run at creation is left out: its slot is the creation, which is noted in whole seconds',
    ...samples.flatMap(({ name, changedAt }) =>
      changedAt === null
        ? []
        : [`${name} was changed at ${clockTime(changedAt)} and is judged up to two seconds before`],
    ),
  ]
}

/** `12:03:04`, UTC. */
export function clockTime(instant: number): string {
  return new Date(instant).toISOString().slice(11, 19)
}
