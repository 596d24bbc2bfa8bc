import { type Api, cleanupFinalizer, finalizerOf } from './api.ts'
import type { Place } from './store.ts'
import { definitions, namespaces } from './types.ts'

/**
 * Deletes what has lost its owner, and ends the deletions that wait for others: Orphan, Foreground, namespaces, and
 * CustomResourceDefinitions. It looks at objects a turn after they have changed, never at the changes themselves.
 */
export function collectGarbage(api: Api): void {
  const { store } = api
  const look = api.queue((place) => {
    if (!collect(api, place) && place.object.metadata.deletionTimestamp !== undefined) finish(api, place)
  })
  store.subscribe(({ event, type, object: { metadata } }) => {
    if (event !== 'DELETED') return look(metadata.uid)
    for (const { uid } of metadata.ownerReferences ?? []) look(uid)
    for (const { object } of store.dependentsOf(metadata.uid)) look(object.metadata.uid)
    look(store.get(namespaces, undefined, metadata.namespace ?? '')?.metadata.uid)
    look(store.get(definitions, undefined, type.collection)?.metadata.uid)
  })
}

/** Whether it had an owner that is no more. */
function collect(api: Api, place: Place): boolean {
  const { ownerReferences = [], deletionTimestamp } = place.object.metadata
  const solid = ownerReferences.filter(({ uid }) => api.store.byUid(uid) !== undefined)
  if (solid.length === ownerReferences.length) return false
  if (solid.length > 0) api.keep(place, 'ownerReferences', (owner) => solid.includes(owner))
  else if (deletionTimestamp === undefined) api.delete(place)
  else return false
  return true
}

function finish(api: Api, place: Place): void {
  const { store } = api
  const { uid, name, finalizers = [] } = place.object.metadata
  const release = (finalizer: string) => api.keep(place, 'finalizers', (held) => held !== finalizer)
  if (finalizers.includes(finalizerOf.Orphan)) {
    for (const dependent of store.dependentsOf(uid))
      api.keep(dependent, 'ownerReferences', (owner) => owner.uid !== uid)
    release(finalizerOf.Orphan)
  } else if (finalizers.includes(finalizerOf.Foreground)) {
    isEmptied(api, store.dependentsOf(uid))
    const owners = store.dependentsOf(uid).flatMap(({ object }) => object.metadata.ownerReferences ?? [])
    const isBlocked = owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true)
    if (!isBlocked) release(finalizerOf.Foreground)
  } else if (place.type === namespaces) {
    const isInside = ({ object }: Place) => object.metadata.namespace === name
    if (isEmptied(api, store.where(isInside))) api.replace(place, { ...place.object, spec: {} })
  } else if (place.type === definitions) {
    const isInstance = ({ type }: Place) => type.isCustom && type.collection === name
    if (isEmptied(api, store.where(isInstance))) release(cleanupFinalizer)
  }
}

/** Deletes them; whether there were none. */
function isEmptied(api: Api, places: readonly Place[]): boolean {
  for (const place of places) if (place.object.metadata.deletionTimestamp === undefined) api.delete(place)
  return places.length === 0
}
