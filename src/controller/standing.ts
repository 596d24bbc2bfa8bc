import type { Monotonic } from '../clock.ts'
import { Pace } from './pace.ts'
import { Suspicion } from './suspicion.ts'

/** What the end of a create says about the way there. `unasked`: nothing. `gone`: there is no such resource any more. */
export type Answer = 'taken' | 'refused' | 'failed' | 'unasked' | 'gone'

/**
 * `refused`: the last create was, at once. `tardy`: it was taken, but late. `slow`: it is unanswered, or was given up;
 * `stuck`: so was the next one. `suspect`: the next one may hang.
 */
export type Standing = 'well' | 'refused' | 'suspect' | 'refusedSuspect' | Late

type Late = 'tardy' | 'slow' | 'stuck'

export interface Resource {
  readonly uid: string
  readonly namespace: string
}

/** A create that is unanswered for so long hangs, unless all take long. */
const hangsAfterMs = 500
/** Who takes so long is late; a suspect gets no longer. */
export const slowAfterMs = 1_000

/** Long enough for who was hit by a pause of the API server, short enough for those who wait behind. */
const secondChanceMs = 2_000

/** How long the API server is given for one create, at most. */
const limitsMs: Readonly<Record<Standing, number>> = {
  well: Number.POSITIVE_INFINITY,
  refused: Number.POSITIVE_INFINITY,
  suspect: slowAfterMs,
  refusedSuspect: slowAfterMs,
  tardy: Number.POSITIVE_INFINITY,
  slow: secondChanceMs,
  stuck: Number.POSITIVE_INFINITY,
}

/** What became of one create. */
export interface End {
  readonly answer: Answer
  /** How its resource stood when it was sent. */
  readonly before: Standing
  readonly sentAt: Monotonic
  readonly tookMs: number
}

/** How each resource stands, by what became of its creates and of those of others. A resource without trouble takes no room. */
export class Standings {
  readonly #trouble = new Map<string, 'refused' | Late>()
  readonly #suspicion = new Suspicion()
  readonly #pace = new Pace()

  of({ uid, namespace }: Resource): Standing {
    const trouble = this.#trouble.get(uid)
    if (trouble !== undefined && trouble !== 'refused') return trouble
    if (this.#suspicion.isSuspect(uid, namespace)) return trouble === 'refused' ? 'refusedSuspect' : 'suspect'
    return trouble ?? 'well'
  }

  /** A create that is unanswered for so long hangs. */
  get hangsAfterMs(): number {
    return hangsAfterMs * this.#factor
  }

  /** How long the API server is to be given for one create, at most. */
  limitMs(standing: Standing): number {
    return limitsMs[standing] * this.#factor
  }

  /** When the newest create that was answered soon was sent; 0 when none was. */
  lastAnswered(uid: string): Monotonic {
    return this.#suspicion.lastAnswered(uid) ?? 0
  }

  /** A create is unanswered for `hangsAfterMs`; the `hungNoMore` that this answers is to be called when it is answered. */
  hangs({ uid, namespace }: Resource, sentAt: Monotonic, before: Standing): () => void {
    if (!this.#isAnsweredSince(uid, sentAt) && before !== 'tardy') this.#worsen(uid, before)
    this.#suspicion.begin(namespace, sentAt, before === 'well' || before === 'refused')
    return () => this.#suspicion.end(namespace)
  }

  /** A create came to its end. */
  answered(uid: string, end: End): void {
    const { answer, sentAt, tookMs } = end
    if (answer === 'gone') this.forget(uid)
    if (answer === 'gone' || answer === 'unasked') return
    // Another one that was sent later has been answered meanwhile: this is no news.
    if (!this.#isAnsweredSince(uid, sentAt)) this.#judge(uid, end)
    if (answer === 'taken') this.#pace.answered(tookMs)
  }

  #judge(uid: string, { answer, before, sentAt, tookMs }: End): void {
    if (answer === 'taken' && tookMs >= slowAfterMs * this.#factor) this.#trouble.set(uid, 'tardy')
    else if (answer !== 'taken' && tookMs >= this.hangsAfterMs) this.#worsen(uid, before)
    else {
      this.#suspicion.answered(uid, sentAt)
      if (answer === 'refused') this.#trouble.set(uid, 'refused')
      else this.#trouble.delete(uid)
    }
  }

  /** The API server was asked about the resource by other means. */
  tried(uid: string, isAnswered: boolean, now: Monotonic): void {
    const trouble = this.#trouble.get(uid)
    if (!isAnswered) this.#worsen(uid, 'well')
    else {
      this.#suspicion.answered(uid, now)
      if (trouble !== 'refused') this.#trouble.delete(uid)
    }
  }

  forget(uid: string): void {
    this.#trouble.delete(uid)
    this.#suspicion.forget(uid)
  }

  get #factor(): number {
    return this.#pace.factor(hangsAfterMs)
  }

  #isAnsweredSince(uid: string, sentAt: Monotonic): boolean {
    return (this.#suspicion.lastAnswered(uid) ?? Number.NEGATIVE_INFINITY) > sentAt
  }

  /** Anybody may be hit by a pause of the API server once. */
  #worsen(uid: string, before: Standing): void {
    const isRepeated = before === 'slow' || before === 'stuck' || this.#trouble.get(uid) === 'stuck'
    this.#trouble.set(uid, isRepeated ? 'stuck' : 'slow')
  }
}
