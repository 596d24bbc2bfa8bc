import type { Logger } from 'pino'
import type { Clock, Monotonic } from './clock.ts'
import { type Listed, Scan } from './controller/scan.ts'
import { listMetadata } from './kube/paged-list.ts'
import { Reflector, type WatchHealth } from './kube/reflector.ts'
import type { Transport } from './kube/transport.ts'
import type { Store } from './store.ts'

/** One collection of the API server, and the store that is to be equal to it. */
export interface Collection<T extends Listed> {
  /** For the log: `secondcronjobs`, `jobs`. */
  readonly what: string
  readonly path: string
  readonly labelSelector?: string
  readonly decode: (raw: unknown) => T
  readonly store: Store<T>
  readonly get: (namespace: string, name: string) => Promise<T | null>
  /** Takes out of the store what the API server has said is gone. */
  readonly remove: (uid: string) => void
  /** Whether absence from a list is enough to believe that an object is gone, or it has to be looked up. */
  readonly absence: 'believed' | 'looked up'
}

export interface MirrorParts {
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
}

/** Keeps a store equal to a collection: by a watch, and by a scan under it. */
export class Mirror<T extends Listed> {
  readonly #reflector: Reflector<T>
  readonly #scan: Scan<T>
  readonly #first = Promise.withResolvers<void>()

  constructor({ transport, clock, log }: MirrorParts, collection: Collection<T>) {
    const { what, path, decode, store, get, remove } = collection
    const { labelSelector } = collection
    const selected = labelSelector === undefined ? { path } : { path, labelSelector }
    const put = (item: T) => store.put(item)
    const list = () => listMetadata({ transport, ...selected })
    this.#scan = new Scan({ what, held: store, list, get, put, remove }, clock, log)
    this.#reflector = new Reflector({
      transport,
      clock,
      log,
      ...selected,
      decode,
      sink: { replace: (items) => this.#replace(collection, items), put, remove: ({ uid }) => remove(uid) },
      random: Math.random,
    })
  }

  /** Resolves when the first whole list is in the store. */
  get synced(): Promise<void> {
    return this.#first.promise
  }

  /** Watches until `signal` aborts. */
  watch(signal: AbortSignal): Promise<void> {
    return this.#reflector.run(signal)
  }

  scan(signal: AbortSignal): Promise<void> {
    return this.#scan.run(signal)
  }

  health(now: Monotonic): WatchHealth {
    return this.#reflector.health(now)
  }

  #replace({ store, absence, remove }: Collection<T>, items: readonly T[]): void {
    const missing = store.putAll(items)
    if (absence === 'looked up') void this.#scan.verify(missing)
    else for (const { uid } of missing) remove(uid)
    this.#first.resolve()
  }
}
