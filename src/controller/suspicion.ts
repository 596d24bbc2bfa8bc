import type { Monotonic } from '../clock.ts'

/** The creates of one namespace that hang. */
interface Hanging {
  count: number
  /** When the newest of those was sent that nobody had suspected. */
  surprisedAt: Monotonic
}

/** When creates hang in so many namespaces, the next one to do so may be in any. */
const manyNamespaces = 3
/** Who was answered so shortly before a create that hangs was answered in the same burst. */
const sameBurstMs = 500

/**
 * Whose next create may hang, as far as can be told before it is sent: while creates of a namespace hang, everybody there
 * who has had no answer of their own since then.
 */
export class Suspicion {
  readonly #hanging = new Map<string, Hanging>()
  /** By uid: when the newest create that was answered soon was sent. */
  readonly #answeredAt = new Map<string, Monotonic>()
  #surprisedAt: Monotonic = Number.NEGATIVE_INFINITY

  isSuspect(uid: string, namespace: string): boolean {
    const here = this.#hanging.get(namespace)
    const isEverywhere = this.#hanging.size >= manyNamespaces
    if (here === undefined && !isEverywhere) return false
    const since = isEverywhere ? this.#surprisedAt : (here?.surprisedAt ?? Number.NEGATIVE_INFINITY)
    return (this.#answeredAt.get(uid) ?? Number.NEGATIVE_INFINITY) < since - sameBurstMs
  }

  /** A create hangs; `surprise` when its resource was not known to be slow, nor suspected. */
  begin(namespace: string, sentAt: Monotonic, surprise: boolean): void {
    const hanging = this.#hanging.get(namespace) ?? { count: 0, surprisedAt: Number.NEGATIVE_INFINITY }
    this.#hanging.set(namespace, hanging)
    hanging.count += 1
    if (!surprise) return
    hanging.surprisedAt = Math.max(hanging.surprisedAt, sentAt)
    this.#surprisedAt = Math.max(this.#surprisedAt, sentAt)
  }

  /** It hangs no more. */
  end(namespace: string): void {
    const hanging = this.#hanging.get(namespace)
    if (hanging === undefined) return
    hanging.count -= 1
    if (hanging.count === 0) this.#hanging.delete(namespace)
  }

  /** The API server has answered soon: with yes or no. */
  answered(uid: string, sentAt: Monotonic): void {
    this.#answeredAt.set(uid, sentAt)
  }

  lastAnswered(uid: string): Monotonic | undefined {
    return this.#answeredAt.get(uid)
  }

  forget(uid: string): void {
    this.#answeredAt.delete(uid)
  }
}
