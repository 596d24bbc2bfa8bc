import type { Monotonic } from '../clock.ts'
import { Suspicion } from './suspicion.ts'

/** What the end of a create says about the way there. `unasked`: nothing. `gone`: there is no such resource any more. */
export type Answer = 'taken' | 'refused' | 'failed' | 'unasked' | 'gone'

/** `refused`: the last create was, at once. `slow`: it hung. `suspect`: the next one may hang. */
export type Standing = 'well' | 'refused' | 'suspect' | 'refusedSuspect' | 'slow'

export interface Resource {
  readonly uid: string
  readonly namespace: string
}

/** A create that is unanswered for so long hangs. */
export const hangsAfterMs = 500
/** Who takes so long is slow; a suspect gets no longer. */
export const slowAfterMs = 1_000

/** How each resource stands, by what became of its creates and of those of others. A resource without trouble takes no room. */
export class Standings {
  readonly #trouble = new Map<string, 'refused' | 'slow'>()
  readonly #suspicion = new Suspicion()

  of({ uid, namespace }: Resource): Standing {
    const trouble = this.#trouble.get(uid)
    if (trouble === 'slow') return 'slow'
    if (this.#suspicion.isSuspect(uid, namespace)) return trouble === 'refused' ? 'refusedSuspect' : 'suspect'
    return trouble ?? 'well'
  }

  /** A create is unanswered for `hangsAfterMs`; the `hungNoMore` that this answers is to be called when it is answered. */
  hangs({ uid, namespace }: Resource, sentAt: Monotonic, before: Standing): () => void {
    if (!this.#suspicion.isAnsweredSince(uid, sentAt)) this.#trouble.set(uid, 'slow')
    this.#suspicion.begin(namespace, sentAt, before === 'well' || before === 'refused')
    return () => this.#suspicion.end(namespace)
  }

  /** A create came to its end. */
  answered(
    uid: string,
    answer: Answer,
    { sentAt, tookMs }: { readonly sentAt: Monotonic; readonly tookMs: number },
  ): void {
    if (answer === 'gone') this.forget(uid)
    if (answer === 'gone' || answer === 'unasked') return
    // Another one that was sent later has been answered meanwhile: this is no news.
    if (this.#suspicion.isAnsweredSince(uid, sentAt)) return
    if (tookMs >= slowAfterMs || (tookMs >= hangsAfterMs && answer !== 'taken')) {
      this.#trouble.set(uid, 'slow')
      return
    }
    this.#suspicion.answered(uid, sentAt)
    if (answer === 'refused') this.#trouble.set(uid, 'refused')
    else this.#trouble.delete(uid)
  }

  /** The API server was asked about the resource by other means; answers whether that changes how it stands. */
  tried(uid: string, isAnswered: boolean, now: Monotonic): boolean {
    const wasSlow = this.#trouble.get(uid) === 'slow'
    if (isAnswered) this.#suspicion.answered(uid, now)
    if (wasSlow === !isAnswered) return false
    if (isAnswered) this.#trouble.delete(uid)
    else this.#trouble.set(uid, 'slow')
    return true
  }

  forget(uid: string): void {
    this.#trouble.delete(uid)
    this.#suspicion.forget(uid)
  }
}
