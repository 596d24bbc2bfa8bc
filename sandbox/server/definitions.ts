import type { Api } from './api.ts'
import { type KubeObject, listOf, timestamp } from './objects.ts'
import { prepared } from './preparation.ts'
import { definitions, namespaces } from './types.ts'

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'
const always = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Makes the namespaces that are always there, and serves what CustomResourceDefinitions say as soon as they are stored. */
export function serveDefinitions(api: Api): void {
  const { store, types, clock } = api
  for (const name of always) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as unknown as KubeObject
    api.create(namespaces, prepared(namespaces, api.stamped(namespaces, object)))
  }
  const establish = (uid: string): void => {
    const { object } = store.byUid(uid) ?? {}
    if (object !== undefined) store.put(definitions.collection, established(object, timestamp(clock.now())))
  }
  store.subscribe(({ collection, type, object }) => {
    if (collection !== definitions.collection) return
    if (type === 'DELETED') types.undefine(object)
    else types.define(object)
    if (type === 'ADDED') setImmediate(() => establish(object.metadata.uid))
  })
}

function established(object: KubeObject, lastTransitionTime: string): KubeObject {
  const conditions = [
    { type: 'NamesAccepted', reason: 'NoConflicts', message: 'no conflicts found' },
    { type: 'Established', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' },
  ].map((condition) => ({ ...condition, status: 'True', lastTransitionTime }))
  const storedVersions = listOf(object.spec?.['versions']).flatMap(({ storage, name }) =>
    storage === true ? [name] : [],
  )
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), cleanupFinalizer] },
    status: { conditions, acceptedNames: object.spec?.['names'], storedVersions },
  }
}
