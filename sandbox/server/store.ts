import type { KubeObject } from './objects.ts'
import type { ResourceType } from './types.ts'

/** An object, and what it was stored as. */
export interface Place {
  readonly type: ResourceType
  readonly object: KubeObject
}

export interface Change extends Place {
  readonly event: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** What it was; null for one that is new. */
  readonly before: KubeObject | null
}

/** All objects, and the newest changes. One counter is the resourceVersion of everything; listeners are told at once. */
export class Store {
  readonly #collections = new Map<string, Map<string, KubeObject>>()
  readonly #byUid = new Map<string, Place>()
  /** The uids of the objects that refer to an owner, whether it exists or not. */
  readonly #dependents = new Map<string, Set<string>>()
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #window: Change[] = []
  readonly #longestWindow: number
  /** As if there had been something before. */
  #version = 100

  constructor(longestWindow: number) {
    this.#longestWindow = longestWindow
  }

  get version(): number {
    return this.#version
  }

  get({ collection }: ResourceType, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#collections.get(collection)?.get(keyOf({ namespace, name }))
  }

  /** In the order of namespace and name, as it was at a version; null when that is forgotten. */
  list({ collection }: ResourceType, version = this.#version): readonly KubeObject[] | null {
    const changes = this.since(version)
    if (changes === null) return null
    const objects = new Map(this.#collections.get(collection))
    for (const { type, object, before } of changes.toReversed()) {
      if (type.collection !== collection) continue
      if (before === null) objects.delete(keyOf(object.metadata))
      else objects.set(keyOf(object.metadata), before)
    }
    return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
  }

  byUid(uid: string): Place | undefined {
    return this.#byUid.get(uid)
  }

  dependentsOf(uid: string): readonly Place[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#byUid.get(dependent) ?? [])
  }

  where(isWanted: (place: Place) => boolean): readonly Place[] {
    return [...this.#byUid.values()].filter(isWanted)
  }

  /** Stores it under the next resourceVersion, and answers it as it is stored. */
  put(type: ResourceType, sent: KubeObject): KubeObject {
    const object = this.#stamped(sent)
    const { uid, ownerReferences = [] } = object.metadata
    const objects = this.#collections.get(type.collection) ?? new Map<string, KubeObject>()
    const before = objects.get(keyOf(object.metadata)) ?? null
    this.#collections.set(type.collection, objects.set(keyOf(object.metadata), object))
    if (before !== null) this.#unlink(before)
    this.#byUid.set(uid, { type, object })
    for (const owner of ownerReferences)
      this.#dependents.set(owner.uid, (this.#dependents.get(owner.uid) ?? new Set()).add(uid))
    this.#tell({ event: before === null ? 'ADDED' : 'MODIFIED', type, object, before })
    return object
  }

  remove(type: ResourceType, last: KubeObject): KubeObject {
    const object = this.#stamped(last)
    const before = this.get(type, last.metadata.namespace, last.metadata.name) ?? last
    this.#collections.get(type.collection)?.delete(keyOf(object.metadata))
    this.#unlink(before)
    this.#tell({ event: 'DELETED', type, object, before })
    return object
  }

  /** The changes after a version, oldest first; null when some of them are forgotten. */
  since(version: number): readonly Change[] | null {
    // Each change has its own version, and none is left out.
    const forgotten = this.#version - this.#window.length
    return version < forgotten ? null : this.#window.slice(version - forgotten)
  }

  /** Answers how to end it. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #stamped(object: KubeObject): KubeObject {
    this.#version += 1
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } }
  }

  #unlink({ metadata: { uid, ownerReferences = [] } }: KubeObject): void {
    this.#byUid.delete(uid)
    for (const owner of ownerReferences) {
      const dependents = this.#dependents.get(owner.uid)
      dependents?.delete(uid)
      if (dependents?.size === 0) this.#dependents.delete(owner.uid)
    }
  }

  #tell(change: Change): void {
    this.#window.push(change)
    // In batches, since each moves all the others.
    if (this.#window.length >= 2 * this.#longestWindow) this.#window.splice(0, this.#longestWindow)
    for (const listener of this.#listeners) listener(change)
  }
}

function keyOf({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return `${namespace}/${name}`
}
