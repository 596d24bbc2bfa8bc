import type { Monotonic } from './clock.ts'
import type { Listed } from './controller/scan.ts'
import type { WatchHealth } from './kube/reflector.ts'
import { type Answers, type Collection, Mirror, type MirrorParts, type Scope } from './mirror.ts'

/**
 * The mirrors of some namespaces, or the one of all, as if they were one.
 *
 * A namespace of the list that the API server refuses is waited for by nobody, as long as nothing is served in it: it
 * may not be there yet, and from here that looks like a role that is not bound. One of them at least has to be readable.
 */
export class Mirrors<T extends Listed> {
  readonly #mirrors: ReadonlyMap<string | undefined, Mirror<T>>

  /** Of each namespace nothing is read before `after` has it; all at once when there is no list of namespaces. */
  constructor(
    parts: MirrorParts,
    collection: Collection<T>,
    namespaces: readonly string[] | undefined,
    after?: { readonly of: (namespace: string) => Answers | undefined },
  ) {
    const scopes: readonly Scope[] = namespaces?.map((namespace) => ({ namespace, after: after?.of(namespace) })) ?? [
      { namespace: undefined, after: undefined },
    ]
    this.#mirrors = new Map(scopes.map((scope) => [scope.namespace, new Mirror(parts, collection, scope)]))
  }

  of(namespace: string): Answers | undefined {
    return this.#mirrors.get(namespace)
  }

  /** Resolves when the first whole list of each that can be read is in the store. */
  async synced(): Promise<void> {
    const all = [...this.#mirrors.values()]
    await Promise.all(all.map((mirror) => mirror.answered()))
    await Promise.any(all.map((mirror) => mirror.synced))
  }

  /** Watches until `signal` aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#mirrors.values().map((mirror) => mirror.watch(signal)))
  }

  async scan(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#mirrors.values().map((mirror) => mirror.scan(signal)))
  }

  /** Makes the store no older than now. Rejects with ApiError. */
  async catchUp(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#mirrors.values().map((mirror) => mirror.catchUp(signal)))
  }

  /** By the scans, ever. */
  get repairs(): number {
    return this.#mirrors.values().reduce((sum, { repairs }) => sum + repairs, 0)
  }

  /** No better than the worst of them. */
  health(now: Monotonic): WatchHealth {
    const mirrors = [...this.#mirrors.values()]
    const present = mirrors.filter((mirror) => !mirror.isAbsent)
    const all = (present.length === 0 ? mirrors : present).map((mirror) => mirror.health(now))
    return {
      synced: all.every(({ synced }) => synced),
      connected: all.every(({ connected }) => connected),
      silentMs: Math.max(...all.map(({ silentMs }) => silentMs)),
      disconnectedMs: Math.max(...all.map(({ disconnectedMs }) => disconnectedMs)),
    }
  }
}
