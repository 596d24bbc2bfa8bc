import { fromStored } from './events.ts'
import { Failure } from './failure.ts'
import { type KubeObject, textAt } from './objects.ts'
import type { ApiRequest } from './request.ts'
import type { ResourceType } from './types.ts'

export type Selector = (object: KubeObject) => boolean

/** Of the namespace, the labelSelector and the fieldSelector together. Throws Failure. */
export function selectorOf({ type, namespace, query }: ApiRequest): Selector {
  const byLabels = (query.get('labelSelector') ?? '').split(/,(?![^(]*\))/).map((term) => term.trim())
  const byFields = (query.get('fieldSelector') ?? '').split(',')
  const terms = [
    ...byLabels.filter(Boolean).map(labelTerm),
    ...byFields.filter(Boolean).map((term) => fieldTerm(type, term)),
  ]
  const isInside = ({ metadata }: KubeObject) => namespace === '' || metadata.namespace === namespace
  return (object) => {
    const seen = fromStored(type, object)
    return isInside(object) && terms.every((term) => term(seen))
  }
}

/** `!key`, `key`, `key=value` and the like, `key in (one, other)`. */
const requirement = /^(!(?=[^\s=!<>(]+$)|)([^\s=!<>(]+)(?:\s*(==?|!=|[<>]|\b(?:not)?in\b)\s*\(?([^()]*)\)?)?$/

function labelTerm(term: string): Selector {
  const [, not = '', key, operator = not, values = ''] = requirement.exec(term) ?? []
  if (key === undefined)
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

function fieldTerm({ selectable, namespaced }: ResourceType, term: string): Selector {
  const [, path = term, operator = '', value = ''] = /^([^=!]+)(==?|!=)(.*)$/.exec(term) ?? []
  const known = ['metadata.name', ...(namespaced ? ['metadata.namespace'] : []), ...selectable]
  if (!known.includes(path)) throw new Failure(400, `field label not supported: ${path}`)
  return (object) => (textAt(object, path) === value) !== (operator === '!=')
}
