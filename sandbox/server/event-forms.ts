import { asFields, type KubeObject } from './objects.ts'
import { newEvents, type ResourceType } from './types.ts'

/** The names of a field of an Event: as it is stored, which is as the core group has it, and in events.k8s.io. */
const names = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
] as const

/** There is one store of Events, seen through two groups; every other object is stored as it is. */
export function toStored(type: ResourceType, object: KubeObject): KubeObject {
  if (type !== newEvents) return object
  const stored: KubeObject = { ...object, apiVersion: 'v1' }
  for (const [core, renamed] of names) move(stored, renamed, core)
  stored['source'] ??= {}
  return { firstTimestamp: null, lastTimestamp: null, ...stored }
}

export function fromStored(type: ResourceType, object: KubeObject): KubeObject {
  if (type !== newEvents) return object
  const seen: KubeObject = { ...object, apiVersion: 'events.k8s.io/v1' }
  for (const [core, renamed] of names) move(seen, core, renamed)
  return { ...seen, deprecatedSource: asFields(seen['deprecatedSource']) }
}

function move(object: KubeObject, from: string, to: string): void {
  if (object[from] === undefined) return
  object[to] = object[from]
  Reflect.deleteProperty(object, from)
}
