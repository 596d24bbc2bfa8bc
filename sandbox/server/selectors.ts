import { badRequest } from './failure.ts'
import { fieldAt, type KubeObject } from './objects.ts'
import type { ResourceType } from './types.ts'

export type Selector = (object: KubeObject) => boolean

/** Of the query's labelSelector and fieldSelector together. Throws Failure. */
export function selectorOf(type: ResourceType, query: URLSearchParams): Selector {
  const byLabels = (query.get('labelSelector') ?? '').split(/,(?![^(]*\))/).flatMap(labelTerm)
  const byFields = (query.get('fieldSelector') ?? '').split(',').flatMap((term) => fieldTerm(type, term))
  const terms = [...byLabels, ...byFields]
  return (object) => terms.every((term) => term(object))
}

function labelTerm(term: string): readonly Selector[] {
  const text = term.trim()
  if (text === '') return []
  const set = /^(\S+)\s+(in|notin)\s*\((.*)\)$/.exec(text)
  if (set !== null) return [oneOf(set[1] ?? '', (set[3] ?? '').split(','), set[2] === 'in')]
  const [, not = '', key = '', operator = '', value = ''] = /^(!?)\s*([^\s=!]+)\s*(==?|!=)?\s*(\S*)$/.exec(text) ?? []
  if (key === '') throw badRequest(`unable to parse requirement: ${JSON.stringify(text)} is no label selector`)
  if (operator !== '') return [oneOf(key, [value], operator !== '!=')]
  return [({ metadata }) => (metadata.labels?.[key] !== undefined) === (not === '')]
}

function oneOf(key: string, values: readonly string[], wanted: boolean): Selector {
  const set = new Set(values.map((value) => value.trim()))
  return ({ metadata }) => {
    const value = metadata.labels?.[key]
    return (value !== undefined && set.has(value)) === wanted
  }
}

function fieldTerm({ selectable, namespaced }: ResourceType, term: string): readonly Selector[] {
  if (term === '') return []
  const [, path = '', operator = '', value = ''] = /^([^=!]+)(==?|!=)(.*)$/.exec(term) ?? []
  const known = ['metadata.name', ...(namespaced ? ['metadata.namespace'] : []), ...selectable]
  if (!known.includes(path)) throw badRequest(`field label not supported: ${path === '' ? term : path}`)
  return [(object) => (String(fieldAt(object, path) ?? '') === value) !== (operator === '!=')]
}
