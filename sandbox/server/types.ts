import { readFileSync } from 'node:fs'
import type { V1CustomResourceDefinitionNames } from '@kubernetes/client-node'
import { parse } from 'yaml'
import type { Schema } from './schema.ts'
import { ageColumn, builtinColumns, type Column } from './tables.ts'

/** A resource as it is served: one version of one group. */
export interface ResourceType extends V1CustomResourceDefinitionNames {
  readonly group: string
  readonly version: string
  readonly namespaced: boolean
  readonly hasStatus: boolean
  /** Where its objects are stored: Events are the same in both of their groups. */
  readonly collection: string
  /** Without one nothing but the metadata is checked. */
  readonly schema: Schema
  readonly columns: readonly Column[]
  /** It came with a CustomResourceDefinition. */
  readonly isCustom: boolean
  /** All that there are when absent. */
  readonly verbs?: readonly string[]
  /** What field selectors may name, besides name and namespace. */
  readonly selectable?: readonly string[]
}

function read(file: string): unknown {
  return parse(readFileSync(new URL(file, import.meta.url), 'utf8'), { merge: true, maxAliasCount: -1 })
}

const schemas = read('builtin-schemas.yaml') as Readonly<Record<string, Schema>>
const open: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
/** Of every object. */
export const metadataSchema = schemas['metadata'] ?? open

function builtin(group: string, kind: string, more: Partial<ResourceType> = {}): ResourceType {
  const singular = kind.toLowerCase()
  const plural = `${singular.replace(/y$/, 'ie').replace(/s$/, 'se')}s`
  const names = { group, version: 'v1', kind, plural, singular }
  const shape = { schema: schemas[kind] ?? open, columns: builtinColumns[kind] ?? [ageColumn] }
  const rest = { namespaced: true, hasStatus: true, isCustom: false }
  return { ...names, ...shape, ...rest, collection: plural, ...more }
}

const all = { categories: ['all'] }
const subject = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'fieldPath', 'resourceVersion']
const event = { shortNames: ['ev'], hasStatus: false }
const fieldsOfEvent = (about: string) => [...subject.map((part) => `${about}.${part}`), 'reason', 'type']

const phase = { selectable: ['status.phase'] }
export const namespaces = builtin('', 'Namespace', { shortNames: ['ns'], namespaced: false, ...phase })
export const pods = builtin('', 'Pod', { shortNames: ['po'], ...all, ...phase })
export const coreEvents = builtin('', 'Event', { ...event, selectable: fieldsOfEvent('involvedObject') })
export const newEvents = builtin('events.k8s.io', 'Event', { ...event, selectable: fieldsOfEvent('regarding') })
export const jobs = builtin('batch', 'Job', all)
export const definitions = builtin('apiextensions.k8s.io', 'CustomResourceDefinition', {
  shortNames: ['crd', 'crds'],
  namespaced: false,
})
const leases = builtin('coordination.k8s.io', 'Lease', { hasStatus: false })

type Named = Pick<ResourceType, 'group' | 'kind'> & Partial<ResourceType>
const { kept, lacking } = read('builtin-kinds.yaml') as { readonly [list in 'kept' | 'lacking']: readonly Named[] }
const named = ({ group, kind, ...more }: Named) => builtin(group, kind, { hasStatus: false, ...more })

/** Only their names are served. */
export const lackingTypes = lacking.map((each) => ({ ...named(each), verbs: [] }))
export const builtins = [namespaces, pods, coreEvents, jobs, newEvents, definitions, leases, ...kept.map(named)]

export function apiVersionOf({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}
