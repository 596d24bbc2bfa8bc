import type { KubeObject } from './objects.ts'
import { coreEvents, newEvents, type ResourceType } from './types.ts'

/** The fields of an Event: as it is stored, which is as the core group has them, and in events.k8s.io. */
const fromCore: ReadonlyMap<string, string> = new Map([
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
])
const toCore: ReadonlyMap<string, string> = new Map([...fromCore].map(([stored, seen]) => [seen, stored]))

/** There is one store of Events, seen through two groups; every other object is stored as it is. */
export function toStored(type: ResourceType, object: KubeObject): KubeObject {
  if (type !== newEvents && type !== coreEvents) return object
  return { source: {}, firstTimestamp: null, lastTimestamp: null, ...renamed(object, toCore), apiVersion: 'v1' }
}

export function fromStored(type: ResourceType, object: KubeObject): KubeObject {
  return type === newEvents ? { ...renamed(object, fromCore), apiVersion: 'events.k8s.io/v1' } : object
}

function renamed(object: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [names.get(key) ?? key, value])) as KubeObject
}
