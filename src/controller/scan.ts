import type { Logger } from 'pino'
import { type ApiError, asApiError } from '../api/api-error.ts'
import type { Clock } from '../clock.ts'
import { isNewer } from '../store.ts'
import type { View } from './ports.ts'

/** Identity and age of an object, all that a metadata-only list is asked for. */
export interface Listed {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
}

/** One kind of object, as the scan compares it. */
export interface Scanned<T extends Listed> {
  /** For the log: `secondcronjobs`, `jobs`. */
  readonly what: string
  readonly held: Pick<View<T>, 'get' | 'values'>
  /** A fresh, consistent, complete list. */
  readonly list: () => Promise<readonly Listed[]>
  /** null when the API server says that there is no such object. */
  readonly get: (namespace: string, name: string) => Promise<T | null>
  readonly put: (object: T) => void
  /** Takes out what the API server has said is no more (or is no longer selected). */
  readonly remove: (uid: string) => void
}

/** How long the watch may be behind the list before the difference counts as lost. */
const graceMs = 1_500
const lookUpsAtOnce = 8
const catchUpMs = 500
const catchUpStepMs = 25

/**
 * The safety net under the watches: compares a fresh list with a store, and repairs what a watch has lost.
 *
 * Guarantees: absence from a list is never believed, the object is looked up first; what changes in the store during
 * the grace time is left to the watch; a list that fails says nothing at all.
 */
export class Scan<T extends Listed> {
  readonly #kind: Scanned<T>
  readonly #clock: Clock
  readonly #log: Logger
  #repairs = 0

  constructor(kind: Scanned<T>, clock: Clock, log: Logger) {
    this.#kind = kind
    this.#clock = clock
    this.#log = log
  }

  /** Repairs so far; should stay 0. */
  get repairs(): number {
    return this.#repairs
  }

  /** One comparison. Never rejects for what the API server does. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      const listed = await this.#kind.list()
      const doubtful = [...this.#differing(listed), ...this.#missing(listed)]
      if (doubtful.length === 0) return
      await this.#clock.sleep(graceMs, signal)
      if (!signal.aborted) await this.verify(doubtful.filter((doubt) => this.#isUnchanged(doubt)))
    } catch (thrown) {
      this.#log.warn({ kind: this.#kind.what, err: asApiError(thrown) }, 'full scan failed')
    }
  }

  /**
   * Makes the store no older than a list that is asked for now. The watch gets a moment to do so; what it has not told by
   * then is looked up. Rejects with ApiError when the API server does not answer one of the questions.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    const listed = await this.#kind.list()
    const behind = () => [...listed.filter((item) => this.#isBehind(item)), ...this.#missing(listed)]
    let doubtful = behind()
    for (let waited = 0; doubtful.length > 0 && waited < catchUpMs && !signal.aborted; waited += catchUpStepMs) {
      await this.#clock.sleep(catchUpStepMs, signal)
      doubtful = behind()
    }
    const failures = await this.verify(doubtful)
    if (failures[0] !== undefined) throw failures[0]
  }

  /** Looks these objects up, and makes the store say what the API server says. Answers what could not be looked up. */
  async verify(doubtful: readonly Listed[]): Promise<readonly ApiError[]> {
    const failures: ApiError[] = []
    for (let at = 0; at < doubtful.length; at += lookUpsAtOnce) {
      const some = doubtful.slice(at, at + lookUpsAtOnce)
      failures.push(...(await Promise.all(some.map((doubt) => this.#lookUp(doubt)))).filter((error) => error !== null))
    }
    return failures
  }

  /** In the list, but the store has another version or none; with the version that the store has. */
  #differing(listed: readonly Listed[]): Listed[] {
    return listed.flatMap((item) => {
      const held = this.#kind.held.get(item.uid)
      if (held?.resourceVersion === item.resourceVersion) return []
      return [{ ...item, resourceVersion: held?.resourceVersion ?? '' }]
    })
  }

  #missing(listed: readonly Listed[]): Listed[] {
    const uids = new Set(listed.map(({ uid }) => uid))
    return [...this.#kind.held.values()].filter(({ uid }) => !uids.has(uid))
  }

  #isUnchanged({ uid, resourceVersion }: Listed): boolean {
    return (this.#kind.held.get(uid)?.resourceVersion ?? '') === resourceVersion
  }

  #isBehind({ uid, resourceVersion }: Listed): boolean {
    const held = this.#kind.held.get(uid)
    return held === undefined || isNewer(resourceVersion, held.resourceVersion)
  }

  async #lookUp({ uid, namespace, name }: Listed): Promise<ApiError | null> {
    try {
      const before = this.#kind.held.get(uid)?.resourceVersion
      const found = await this.#kind.get(namespace, name)
      if (found?.uid === uid) this.#kind.put(found)
      else this.#kind.remove(uid)
      if (this.#kind.held.get(uid)?.resourceVersion === before) return null
      this.#repairs += 1
      this.#log.warn({ kind: this.#kind.what, namespace, name, uid }, 'full scan repaired what the watch had lost')
      return null
    } catch (thrown) {
      const err = asApiError(thrown)
      this.#log.debug({ kind: this.#kind.what, namespace, name, err }, 'look-up failed')
      return err
    }
  }
}
