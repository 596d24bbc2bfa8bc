import type { Api } from './api.ts'
import { fromStored } from './events.ts'
import { Failure } from './failure.ts'
import type { Fields, KubeObject } from './objects.ts'
import type { ApiRequest } from './request.ts'
import { selectorOf } from './selectors.ts'
import { partial, tableOf } from './tables.ts'
import { apiVersionOf } from './types.ts'

/** A list, or the page of it that the token stands for: all pages are of the version of the first. */
export function list(api: Api, request: ApiRequest): Fields {
  const { type, query } = request
  const token = query.get('continue') || `${api.store.version}:0`
  const [, version = '', start = ''] = /^(\d+):(\d+)$/.exec(token) ?? []
  if (version === '')
    throw new Failure(400, 'invalid continue token: continue key is not valid: it is none of this server')
  const all = api.store.list(type, Number(version))
  if (all === null)
    throw new Failure(410, 'The provided continue parameter is too old to display a consistent list result.')
  const selected = all.filter(selectorOf(request))
  // A list from the cache of the API server comes whole.
  const limit = (versionOf(query) === '0' ? 0 : Number(query.get('limit'))) || selected.length
  const end = Math.min(Number(start) + limit, selected.length)
  const left = selected.length - end
  const more = left === 0 ? {} : { continue: `${version}:${end}`, remainingItemCount: left }
  return listed(api, request, selected.slice(Number(start), end), { resourceVersion: version, ...more })
}

/** One object in the form that was asked for. */
export function shown(api: Api, request: ApiRequest, object: KubeObject): Fields {
  const form = formOf(request)
  if (form === 'object') return fromStored(request.type, object)
  const { resourceVersion } = object.metadata
  return form === 'partial' ? partial(object) : listed(api, request, [object], { resourceVersion })
}

function listed(api: Api, request: ApiRequest, items: readonly KubeObject[], metadata: Fields): Fields {
  const { type, query } = request
  const form = formOf(request)
  if (form === 'table')
    return { ...tableOf(type.columns, items, [api.clock.now(), query.get('includeObject')]), metadata }
  if (form === 'partial')
    return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(partial) }
  const seen = items.map((object) => fromStored(type, object))
  // Those of Kubernetes' own types do not say what they are.
  const untyped = seen.map(({ kind: _kind, apiVersion: _version, ...rest }) => rest)
  const kind = { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata }
  return { ...kind, items: type.isCustom ? seen : untyped }
}

function formOf({ accept }: ApiRequest): 'object' | 'table' | 'partial' {
  const [first = ''] = accept.split(',')
  if (first.includes('as=Table')) return 'table'
  return first.includes('as=PartialObjectMetadata') ? 'partial' : 'object'
}

/** The version in a query, empty when there is none. Throws Failure. */
export function versionOf(query: URLSearchParams): string {
  const text = query.get('resourceVersion') ?? ''
  if (/^\d*$/.test(text)) return text
  throw new Failure(400, `invalid resource version ${JSON.stringify(text)}`)
}
