import type { KubeObject } from './objects.ts'
import { newEvents, type ResourceType } from './types.ts'

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
  return type === newEvents ? { ...renamed(object, toCore), apiVersion: 'v1' } : object
}

export function fromStored(type: ResourceType, object: KubeObject): KubeObject {
  return type === newEvents ? { ...renamed(object, fromCore), apiVersion: 'events.k8s.io/v1' } : object
}

function renamed(object: KubeObject, newNames: ReadonlyMap<string, string>): KubeObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [newNames.get(key) ?? key, value]),
  ) as KubeObject
}
