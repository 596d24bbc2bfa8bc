import type { KubeObject } from '../test/support/admin.ts'
import type { AuditRecord } from '../test/support/audit.ts'
import { createdAt, expectationOf } from '../test/support/cluster.ts'
import { type Expectation, isLaunch, judge, mergeVerdicts, type Verdict } from '../test/support/verdict.ts'

/** A slot that has just become due may still be on its way. */
const onItsWayMs = 500
/** Nor is a slot judged that is so close to a change: who was first is not to be told. */
const aroundChangeMs = 2_000

/** What a resource is to get, as long as nobody changes it. */
type Due = 'every slot' | 'nothing' | 'at most one Job for each slot'

/** A resource, for as long as it is as it was first seen: somebody may suspend, edit or delete it. */
export class Sample {
  readonly name: string
  readonly namespace: string
  /** As it is called where several namespaces are shown. */
  readonly title: string
  readonly #created: KubeObject
  /** The last time at which it was unchanged. */
  #seenAt: number
  #changedAt: number | null = null

  constructor(created: KubeObject) {
    this.name = created.metadata.name
    this.namespace = created.metadata.namespace ?? 'default'
    this.title = titleOf(this.namespace, this.name)
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

  /** Whether a Job is the run at creation, of which no lateness is told. */
  isAtCreation({ name }: AuditRecord): boolean {
    return slotOf(name) < this.expectation.from
  }

  /** Whether its runs are not known by arithmetic alone, so that only doubles are looked for. */
  get isForDoublesOnly(): boolean {
    const { schedule, concurrencyPolicy = 'Allow' } = this.#created['spec'] as Spec
    return schedule !== undefined || concurrencyPolicy !== 'Allow'
  }

  /** By its spec, and by what the API server has said to the trial of its template. */
  due(records: readonly AuditRecord[]): Due {
    const { suspend } = this.#created['spec'] as Spec
    const trial = records.findLast((record) => record.name === `${this.name}-0000000000` && this.#isIn(record))
    if (suspend === true || (trial !== undefined && trial.code >= 400)) return 'nothing'
    return this.isForDoublesOnly ? 'at most one Job for each slot' : 'every slot'
  }

  /** Whether this says something about the resource as it was first seen. */
  concerns(record: AuditRecord): boolean {
    return this.isLaunch(record) && (this.#changedAt === null || slotOf(record.name) < this.expectation.until)
  }

  /** A Job of one of its slots, that the API server has taken. */
  isLaunch(record: AuditRecord): boolean {
    return isLaunch(record) && this.#isIn(record) && /^\d+$/.test(this.#endOf(record))
  }

  /** A Job that somebody has asked for by run-now: it has no slot. */
  isManualRun(record: AuditRecord): boolean {
    return isLaunch(record) && this.#isIn(record) && /^m[0-9a-f]{9}$/.test(this.#endOf(record))
  }

  /** What the name of a Job has behind the name of the resource; empty when that is another one. */
  #endOf({ name }: AuditRecord): string {
    return name.startsWith(`${this.name}-`) ? name.slice(this.name.length + 1) : ''
  }

  #isIn({ namespace }: AuditRecord): boolean {
    return namespace === this.namespace
  }
}

interface Spec {
  readonly suspend?: boolean
  readonly schedule?: string
  readonly concurrencyPolicy?: string
}

/** The generation counts changes of the spec, and the mark of a deletion. */
function identity({ metadata }: KubeObject): string {
  return `${String(metadata['uid'])} ${String(metadata['generation'])}`
}

/** The slot that a Job is named after, NaN when it is named after none. */
export function slotOf(job: string): number {
  return Number(job.split('-').at(-1)) * 1_000
}

/** `work/beat`; of the default namespace the name alone. */
export function titleOf(namespace: string, name: string): string {
  return namespace === 'default' ? name : `${namespace}/${name}`
}

/** What was found, and how often those ran whose slots are not known here. */
export interface Judgement extends Verdict {
  readonly uncounted: readonly { readonly title: string; readonly runs: number }[]
}

/** A create by anybody counts: there may be a second operator. Two of one name are wrong at any time. */
export function judgeSamples(samples: readonly Sample[], records: readonly AuditRecord[]): Judgement {
  const judged = samples.map((sample) => judgeSample(sample, records))
  return { ...mergeVerdicts(judged), uncounted: judged.flatMap(({ uncounted }) => uncounted) }
}

function judgeSample(sample: Sample, records: readonly AuditRecord[]): Judgement {
  const { expectation, title } = sample
  const concerning = records.filter((record) => sample.concerns(record))
  const { twice } = judge([expectation], records)
  const due = sample.due(records)
  const verdict = { ...judge([expectation], concerning), twice }
  if (due === 'every slot') return titled(sample, { ...verdict, uncounted: [] })
  const none = { due: 0, lost: [], offGrid: [] }
  const lateness = latenessOf(expectation, concerning)
  if (due === 'at most one Job for each slot')
    return titled(sample, { ...verdict, ...none, lateness, uncounted: [{ title, runs: lateness.length }] })
  const offGrid = concerning.map(({ name }) => name)
  return titled(sample, { ...verdict, ...none, offGrid, lateness: [], uncounted: [] })
}

/** Of all runs in the time that is looked at, without asking whether they were due. */
function latenessOf({ from, until }: Expectation, launches: readonly AuditRecord[]): readonly number[] {
  const looked = launches.filter(({ name }) => slotOf(name) >= from && slotOf(name) < until)
  return looked.map(({ name, received }) => received - slotOf(name))
}

/** With the namespace before the names of Jobs. */
function titled({ namespace }: Sample, judgement: Judgement): Judgement {
  const { lost, twice, early, offGrid } = judgement
  const all = (jobs: readonly string[]) => jobs.map((job) => titleOf(namespace, job))
  return { ...judgement, lost: all(lost), twice: all(twice), early: all(early), offGrid: all(offGrid) }
}

/** `12:03:04`, UTC. */
export function clockTime(instant: number): string {
  return new Date(instant).toISOString().slice(11, 19)
}
