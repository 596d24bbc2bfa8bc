/** What an object needs to be kept: the uid is its identity, the resourceVersion its age. */
export interface Stored {
  readonly uid: string
  readonly resourceVersion: string
}

/** Told of every change, with the object before and after it; `undefined` stands for its absence. */
export type Changed<T> = (before: T | undefined, after: T | undefined) => void

/**
 * The objects of one kind, by uid. One reflector, the scan and the answers to our own writes put objects in; everybody
 * else reads.
 *
 * Guarantees: an object never goes back in time (a put that is older than what is held is ignored), and a uid that was
 * removed for good does not come back (uids are never used twice; a late event of a slow watch is not a resurrection).
 */
export class Store<T extends Stored> {
  readonly #items = new Map<string, T>()
  /** The newest of the removed uids, oldest first. */
  readonly #gone = new Set<string>()
  readonly #changed: Changed<T>

  constructor(changed: Changed<T>) {
    this.#changed = changed
  }

  get size(): number {
    return this.#items.size
  }

  get(uid: string): T | undefined {
    return this.#items.get(uid)
  }

  values(): MapIterator<T> {
    return this.#items.values()
  }

  put(item: T): void {
    if (this.#gone.has(item.uid)) return
    const held = this.#items.get(item.uid)
    if (held !== undefined && !isNewer(item.resourceVersion, held.resourceVersion)) return
    this.#items.set(item.uid, item)
    this.#changed(held, item)
  }

  /** Takes the object out; it may come back, as one does that leaves a label selector and returns. */
  remove(uid: string): void {
    const held = this.#items.get(uid)
    if (held === undefined) return
    this.#items.delete(uid)
    this.#changed(held, undefined)
  }

  /** Takes the object out for good: the API server has said that this uid is no more. */
  bury(uid: string): void {
    this.#gone.add(uid)
    if (this.#gone.size > mostRemembered) this.#gone.delete(this.#gone.values().next().value ?? '')
    this.remove(uid)
  }

  /** Puts a whole list in, and answers what is held but not in it: the caller says what absence means. */
  putAll(items: readonly T[]): readonly T[] {
    const listed = new Set<string>()
    for (const item of items) {
      listed.add(item.uid)
      this.put(item)
    }
    return [...this.#items.values()].filter((item) => !listed.has(item.uid))
  }
}

const mostRemembered = 10_000

/** resourceVersions of one kind compare as decimal numbers of any length (KEP-5504). */
export function isNewer(version: string, than: string): boolean {
  return version.length === than.length ? version > than : version.length > than.length
}
