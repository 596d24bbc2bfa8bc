import { type Api, cleanupFinalizer, finalizerOf, type Mutations } from './mutations.ts'
import type { KubeObject } from './objects.ts'
import type { Change, Place } from './store.ts'
import { definitions, namespaces } from './types.ts'

/**
 * Deletes what has lost its owner, and ends the deletions that wait for others: Orphan, Foreground, namespaces, and
 * CustomResourceDefinitions. It looks at objects a turn after they have changed, never at the changes themselves.
 */
export class GarbageCollector {
  readonly #api: Api
  readonly #mutations: Mutations
  readonly #waiting = new Set<string>()

  constructor(api: Api, mutations: Mutations) {
    this.#api = api
    this.#mutations = mutations
  }

  start(): void {
    this.#api.store.subscribe((change) => this.#note(change))
  }

  #note({ type, collection, object: { metadata } }: Change): void {
    const { store } = this.#api
    if (type !== 'DELETED') this.#look(metadata.uid)
    else {
      for (const { uid } of metadata.ownerReferences ?? []) this.#look(uid)
      for (const { object } of store.dependentsOf(metadata.uid)) this.#look(object.metadata.uid)
      this.#look(store.get(namespaces.collection, undefined, metadata.namespace ?? '')?.metadata.uid)
      this.#look(store.get(definitions.collection, undefined, collection)?.metadata.uid)
    }
  }

  #look(uid: string | undefined): void {
    if (uid === undefined) return
    if (this.#waiting.size === 0) setImmediate(() => this.#lookAtAll())
    this.#waiting.add(uid)
  }

  #lookAtAll(): void {
    const uids = [...this.#waiting]
    this.#waiting.clear()
    for (const uid of uids) {
      const place = this.#api.store.byUid(uid)
      if (place !== undefined && !this.#collect(place) && place.object.metadata.deletionTimestamp !== undefined)
        this.#finish(place)
    }
  }

  /** Whether it had owners and has none any more. */
  #collect(place: Place): boolean {
    const { ownerReferences = [] } = place.object.metadata
    const solid = ownerReferences.filter(({ uid }) => this.#api.store.byUid(uid) !== undefined)
    if (solid.length === ownerReferences.length) return false
    if (solid.length > 0) this.#change(place, { ownerReferences: solid })
    else this.#delete(place)
    return true
  }

  #finish({ collection, object }: Place): void {
    const { store } = this.#api
    const { uid, name, finalizers = [] } = object.metadata
    const dependents = store.dependentsOf(uid)
    if (finalizers.includes(finalizerOf.Orphan)) {
      for (const dependent of dependents) this.#release(dependent, uid)
      this.#unhold({ collection, object }, finalizerOf.Orphan)
    } else if (finalizers.includes(finalizerOf.Foreground)) {
      const isBlocking = dependents.some((dependent) => blocks(dependent, uid))
      if (!this.#emptied(dependents) && isBlocking) return
      this.#unhold({ collection, object }, finalizerOf.Foreground)
    } else if (collection === namespaces.collection) {
      if (this.#emptied(store.inNamespace(name))) store.remove(collection, object)
    } else if (collection === definitions.collection) {
      const instances = store.list(name).map((instance) => ({ collection: name, object: instance }))
      if (this.#emptied(instances)) this.#unhold({ collection, object }, cleanupFinalizer)
    }
  }

  /** Deletes them; whether there were none. */
  #emptied(places: readonly Place[]): boolean {
    for (const place of places) if (place.object.metadata.deletionTimestamp === undefined) this.#delete(place)
    return places.length === 0
  }

  #delete({ collection, object }: Place): void {
    const type = this.#api.types.ofCollection(collection)
    if (type !== undefined) this.#mutations.delete(type, object, 'Background')
  }

  #release(place: Place, owner: string): void {
    const { ownerReferences = [] } = place.object.metadata
    this.#change(place, { ownerReferences: ownerReferences.filter(({ uid }) => uid !== owner) })
  }

  #unhold(place: Place, finalizer: string): void {
    const current = this.#api.store.byUid(place.object.metadata.uid)
    const finalizers = current?.object.metadata.finalizers?.filter((held) => held !== finalizer)
    if (current !== undefined && finalizers !== undefined) this.#change(current, { finalizers })
  }

  #change({ collection, object }: Place, lists: Partial<KubeObject['metadata']>): void {
    const type = this.#api.types.ofCollection(collection)
    const full = Object.entries(lists).filter(([, list]) => (list as unknown[]).length > 0)
    const { ownerReferences: _owners, finalizers: _finalizers, ...rest } = object.metadata
    const kept =
      'finalizers' in lists
        ? { ownerReferences: object.metadata.ownerReferences }
        : { finalizers: object.metadata.finalizers }
    const metadata = { ...rest, ...kept, ...Object.fromEntries(full) } as KubeObject['metadata']
    if (type !== undefined) this.#mutations.replace(type, object, { ...object, metadata })
  }
}

function blocks({ object }: Place, owner: string): boolean {
  return (object.metadata.ownerReferences ?? []).some(
    ({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true,
  )
}
