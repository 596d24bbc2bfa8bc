import type { Fields } from './objects.ts'
import { apiVersionOf } from './reads.ts'
import type { ResourceType, Types } from './types.ts'

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

interface Page {
  readonly code: number
  readonly body: unknown
}

/** What is served, and where: all that is not about one resource. */
export function discovery(types: Types, { pathname }: URL): Page {
  const path = pathname.replace(/\/$/, '')
  const body = pages(types)[path] ?? listOf(types, path)
  return body === undefined ? { code: 404, body: '404 page not found\n' } : { code: 200, body }
}

function pages(types: Types): Readonly<Record<string, unknown>> {
  const groups = [...new Set(types.all().map(({ group }) => group))].filter((group) => group !== '')
  const described = groups.map((group) => groupOf(types, group))
  return {
    '/livez': 'ok',
    '/readyz': 'ok',
    '/healthz': 'ok',
    '/version': { major: '1', minor: '37', gitVersion: 'v1.37.0-embedded', platform: 'node' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: described },
    ...Object.fromEntries(
      described.map((group) => [`/apis/${group.name}`, { kind: 'APIGroup', apiVersion: 'v1', ...group }]),
    ),
  }
}

function groupOf(types: Types, name: string): { readonly name: string } & Fields {
  const found = types.all().filter(({ group }) => group === name)
  const versions = [...new Set(found.map(({ version }) => version))].map((version) => ({
    groupVersion: `${name}/${version}`,
    version,
  }))
  return { name, versions, preferredVersion: versions[0] }
}

function listOf(types: Types, path: string): unknown {
  const groupVersion = path.replace(/^\/apis?\//, '')
  const found = types.all().filter((type) => apiVersionOf(type) === groupVersion)
  if (found.length === 0) return undefined
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: found.flatMap(resourcesOf) }
}

function resourcesOf({
  plural: name,
  singular: singularName,
  namespaced,
  kind,
  shortNames,
  categories,
  hasStatus,
}: ResourceType): Fields[] {
  const common = { namespaced, kind }
  const status = { name: `${name}/status`, singularName: '', ...common, verbs: ['get', 'patch', 'update'] }
  return [{ name, singularName, ...common, verbs, shortNames, categories }, ...(hasStatus ? [status] : [])]
}
