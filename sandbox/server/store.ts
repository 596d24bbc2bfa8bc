import type { KubeObject } from './objects.ts'

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly collection: string
  readonly version: number
  readonly object: KubeObject
  /** What it was; null for one that is new. */
  readonly before: KubeObject | null
}

/** Where an object is. */
export interface Place {
  readonly collection: string
  readonly object: KubeObject
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
  /** The newest change that is no longer in the window. */
  #forgotten = this.#version

  constructor(longestWindow: number) {
    this.#longestWindow = longestWindow
  }

  get version(): number {
    return this.#version
  }

  get(collection: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#collections.get(collection)?.get(keyOf({ namespace, name }))
  }

  /** In the order of namespace and name. */
  list(collection: string, namespace = ''): readonly KubeObject[] {
    const all = [...(this.#collections.get(collection)?.entries() ?? [])]
    const wanted = namespace === '' ? all : all.filter(([, { metadata }]) => metadata.namespace === namespace)
    return wanted.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
  }

  byUid(uid: string): Place | undefined {
    return this.#byUid.get(uid)
  }

  dependentsOf(uid: string): readonly Place[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#byUid.get(dependent) ?? [])
  }

  inNamespace(namespace: string): readonly Place[] {
    return [...this.#byUid.values()].filter(({ object }) => object.metadata.namespace === namespace)
  }

  /** Stores it under the next resourceVersion, and answers it as it is stored. */
  put(collection: string, sent: KubeObject): KubeObject {
    const object = this.#stamped(sent)
    const objects = this.#collections.get(collection) ?? new Map<string, KubeObject>()
    const before = objects.get(keyOf(object.metadata)) ?? null
    this.#collections.set(collection, objects.set(keyOf(object.metadata), object))
    if (before !== null) this.#unlink(before)
    this.#byUid.set(object.metadata.uid, { collection, object })
    for (const { uid } of object.metadata.ownerReferences ?? [])
      this.#dependents.set(uid, (this.#dependents.get(uid) ?? new Set()).add(object.metadata.uid))
    this.#tell({ type: before === null ? 'ADDED' : 'MODIFIED', collection, version: this.#version, object, before })
    return object
  }

  remove(collection: string, last: KubeObject): KubeObject {
    const object = this.#stamped(last)
    const before = this.get(collection, last.metadata.namespace, last.metadata.name) ?? last
    this.#collections.get(collection)?.delete(keyOf(object.metadata))
    this.#unlink(before)
    this.#tell({ type: 'DELETED', collection, version: this.#version, object, before })
    return object
  }

  /** The changes after a version, oldest first; null when some of them are forgotten. */
  since(version: number): readonly Change[] | null {
    return version < this.#forgotten ? null : this.#window.filter((change) => change.version > version)
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

  #unlink({ metadata }: KubeObject): void {
    this.#byUid.delete(metadata.uid)
    for (const { uid } of metadata.ownerReferences ?? []) {
      const dependents = this.#dependents.get(uid)
      dependents?.delete(metadata.uid)
      if (dependents?.size === 0) this.#dependents.delete(uid)
    }
  }

  #tell(change: Change): void {
    this.#window.push(change)
    // In batches, since each moves all the others.
    if (this.#window.length >= 2 * this.#longestWindow)
      this.#forgotten = this.#window.splice(0, this.#longestWindow).at(-1)?.version ?? 0
    for (const listener of this.#listeners) listener(change)
  }
}

function keyOf({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return `${namespace}/${name}`
}
