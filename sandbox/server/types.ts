import type { Column } from './tables.ts'
import { builtinColumns } from './builtin-columns.ts'
import { jobSchema, leaseSchema } from './builtin-schemas.ts'
import { asFields, type Fields, type KubeObject } from './objects.ts'
import type { Schema } from './schema.ts'

/** A resource as it is served: one version of one group. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly hasStatus: boolean
  /** Where its objects are stored: Events are the same in both of their groups. */
  readonly collection: string
  /** Nothing is checked or pruned without one. */
  readonly schema?: Schema
  readonly columns?: readonly Column[]
  /** It came with a CustomResourceDefinition. */
  readonly isCustom: boolean
  /** What labels and conditions may be selected by, besides name and namespace. */
  readonly selectable: readonly string[]
}

const eventFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'fieldPath', 'resourceVersion']

function builtin(group: string, kind: string, more: Partial<ResourceType> = {}): ResourceType {
  const singular = kind.toLowerCase()
  const plural = `${singular}s`
  return {
    group,
    version: 'v1',
    kind,
    plural,
    singular,
    shortNames: [],
    categories: [],
    namespaced: true,
    hasStatus: true,
    collection: plural,
    isCustom: false,
    selectable: [],
    ...builtinColumns[plural],
    ...more,
  }
}

const events = { shortNames: ['ev'], hasStatus: false }
const involved = eventFields.map((field) => `involvedObject.${field}`)
const regarding = eventFields.map((field) => `regarding.${field}`)
export const namespaces = builtin('', 'Namespace', { shortNames: ['ns'], namespaced: false })
export const pods = builtin('', 'Pod', {
  shortNames: ['po'],
  categories: ['all'],
  selectable: ['status.phase', 'spec.nodeName'],
})
export const coreEvents = builtin('', 'Event', { ...events, selectable: [...involved, 'reason', 'type'] })
export const newEvents = builtin('events.k8s.io', 'Event', { ...events, selectable: [...regarding, 'reason', 'type'] })
export const jobs = builtin('batch', 'Job', { categories: ['all'], schema: jobSchema })
export const definitions = builtin('apiextensions.k8s.io', 'CustomResourceDefinition', {
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
})

const builtins = [
  namespaces,
  pods,
  coreEvents,
  builtin('', 'Service', { shortNames: ['svc'], categories: ['all'] }),
  jobs,
  builtin('apps', 'Deployment', { shortNames: ['deploy'], categories: ['all'] }),
  builtin('coordination.k8s.io', 'Lease', { hasStatus: false, schema: leaseSchema }),
  newEvents,
  definitions,
]

/** The resources that are served: those above, and what CustomResourceDefinitions add. */
export class Types {
  readonly #types = new Map(builtins.map((type) => [keyOf(type), type]))

  get(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#types.get(keyOf({ group, version, plural }))
  }

  /** Of what is stored there. */
  ofCollection(wanted: string): ResourceType | undefined {
    return this.#types.values().find(({ collection }) => collection === wanted)
  }

  all(): readonly ResourceType[] {
    return [...this.#types.values()]
  }

  /** Serves what the CustomResourceDefinition says, in the place of what it said before. */
  define(definition: KubeObject): void {
    this.undefine(definition)
    for (const type of typesOf(definition)) this.#types.set(keyOf(type), type)
  }

  undefine({ metadata }: KubeObject): void {
    for (const [key, { isCustom, collection }] of this.#types)
      if (isCustom && collection === metadata.name) this.#types.delete(key)
  }
}

function keyOf({ group, version, plural }: Pick<ResourceType, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`
}

interface DefinitionSpec {
  readonly group: string
  readonly scope: string
  readonly names: Pick<ResourceType, 'kind' | 'plural' | 'singular'> & Partial<ResourceType>
  readonly versions: readonly {
    readonly name: string
    readonly served: boolean
    readonly subresources?: Fields
    readonly schema?: { readonly openAPIV3Schema?: Schema }
    readonly additionalPrinterColumns?: readonly (Omit<Column, 'value'> & { readonly jsonPath: string })[]
  }[]
}

export function typesOf({ metadata, spec }: KubeObject): readonly ResourceType[] {
  const { group, scope, names, versions } = spec as unknown as DefinitionSpec
  const served = versions.filter((version) => version.served)
  return served.map(({ name: version, subresources, schema, additionalPrinterColumns: columns }) => ({
    shortNames: [],
    categories: [],
    selectable: [],
    ...names,
    group,
    version,
    namespaced: scope === 'Namespaced',
    hasStatus: asFields(subresources)['status'] !== undefined,
    collection: metadata.name,
    isCustom: true,
    ...(schema?.openAPIV3Schema === undefined ? {} : { schema: schema.openAPIV3Schema }),
    ...(columns === undefined ? {} : { columns: columns.map((column) => ({ ...column, value: column.jsonPath })) }),
  }))
}
