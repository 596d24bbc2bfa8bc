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
}

export interface MirrorParts {
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
}

/** Keeps a store equal to a collection, or to one namespace of it: by a watch, and by a scan under it. */
export class Mirror<T extends Listed> {
  readonly #collection: Collection<T>
  readonly #namespace: string | undefined
  readonly #reflector: Reflector<T>
  readonly #scan: Scan<T>
  readonly #first = Promise.withResolvers<void>()

  constructor({ transport, clock, log }: MirrorParts, collection: Collection<T>, namespace?: string) {
    const { what, decode, store, get, remove, labelSelector } = collection
    this.#collection = collection
    this.#namespace = namespace
    const path = collection.path(namespace)
    const selected = labelSelector === undefined ? { path } : { path, labelSelector }
    const put = (item: T) => store.put(item)
    const list = () => listMetadata({ transport, ...selected })
    const held = { get: (uid: string) => store.get(uid), values: () => this.#own(store.values()) }
    this.#scan = new Scan({ what, held, list, get, put, remove }, clock, log)
    this.#reflector = new Reflector({
      transport,
      clock,
      log,
      ...selected,
      decode,
      sink: { replace: (items) => this.#replace(items), put, remove: ({ uid }) => remove(uid) },
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

  /** By the scan, ever. */
  get repairs(): number {
    return this.#scan.repairs
  }

  /** Makes the store no older than now. Rejects with ApiError. */
  catchUp(signal: AbortSignal): Promise<void> {
    return this.#scan.catchUp(signal)
  }

  health(now: Monotonic): WatchHealth {
    return this.#reflector.health(now)
  }

  #replace(items: readonly T[]): void {
    const { store, absence, remove } = this.#collection
    const missing = [...this.#own(store.putAll(items).values())]
    if (absence === 'looked up') void this.#scan.verify(missing)
    else for (const { uid } of missing) remove(uid)
    this.#first.resolve()
  }

  /** Other namespaces of the same store have mirrors of their own. */
  #own(items: IteratorObject<T, undefined>): IteratorObject<T, undefined> {
    return items.filter(({ namespace }) => this.#namespace === undefined || namespace === this.#namespace)
  }
}

/** The mirrors of some namespaces, or the one of all, as if they were one. */
export class Mirrors<T extends Listed> {
  readonly #mirrors: readonly Mirror<T>[]

  constructor(parts: MirrorParts, collection: Collection<T>, namespaces: readonly string[] | undefined) {
    const scopes = namespaces ?? [undefined]
    this.#mirrors = scopes.map((namespace) => new Mirror(parts, collection, namespace))
  }

  /** Resolves when the first whole list of each is in the store. */
  async synced(): Promise<void> {
    await Promise.all(this.#mirrors.map((mirror) => mirror.synced))
  }

  /** Watches until `signal` aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#mirrors.map((mirror) => mirror.watch(signal)))
  }

  async scan(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#mirrors.map((mirror) => mirror.scan(signal)))
  }

  /** Makes the store no older than now. Rejects with ApiError. */
  async catchUp(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#mirrors.map((mirror) => mirror.catchUp(signal)))
  }

  /** By the scans, ever. */
  get repairs(): number {
    return this.#mirrors.reduce((sum, { repairs }) => sum + repairs, 0)
  }

  /** No better than the worst of them. */
  health(now: Monotonic): WatchHealth {
    const all = this.#mirrors.map((mirror) => mirror.health(now))
    return {
      synced: all.every(({ synced }) => synced),
      connected: all.every(({ connected }) => connected),
      silentMs: Math.max(...all.map(({ silentMs }) => silentMs)),
      disconnectedMs: Math.max(...all.map(({ disconnectedMs }) => disconnectedMs)),
    }
  }
}
