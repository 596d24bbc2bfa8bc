import type { Fields } from './objects.ts'
import { apiVersionOf, type ResourceType } from './types.ts'

/** OpenAPI v3: what `kubectl explain` shows, and that `kubectl apply` may leave the checks to the server. */
export function openApi(types: readonly ResourceType[], path: string): unknown {
  const versions = [...new Set(types.map(rootOf))]
  if (path === '/openapi/v3')
    return { paths: Object.fromEntries(versions.map((at) => [at, { serverRelativeURL: `/openapi/v3/${at}` }])) }
  const wanted = types.filter((type) => path === `/openapi/v3/${rootOf(type)}`)
  if (wanted.length === 0) return undefined
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'embedded' },
    paths: Object.fromEntries(wanted.map(pathOf)),
    components: { schemas: Object.fromEntries(wanted.map(schemaOf)) },
  }
}

function rootOf(type: ResourceType): string {
  return `${type.group === '' ? 'api' : 'apis'}/${apiVersionOf(type)}`
}

const parameters = ['dryRun', 'fieldValidation'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))

function pathOf(type: ResourceType): readonly [string, Fields] {
  const { group, version, kind, plural, namespaced } = type
  const gvk = { 'x-kubernetes-group-version-kind': { group, version, kind }, 'x-kubernetes-action': 'patch' }
  const scope = namespaced ? '/namespaces/{namespace}' : ''
  return [`/${rootOf(type)}${scope}/${plural}/{name}`, { patch: { ...gvk, responses: {}, parameters } }]
}

function schemaOf({ group, version, kind, schema = { type: 'object' } }: ResourceType): readonly [string, Fields] {
  return [`${group}.${version}.${kind}`, { ...schema, 'x-kubernetes-group-version-kind': [{ group, version, kind }] }]
}
