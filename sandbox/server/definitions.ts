import { type Api, cleanupFinalizer, type Mutations } from './mutations.ts'
import { type KubeObject, timestamp } from './objects.ts'
import { prepared } from './preparation.ts'
import { definitions, namespaces } from './types.ts'

/** Serves what CustomResourceDefinitions say, from the moment they are stored; and the namespaces that are always there. */
export class Definitions {
  readonly #api: Api
  readonly #mutations: Mutations

  constructor(api: Api, mutations: Mutations) {
    this.#api = api
    this.#mutations = mutations
  }

  start(): void {
    const { store, types } = this.#api
    for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) this.#namespace(name)
    store.subscribe(({ collection, type, object }) => {
      if (collection !== definitions.collection) return
      if (type === 'DELETED') types.undefine(object)
      else types.define(object)
      if (type === 'ADDED') this.#establish(object)
    })
  }

  #namespace(name: string): void {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as unknown as KubeObject
    this.#mutations.create(namespaces, prepared(namespaces, this.#mutations.stamped(namespaces, object)))
  }

  #establish(object: KubeObject): void {
    const lastTransitionTime = timestamp(this.#api.clock.now())
    const condition = (type: string, reason: string, message: string) => ({
      type,
      status: 'True',
      lastTransitionTime,
      reason,
      message,
    })
    const conditions = [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ]
    const versions = (object.spec?.['versions'] ?? []) as { readonly name: string; readonly storage: boolean }[]
    const storedVersions = versions.filter(({ storage }) => storage).map(({ name }) => name)
    const finalizers = [...(object.metadata.finalizers ?? []), cleanupFinalizer]
    this.#api.store.put(definitions.collection, {
      ...object,
      metadata: { ...object.metadata, finalizers },
      status: { conditions, acceptedNames: object.spec?.['names'], storedVersions },
    })
  }
}
