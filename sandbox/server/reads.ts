import { fromStored } from './events.ts'
import { badRequest, gone, tooLarge } from './failure.ts'
import type { Api } from './api.ts'
import type { Fields, KubeObject } from './objects.ts'
import type { ApiRequest } from './request.ts'
import { selectorOf } from './selectors.ts'
import { partial, tableOf } from './tables.ts'
import { apiVersionOf } from './types.ts'

/** A list as it was when its first page was read. */
interface Snapshot {
  readonly version: number
  readonly items: readonly KubeObject[]
}

const mostSnapshots = 100

export class Reads {
  readonly #api: Api
  /** Of lists that are read in pages, the oldest first. */
  readonly #snapshots = new Map<string, Snapshot>()
  #counter = 0

  constructor(api: Api) {
    this.#api = api
  }

  list(request: ApiRequest): Fields {
    const { query } = request
    const [id = '', start = '0'] = (query.get('continue') ?? '').split(':')
    const { version, items } = id === '' ? this.#fresh(request) : this.#kept(id, start)
    // A list from the cache of the API server comes whole.
    const limit = (query.get('resourceVersion') === '0' ? 0 : Number(query.get('limit'))) || items.length
    const end = Math.min(Number(start) + limit, items.length)
    const left = items.length - end
    const more =
      left === 0 ? {} : { continue: `${id || this.#keep({ version, items })}:${end}`, remainingItemCount: left }
    return this.#listed(request, items.slice(Number(start), end), { resourceVersion: String(version), ...more })
  }

  /** One object in the form that was asked for. */
  shown(request: ApiRequest, object: KubeObject): Fields {
    const form = formOf(request)
    if (form === 'object') return object
    return form === 'partial'
      ? partial(object)
      : this.#listed(request, [object], { resourceVersion: object.metadata.resourceVersion })
  }

  #listed(request: ApiRequest, items: readonly KubeObject[], metadata: Fields): Fields {
    const { type } = request
    const form = formOf(request)
    if (form === 'table')
      return { ...tableOf(type, items, [this.#api.clock.now(), request.query.get('includeObject')]), metadata }
    const kind = { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata }
    // Those of Kubernetes' own types do not say what they are.
    if (form === 'object') return { ...kind, items: type.isCustom ? items : items.map(untyped) }
    return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(partial) }
  }

  #fresh({ type, namespace, query }: ApiRequest): Snapshot {
    const { store } = this.#api
    const version = versionOf(query)
    if (version > store.version) throw tooLarge(version, store.version)
    const items = store.list(type.collection, namespace).map((object) => fromStored(type, object))
    return { version: store.version, items: items.filter(selectorOf(type, query)) }
  }

  #kept(id: string, start: string): Snapshot {
    if (!/^\d+ \d+$/.test(`${id} ${start}`))
      throw badRequest('invalid continue token: continue key is not valid: it is none of this server')
    const snapshot = this.#snapshots.get(id)
    if (snapshot === undefined)
      throw gone('The provided continue parameter is too old to display a consistent list result.')
    return snapshot
  }

  #keep(snapshot: Snapshot): string {
    this.#counter += 1
    this.#snapshots.set(String(this.#counter), snapshot)
    this.#snapshots.delete(String(this.#counter - mostSnapshots))
    return String(this.#counter)
  }
}

function untyped({ kind: _kind, apiVersion: _version, ...rest }: KubeObject): Fields {
  return rest
}

function formOf({ accept }: ApiRequest): 'object' | 'table' | 'partial' {
  const [first = ''] = accept.split(',')
  if (first.includes('as=Table')) return 'table'
  return first.includes('as=PartialObjectMetadata') ? 'partial' : 'object'
}

/** What a version in a query means, 0 when there is none. Throws Failure. */
export function versionOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? ''
  if (!/^\d*$/.test(text)) throw badRequest(`invalid resource version ${JSON.stringify(text)}`)
  return Number(text)
}
