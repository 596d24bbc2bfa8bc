import { prepared } from './admission.ts'
import type { Api } from './api.ts'
import { type KubeObject, listOf } from './objects.ts'
import { definitions, namespaces } from './types.ts'

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'
const always = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Makes the namespaces that are always there, and serves what CustomResourceDefinitions say as soon as they are stored. */
export function serveDefinitions(api: Api): void {
  const { store, types } = api
  for (const name of always) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as unknown as KubeObject
    store.put(namespaces, prepared(namespaces, api.stamped(namespaces, object)))
  }
  const establish = api.queue(({ object }) => store.put(definitions, established(object, api.timestamp())))
  store.subscribe(({ type, event, object }) => {
    if (type !== definitions) return
    if (event === 'DELETED') types.undefine(object)
    else types.define(object)
    if (event === 'ADDED') establish(object.metadata.uid)
  })
}

function established(object: KubeObject, lastTransitionTime: string): KubeObject {
  const conditions = [
    { type: 'NamesAccepted', reason: 'NoConflicts', message: 'no conflicts found' },
    { type: 'Established', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' },
  ].map((condition) => ({ ...condition, status: 'True', lastTransitionTime }))
  const stored = listOf(object.spec?.['versions']).filter(({ storage }) => storage === true)
  const storedVersions = stored.map(({ name }) => name)
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), cleanupFinalizer] },
    status: { conditions, acceptedNames: object.spec?.['names'], storedVersions },
  }
}
