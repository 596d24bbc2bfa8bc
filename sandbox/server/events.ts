import type { Api } from './api.ts'
import type { KubeObject } from './objects.ts'
import { coreEvents, newEvents, type ResourceType } from './types.ts'

/** The fields of an Event: as it is stored, which is as the core group has them, and in events.k8s.io. */
const names: readonly (readonly [stored: string, seen: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
]
const toCore = new Map(names.map(([stored, seen]) => [seen, stored]))
const fromCore = new Map(names)

/** There is one store of Events, seen through two groups; every other object is stored as it is. */
export function toStored(type: ResourceType, object: KubeObject): KubeObject {
  if (type !== newEvents && type !== coreEvents) return object
  return { source: {}, firstTimestamp: null, lastTimestamp: null, ...renamed(object, toCore), apiVersion: 'v1' }
}

export function fromStored(type: ResourceType, object: KubeObject): KubeObject {
  return type === newEvents ? { ...renamed(object, fromCore), apiVersion: 'events.k8s.io/v1' } : object
}

function renamed(object: KubeObject, newNames: ReadonlyMap<string, string>): KubeObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [newNames.get(key) ?? key, value]),
  ) as KubeObject
}

const eventLifeMs = 3_600_000

/** Events go after an hour, as the API server has it: whenever a new one comes, those that are too old go. */
export function expireEvents({ store, clock }: Api): void {
  const living: { readonly uid: string; readonly until: number }[] = []
  store.subscribe(({ collection, type, object }) => {
    if (collection !== coreEvents.collection || type !== 'ADDED') return
    living.push({ uid: object.metadata.uid, until: clock.now() + eventLifeMs })
    const young = living.findIndex(({ until }) => until > clock.now())
    for (const { uid } of living.splice(0, young)) setImmediate(() => remove(uid))
  })
  const remove = (uid: string): void => {
    const { collection, object } = store.byUid(uid) ?? {}
    if (collection !== undefined && object !== undefined) store.remove(collection, object)
  }
}
