import type { Logger } from 'pino'
import { aborted, type Clock, type Monotonic } from './clock.ts'
import { type Listed, Scan } from './controller/scan.ts'
import { PageSize } from './kube/page-size.ts'
import { listMetadata } from './kube/paged-list.ts'
import { Reflector, type WatchHealth } from './kube/reflector.ts'
import { isOfKind } from './kube/watch-event.ts'
import type { Transport } from './kube/transport.ts'
import type { Store } from './store.ts'

/** One collection of the API server, and the store that is to be equal to it. */
export interface Collection<T extends Listed> {
  /** For the log: `secondcronjobs`, `jobs`. */
  readonly what: string
  /** Of one namespace, or of all. */
  readonly path: (namespace?: string) => string
  readonly labelSelector?: string
  readonly decode: (raw: unknown) => T
  readonly store: Store<T>
  readonly get: (namespace: string, name: string) => Promise<T | null>
  /** Takes out of the store what the API server has said is gone. */
  readonly remove: (uid: string) => void
  /** Whether absence from a list is enough to believe that an object is gone, or it has to be looked up. */
  readonly absence: 'believed' | 'looked up'
  /** Whether there is something in this namespace that suffers while the API server refuses it. */
  readonly isServed: (namespace: string) => boolean
}

export interface MirrorParts {
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
}

/** What is known of one namespace of a collection. */
export interface Answers {
  /** Resolves when the first whole list is in the store. */
  readonly synced: Promise<void>
  /** Resolves when the API server has refused to list or watch it for the first time. */
  readonly refused: Promise<void>
  /** Whether that was the last thing it said. */
  readonly isRefused: boolean
}

export interface Scope {
  /** All when absent. */
  readonly namespace: string | undefined
  /** Nothing is read before this is. */
  readonly after: Answers | undefined
}

/** Keeps a store equal to a collection, or to one namespace of it: by a watch, and by a scan under it. */
export class Mirror<T extends Listed> implements Answers {
  readonly #collection: Collection<T>
  readonly #scope: Scope
  readonly #clock: Clock
  readonly #reflector: Reflector<T>
  readonly #scan: Scan<T>
  readonly #synced = Promise.withResolvers<void>()
  readonly #refused = Promise.withResolvers<void>()
  #lastRefused = false

  constructor({ transport, clock, log }: MirrorParts, collection: Collection<T>, scope: Scope) {
    const { what, decode, store, get, remove, labelSelector } = collection
    this.#collection = collection
    this.#scope = scope
    this.#clock = clock
    const path = collection.path(scope.namespace)
    const selected = labelSelector === undefined ? { path } : { path, labelSelector }
    const put = (item: T) => store.put(item)
    const size = new PageSize()
    const list = () => listMetadata({ transport, ...selected, size })
    const held = { get: (uid: string) => store.get(uid), values: () => this.#own() }
    this.#scan = new Scan({ what, held, list, get, put, remove }, clock, log)
    this.#reflector = new Reflector({
      transport,
      clock,
      log,
      ...selected,
      decode,
      sink: { replace: (items) => this.#replace(items), put, remove: ({ uid }) => remove(uid) },
      onFailure: (thrown) => this.#failed(thrown),
      random: Math.random,
    })
  }

  get synced(): Promise<void> {
    return this.#synced.promise
  }

  get refused(): Promise<void> {
    return this.#refused.promise
  }

  /** Also while the one before it is refused: until then nothing was asked for here. */
  get isRefused(): boolean {
    const isRefused = this.#lastRefused || this.#scope.after?.isRefused === true
    return isRefused && !this.health(this.#clock.monotonic()).connected
  }

  /** Resolves when it is known whether this can be read. */
  async answered(): Promise<void> {
    await Promise.race([this.synced, this.refused, this.#scope.after?.refused ?? this.refused])
  }

  /** The API server refuses this namespace and nobody is served in it: for all that can be known it is not there. */
  get isAbsent(): boolean {
    const { namespace } = this.#scope
    return namespace !== undefined && this.isRefused && !this.#collection.isServed(namespace)
  }

  /** Watches until `signal` aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#scope.after?.synced, aborted(signal)])
    await this.#reflector.run(signal)
  }

  async scan(signal: AbortSignal): Promise<void> {
    await (this.isRefused ? this.#lookUp() : this.#scan.run(signal))
  }

  /** By the scan, ever. */
  get repairs(): number {
    return this.#scan.repairs
  }

  /**
   * Makes the store no older than now. A namespace that may not be read holds up none of the others; the refusal may be
   * news, since an open watch outlives the right to it. Rejects with ApiError.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    try {
      if (!this.isRefused) return await this.#scan.catchUp(signal)
    } catch (thrown) {
      if (this.#scope.namespace === undefined || !isOfKind(thrown, 'Forbidden')) throw thrown
    }
    await this.#lookUp()
  }

  health(now: Monotonic): WatchHealth {
    return this.#reflector.health(now)
  }

  #replace(items: readonly T[]): void {
    const { store, absence, remove } = this.#collection
    const missing = store.putAll(items).filter((item) => this.#isOwn(item))
    if (absence === 'looked up') void this.#scan.verify(missing)
    else for (const { uid } of missing) remove(uid)
    this.#lastRefused = false
    this.#synced.resolve()
  }

  #failed(thrown: unknown): void {
    this.#lastRefused = isOfKind(thrown, 'Forbidden')
    if (this.#lastRefused) this.#refused.resolve()
  }

  /** What may not be listed may still be looked up, one by one: a terminating namespace loses its RoleBindings first. */
  async #lookUp(): Promise<void> {
    if (this.#collection.absence === 'looked up') await this.#scan.verify([...this.#own()])
  }

  #own(): IteratorObject<T, undefined> {
    return this.#collection.store.values().filter((item) => this.#isOwn(item))
  }

  /** Other namespaces of the same store have mirrors of their own. */
  #isOwn({ namespace }: T): boolean {
    return this.#scope.namespace === undefined || namespace === this.#scope.namespace
  }
}
