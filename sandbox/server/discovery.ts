import type { Fields } from './objects.ts'
import { apiVersionOf, type ResourceType } from './types.ts'

/** What is served, and where: all that is not about one resource; undefined when it is nothing of that. */
export function discovery(types: readonly ResourceType[], path: string): unknown {
  const named = Map.groupBy(
    types.filter(({ group }) => group !== ''),
    ({ group }) => group,
  )
  const groups = [...named].map(([name, own]) => groupOf(name, own))
  const group = groups.find(({ name }) => path === `/apis/${name}`)
  if (group !== undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...group }
  const roots = Map.groupBy(types, rootOf)
  const paths = [...roots.keys()].map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}` }])
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups }
  if (path === '/openapi/v3') return { paths: Object.fromEntries(paths) }
  const described = roots.get(path.replace('/openapi/v3/', ''))
  if (described !== undefined) return openApi(described)
  return pages[path] ?? resourceList(roots.get(path.slice(1)))
}

const pages: Readonly<Record<string, unknown>> = {
  '/livez': 'ok',
  '/readyz': 'ok',
  '/healthz': 'ok',
  '/version': { major: '1', minor: '37', gitVersion: 'v1.37.0-embedded', platform: 'node' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
}

function rootOf(type: ResourceType): string {
  return `${type.group === '' ? 'api' : 'apis'}/${apiVersionOf(type)}`
}

function groupOf(name: string, types: readonly ResourceType[]): { readonly name: string } & Fields {
  const served = new Set(types.map(({ version }) => version))
  const versions = [...served].map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0] }
}

function resourceList(types: readonly ResourceType[] = []): Fields | undefined {
  const [groupVersion] = types.map(apiVersionOf)
  if (groupVersion === undefined) return undefined
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: types.flatMap(resourcesOf) }
}

const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

function resourcesOf({ plural: name, singular: singularName, ...type }: ResourceType): Fields[] {
  const { namespaced, kind, shortNames, categories } = type
  const own = { name, singularName, namespaced, kind, verbs, shortNames, categories }
  const status = { name: `${name}/status`, singularName: '', namespaced, kind, verbs: ['get', 'patch', 'update'] }
  return type.hasStatus ? [own, status] : [own]
}

/** OpenAPI v3: what `kubectl explain` shows, and that `kubectl apply` may leave the checks to the server. */
function openApi(types: readonly ResourceType[]): Fields {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'embedded' },
    paths: Object.fromEntries(types.map(pathOf)),
    components: { schemas: Object.fromEntries(types.map(schemaOf)) },
  }
}

const parameters = ['dryRun', 'fieldValidation'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))

function pathOf(type: ResourceType): readonly [string, Fields] {
  const { group, version, kind, plural, namespaced } = type
  const gvk = { 'x-kubernetes-group-version-kind': { group, version, kind }, 'x-kubernetes-action': 'patch' }
  const scope = namespaced ? '/namespaces/{namespace}' : ''
  return [`/${rootOf(type)}${scope}/${plural}/{name}`, { patch: { ...gvk, responses: {}, parameters } }]
}

/** Of Kubernetes' own types only the names are told. */
function schemaOf({ group, version, kind, isCustom, schema }: ResourceType): readonly [string, Fields] {
  const gvk = { 'x-kubernetes-group-version-kind': [{ group, version, kind }] }
  return [`${group}.${version}.${kind}`, { ...(isCustom ? schema : { type: 'object' }), ...gvk }]
}
