import type { Fields } from './objects.ts'
import { apiVersionOf, lackingTypes, type ResourceType } from './types.ts'

/** What is served, and where: the answers by their paths, all that are not about one resource. */
export function pagesOf(types: readonly ResourceType[]): ReadonlyMap<string, unknown> {
  const roots = [...Map.groupBy(types, rootOf)]
  const paths = roots.map(([root]) => [root, { serverRelativeURL: `/openapi/v3/${root}` }])
  const known = [...types, ...lackingTypes]
  const groups = [...Map.groupBy(known, ({ group }) => group)].filter(([name]) => name !== '').map(groupOf)
  return new Map<string, unknown>([
    ...['/livez', '/readyz', '/healthz'].map((path) => [path, 'ok'] as const),
    ['/version', { major: '1', minor: '37', gitVersion: 'v1.37.0-embedded', platform: 'node' }],
    ['/api', { kind: 'APIVersions', versions: ['v1'] }],
    ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups }],
    ...groups.map((group) => [`/apis/${group.name}`, { kind: 'APIGroup', apiVersion: 'v1', ...group }] as const),
    ...[...Map.groupBy(known, rootOf)].map(([root, own]) => [`/${root}`, resourceList(own)] as const),
    // In protobuf, as kubectl wants it, this is a document without definitions: all checks are left to the server.
    ['/openapi/v2', ''],
    ['/openapi/v3', { paths: Object.fromEntries(paths) }],
    ...roots.map(([root, own]) => [`/openapi/v3/${root}`, openApi(own)] as const),
  ])
}

function rootOf(type: ResourceType): string {
  return `${type.group === '' ? 'api' : 'apis'}/${apiVersionOf(type)}`
}

function groupOf([name, types]: readonly [string, readonly ResourceType[]]): { readonly name: string } & Fields {
  const served = new Set(types.map(({ version }) => version))
  const versions = [...served].map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0] }
}

function resourceList(types: readonly ResourceType[]): Fields {
  const [groupVersion] = types.map(apiVersionOf)
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: types.flatMap(resourcesOf) }
}

const allVerbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

function resourcesOf({ plural: name, singular: singularName, ...type }: ResourceType): Fields[] {
  const { namespaced, kind, shortNames, categories, verbs = allVerbs } = type
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
