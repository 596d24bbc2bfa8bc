import { setMaxListeners } from 'node:events'
import pino from 'pino'
import type { Listed } from '../../src/controller/scan.ts'
import type { ApiRequest, Transport } from '../../src/kube/transport.ts'
import type { Collection } from '../../src/mirror.ts'
import { Mirrors } from '../../src/mirrors.ts'
import { Store } from '../../src/store.ts'
import { anApiError } from './builders.ts'
import { ManualClock, settle } from './manual-clock.ts'

/** What the API server has in one namespace of a collection, and how it answers there. */
export class Place {
  readonly items: Listed[] = []
  refuses = false
  #lose = Promise.withResolvers<never>()

  async *watch(signal: AbortSignal, opened: () => void): AsyncGenerator<Buffer, void> {
    this.answer()
    const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    opened()
    await Promise.race([ended, this.#lose.promise])
    yield* []
  }

  /** Throws where it refuses. */
  answer(): readonly Listed[] {
    if (this.refuses) throw anApiError({ kind: 'Forbidden', code: 403 })
    return this.items
  }

  /** The open watch ends, and its version is too old: all is to be listed anew. */
  expire(): void {
    this.#lose.reject(anApiError({ kind: 'Gone', code: 410 }))
    this.#lose = Promise.withResolvers<never>()
  }
}

/** Mirrors of the namespaces `a` and `b` of one collection, without a socket. */
export class MirrorsStory {
  readonly clock: ManualClock
  readonly places = { a: new Place(), b: new Place() }
  readonly store = new Store<Listed>(() => undefined)
  readonly mirrors: Mirrors<Listed>
  /** The namespaces of the lists, and `NAMESPACE/NAME` of the look-ups. */
  readonly asked: string[] = []
  readonly #stop = new AbortController()
  #running: Promise<unknown> = Promise.resolve()

  constructor(absence: Collection<Listed>['absence'], after?: MirrorsStory) {
    setMaxListeners(0, this.#stop.signal)
    this.clock = after?.clock ?? new ManualClock('2026-01-01T12:00:00Z')
    const collection: Collection<Listed> = {
      what: 'things',
      path: (namespace) => `/${namespace}`,
      decode: (raw) => (raw as { metadata: Listed }).metadata,
      store: this.store,
      get: (namespace, name) => this.#get(namespace, name),
      remove: (uid) => this.store.bury(uid),
      absence,
      isServed: (namespace) => this.store.values().some((item) => item.namespace === namespace),
    }
    const transport = {
      request: ({ path, each }: ApiRequest) => this.#list(path, each),
      stream: (path: string, signal: AbortSignal, opened: () => void) => this.#place(path).watch(signal, opened),
    } as unknown as Transport
    const parts = { transport, clock: this.clock, log: pino({ level: 'silent' }) }
    this.mirrors = new Mirrors(parts, collection, ['a', 'b'], after?.mirrors)
  }

  /** Begins to watch, and lets everything happen that takes no time. */
  async run(): Promise<this> {
    this.#running = this.mirrors.watch(this.#stop.signal)
    await settle()
    return this
  }

  async scan(): Promise<void> {
    const scanning = this.mirrors.scan(this.#stop.signal)
    await this.clock.advance(1_500)
    await scanning
  }

  async catchUp(): Promise<void> {
    const catching = this.mirrors.catchUp(this.#stop.signal)
    await this.clock.advance(500)
    await catching
  }

  /** What is held, as `NAMESPACE/NAME`. */
  get held(): readonly string[] {
    return [...this.store.values()].map(({ namespace, name }) => `${namespace}/${name}`).sort()
  }

  get health() {
    return this.mirrors.health(this.clock.monotonic())
  }

  async isSynced(): Promise<boolean> {
    const synced = this.mirrors.synced().then(() => true)
    return Promise.race([synced, settle().then(() => false)])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  #place(path: string): Place {
    const [, namespace] = /^\/(a|b)\b/.exec(path) ?? []
    return this.places[namespace as 'a' | 'b']
  }

  async #list(path: string, each: ApiRequest['each']): Promise<{ body: unknown }> {
    this.asked.push(path.slice(1, 2))
    for (const metadata of this.#place(path).answer()) each?.({ metadata }, 1)
    return { body: { kind: 'List', metadata: { resourceVersion: '9' }, items: [] } }
  }

  /** Also where lists are refused. */
  async #get(namespace: string, name: string): Promise<Listed | null> {
    this.asked.push(`${namespace}/${name}`)
    return this.#place(`/${namespace}`).items.find((item) => item.name === name) ?? null
  }
}

export function thing(namespace: string, name: string): Listed {
  return { uid: `${namespace}-${name}`, namespace, name, resourceVersion: '1' }
}
