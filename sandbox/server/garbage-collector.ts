import { cleanupFinalizer } from './definitions.ts'
import { type Api, finalizerOf } from './api.ts'
import type { Change, Place } from './store.ts'
import { definitions, namespaces } from './types.ts'

/**
 * Deletes what has lost its owner, and ends the deletions that wait for others: Orphan, Foreground, namespaces, and
 * CustomResourceDefinitions. It looks at objects a turn after they have changed, never at the changes themselves.
 */
export class GarbageCollector {
  readonly #api: Api
  readonly #waiting = new Set<string>()

  constructor(api: Api) {
    this.#api = api
    api.store.subscribe((change) => this.#note(change))
  }

  #note({ type, collection, object: { metadata } }: Change): void {
    const { store } = this.#api
    if (type !== 'DELETED') return this.#look(metadata.uid)
    for (const { uid } of metadata.ownerReferences ?? []) this.#look(uid)
    for (const { object } of store.dependentsOf(metadata.uid)) this.#look(object.metadata.uid)
    this.#look(store.get(namespaces.collection, undefined, metadata.namespace ?? '')?.metadata.uid)
    this.#look(store.get(definitions.collection, undefined, collection)?.metadata.uid)
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

  /** Whether it had an owner that is no more. */
  #collect(place: Place): boolean {
    const { ownerReferences = [] } = place.object.metadata
    const solid = ownerReferences.filter(({ uid }) => this.#api.store.byUid(uid) !== undefined)
    if (solid.length === ownerReferences.length) return false
    if (solid.length > 0) this.#amend(place, { ownerReferences: solid })
    else if (place.object.metadata.deletionTimestamp === undefined) this.#delete(place)
    else return false
    return true
  }

  #finish(place: Place): void {
    const { store } = this.#api
    const { uid, name, finalizers = [] } = place.object.metadata
    const dependents = store.dependentsOf(uid)
    if (finalizers.includes(finalizerOf.Orphan)) {
      for (const dependent of dependents) this.#release(dependent, uid)
      this.#unhold(place, finalizerOf.Orphan)
    } else if (finalizers.includes(finalizerOf.Foreground)) {
      this.#emptied(dependents)
      if (!store.dependentsOf(uid).some((dependent) => isBlocking(dependent, uid)))
        this.#unhold(place, finalizerOf.Foreground)
    } else if (place.collection === namespaces.collection) {
      if (this.#emptied(store.inNamespace(name))) store.remove(place.collection, place.object)
    } else if (place.collection === definitions.collection) {
      const instances = store.list(name).map((object) => ({ collection: name, object }))
      if (this.#emptied(instances)) this.#unhold(place, cleanupFinalizer)
    }
  }

  /** Deletes them; whether there were none. */
  #emptied(places: readonly Place[]): boolean {
    for (const place of places) if (place.object.metadata.deletionTimestamp === undefined) this.#delete(place)
    return places.length === 0
  }

  #delete({ collection, object }: Place): void {
    const type = this.#api.types.ofCollection(collection)
    if (type !== undefined) this.#api.delete(type, object, 'Background')
  }

  #release(place: Place, owner: string): void {
    this.#amend(place, { ownerReferences: place.object.metadata.ownerReferences?.filter(({ uid }) => uid !== owner) })
  }

  #unhold(place: Place, finalizer: string): void {
    this.#amend(place, { finalizers: place.object.metadata.finalizers?.filter((held) => held !== finalizer) })
  }

  #amend({ collection, object }: Place, change: Parameters<Api['amend']>[2]): void {
    const type = this.#api.types.ofCollection(collection)
    if (type !== undefined) this.#api.amend(type, object, change)
  }
}

function isBlocking({ object }: Place, owner: string): boolean {
  const reference = object.metadata.ownerReferences?.find(({ uid }) => uid === owner)
  return reference?.blockOwnerDeletion === true
}
