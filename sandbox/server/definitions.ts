import { isDeepStrictEqual } from 'node:util'
import type { V1CustomResourceDefinitionSpec } from '@kubernetes/client-node'
import { prepared } from './admission.ts'
import type { Api } from './api.ts'
import { asFields, type KubeObject } from './objects.ts'
import type { Schema } from './schema.ts'
import { ageColumn } from './tables.ts'
import { definitions, namespaces, type ResourceType } from './types.ts'

const always = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Makes the namespaces that are always there, and serves what CustomResourceDefinitions say as soon as they are stored. */
export function serveDefinitions(api: Api): void {
  const { store } = api
  for (const name of always) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as unknown as KubeObject
    store.put(namespaces, prepared(namespaces, api.stamped(namespaces, object)))
  }
  const establish = api.queue(({ object }) => store.put(definitions, established(object, api.timestamp())))
  store.subscribe(({ type, event, object, before }) => {
    // Watches end with the type that they are of, so another one is made only for another spec.
    if (type !== definitions || (event === 'MODIFIED' && isDeepStrictEqual(object.spec, before?.spec))) return
    const others = api.types.filter(({ isCustom, collection }) => !isCustom || collection !== object.metadata.name)
    api.types = event === 'DELETED' ? others : [...others, ...typesOf(object)]
    if (event === 'ADDED') establish(object.metadata.uid)
  })
}

function established(object: KubeObject, lastTransitionTime: string): KubeObject {
  const conditions = [
    { type: 'NamesAccepted', reason: 'NoConflicts', message: 'no conflicts found' },
    { type: 'Established', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' },
  ].map((condition) => ({ ...condition, status: 'True', lastTransitionTime }))
  const { names: acceptedNames, versions } = object.spec as unknown as V1CustomResourceDefinitionSpec
  const storedVersions = versions.flatMap(({ name, storage }) => (storage ? [name] : []))
  return { ...object, status: { conditions, acceptedNames, storedVersions } }
}

function typesOf({ metadata, spec }: KubeObject): readonly ResourceType[] {
  const { group, scope, names, versions } = spec as unknown as V1CustomResourceDefinitionSpec
  const { kind, plural, singular = kind.toLowerCase(), shortNames = [], categories = [] } = names
  const named = { kind, plural, singular, shortNames, categories }
  const served = versions.filter((version) => version.served)
  return served.map(({ name: version, subresources, schema, additionalPrinterColumns: columns = [ageColumn] }) => ({
    ...named,
    group,
    version,
    isCustom: true,
    namespaced: scope === 'Namespaced',
    hasStatus: asFields(subresources)['status'] !== undefined,
    collection: metadata.name,
    schema: (schema?.openAPIV3Schema ?? {}) as unknown as Schema,
    columns,
  }))
}
