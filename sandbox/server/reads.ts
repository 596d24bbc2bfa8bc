import type { Api } from './api.ts'
import { fromStored } from './events.ts'
import { Failure } from './failure.ts'
import { type Fields, type KubeObject, textAt } from './objects.ts'
import type { ApiRequest } from './request.ts'
import { partial, tableOf } from './tables.ts'
import { apiVersionOf, type ResourceType } from './types.ts'

/** A list, or the page of it that the token stands for: all pages are of the version of the first. */
export function list(api: Api, request: ApiRequest): Fields {
  const { type, query } = request
  const token = query.get('continue') || `${api.store.version}:0`
  const [, version, start] = /^(\d+):(\d+)$/.exec(token)?.map(Number) ?? []
  if (version === undefined || start === undefined)
    throw new Failure(400, 'invalid continue token: continue key is not valid: it is none of this server')
  const all = api.store.list(type, version)
  if (all === null)
    throw new Failure(410, 'The provided continue parameter is too old to display a consistent list result.')
  const selected = all.filter(selectorOf(request))
  // A list from the cache of the API server comes whole.
  const limit = (query.get('resourceVersion') === '0' ? 0 : Math.max(0, Number(query.get('limit')))) || selected.length
  const end = Math.min(start + limit, selected.length)
  const more = end === selected.length ? {} : { continue: `${version}:${end}` }
  return listed(api, request, selected.slice(start, end), { resourceVersion: String(version), ...more })
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

export type Selector = (object: KubeObject) => boolean

/** Of the namespace, the labelSelector and the fieldSelector together. Throws Failure. */
export function selectorOf({ type, namespace, query }: ApiRequest): Selector {
  const labels = (query.get('labelSelector') ?? '').trim()
  const byLabels = labels === '' ? [] : labels.split(/,(?![^(]*\))/)
  const byFields = (query.get('fieldSelector') ?? '').split(/(?<!\\),/).filter(Boolean)
  const terms = [...byLabels.map(labelTerm), ...byFields.map((term) => fieldTerm(type, term))]
  const isInside = ({ metadata }: KubeObject) => namespace === '' || metadata.namespace === namespace
  return (object) => isInside(object) && terms.every((term) => term(fromStored(type, object)))
}

/** `!key`, `key`, `key=value` and the like, `key>1`, `key in (one, other)`. */
const requirement =
  /^(!?)\s*((?:[-a-z0-9.]+\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)(?:\s*(==?|!=)\s*((?:[A-Za-z0-9][-\w.]*)?)|\s*([<>])\s*(-?\d+)|\s+((?:not)?in)\s*\(([^()]*)\))?$/

function labelTerm(term: string): Selector {
  const [, not = '', key, ...test] = requirement.exec(term.trim()) ?? []
  const [operator = not, values = ''] = test.filter((part) => part !== undefined)
  if (key === undefined || (not !== '' && operator !== not))
    throw new Failure(400, `unable to parse requirement: ${JSON.stringify(term)} is no label selector`)
  const holds = testOf(operator, values)
  return ({ metadata }) => holds(metadata.labels?.[key])
}

function testOf(operator: string, values: string): (value: string | undefined) => boolean {
  if (operator === '' || operator === '!') return (value) => (value === undefined) === (operator === '!')
  if (operator === '>') return (value) => Number(value) > Number(values)
  if (operator === '<') return (value) => Number(value) < Number(values)
  const set = new Set<string | undefined>(values.split(',').map((value) => value.trim()))
  const isNegative = operator === '!=' || operator === 'notin'
  return (value) => set.has(value) !== isNegative
}

function fieldTerm({ selectable = [], namespaced }: ResourceType, term: string): Selector {
  const [, path, operator = '', value = ''] = /^([^=!]+)(==?|!=)((?:[^\\=,]|\\[\\=,])*)$/.exec(term) ?? []
  if (path === undefined) throw new Failure(400, `invalid selector: '${term}'; can't understand '${term}'`)
  const known = ['metadata.name', ...(namespaced ? ['metadata.namespace'] : []), ...selectable]
  if (!known.includes(path)) throw new Failure(400, `field label not supported: ${path}`)
  return (object) => (textAt(object, path) === value.replaceAll(/\\(.)/g, '$1')) !== (operator === '!=')
}
