import { fromStored } from './event-forms.ts'
import { badRequest, gone } from './failure.ts'
import type { Api } from './mutations.ts'
import type { Fields, KubeObject } from './objects.ts'
import type { ApiRequest } from './request.ts'
import { selectorOf } from './selectors.ts'
import { formOf, partial, tableOf } from './tables.ts'
import type { ResourceType } from './types.ts'

/** What is left of a list that is read in pages: as it was when the first page was read. */
interface Snapshot {
  readonly version: number
  readonly items: readonly KubeObject[]
}

const mostSnapshots = 100

export class Reads {
  readonly #api: Api
  readonly #snapshots = new Map<string, Snapshot>()
  #counter = 0

  constructor(api: Api) {
    this.#api = api
  }

  list(request: ApiRequest): Fields {
    const { query, accept } = request
    const [id = '', start = '0'] = (query.get('continue') ?? '').split(':')
    const { version, items } = id === '' ? this.#fresh(request) : this.#kept(id)
    // A list from the cache of the API server comes whole.
    const limit = query.get('resourceVersion') === '0' ? 0 : Number(query.get('limit') ?? 0)
    const first = Number(start)
    const end = limit > 0 ? Math.min(first + limit, items.length) : items.length
    const more = { continue: this.#keep(id, { version, items }, end), remainingItemCount: items.length - end }
    const metadata = { resourceVersion: String(version), ...(end < items.length ? more : {}) }
    return this.listed(request, items.slice(first, end), metadata, formOf(accept))
  }

  /** One object in the form that was asked for. */
  shown({ type, accept }: ApiRequest, object: KubeObject): Fields {
    const form = formOf(accept)
    if (form === 'object') return object
    if (form === 'partial') return partial(object)
    const { resourceVersion } = object.metadata
    return { ...tableOf(type, [object], this.#api.clock.now()), metadata: { resourceVersion } }
  }

  listed({ type }: ApiRequest, items: readonly KubeObject[], metadata: Fields, form = 'object'): Fields {
    if (form === 'table') return { ...tableOf(type, items, this.#api.clock.now()), metadata }
    if (form === 'partial')
      return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(partial) }
    return { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata, items }
  }

  #fresh({ type, namespace, query }: ApiRequest): Snapshot {
    const { store } = this.#api
    const selected = selectorOf(type, query)
    const items = store.list(type.collection, namespace).map((object) => fromStored(type, object))
    return { version: store.version, items: items.filter(selected) }
  }

  #kept(id: string): Snapshot {
    const snapshot = this.#snapshots.get(id)
    if (snapshot === undefined)
      throw gone('The provided continue parameter is too old to display a consistent list result.')
    return snapshot
  }

  #keep(id: string, snapshot: Snapshot, end: number): string {
    if (end >= snapshot.items.length) return ''
    const kept = id === '' ? `${(this.#counter += 1)}` : id
    this.#snapshots.set(kept, snapshot)
    const [oldest] = this.#snapshots.keys()
    if (this.#snapshots.size > mostSnapshots && oldest !== undefined) this.#snapshots.delete(oldest)
    return `${kept}:${end}`
  }
}

export function apiVersionOf({ group, version }: ResourceType): string {
  return group === '' ? version : `${group}/${version}`
}

/** What a version in a query means, or undefined when there is none. Throws Failure. */
export function versionOf(query: URLSearchParams): number | undefined {
  const text = query.get('resourceVersion') ?? ''
  if (text !== '' && !/^\d+$/.test(text)) throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(text)}`)
  return text === '' || text === '0' ? undefined : Number(text)
}
