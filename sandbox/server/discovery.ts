import type { Fields } from './objects.ts'
import { apiVersionOf, type ResourceType } from './types.ts'

const all = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

/** What is served, and where: all that is not about one resource; undefined when it is nothing of that. */
export function discovery(types: readonly ResourceType[], path: string): unknown {
  const groups = [...new Set(types.map(({ group }) => group))].filter(Boolean).map((group) => groupOf(types, group))
  const group = groups.find(({ name }) => path === `/apis/${name}`)
  if (group !== undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...group }
  return (
    pages[path] ?? (path === '/apis' ? { kind: 'APIGroupList', apiVersion: 'v1', groups } : resourceList(types, path))
  )
}

const pages: Readonly<Record<string, unknown>> = {
  '/livez': 'ok',
  '/readyz': 'ok',
  '/healthz': 'ok',
  '/version': { major: '1', minor: '37', gitVersion: 'v1.37.0-embedded', platform: 'node' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
}

function groupOf(types: readonly ResourceType[], name: string): { readonly name: string } & Fields {
  const served = new Set(types.flatMap(({ group, version }) => (group === name ? [version] : [])))
  const versions = [...served].map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0] }
}

function resourceList(types: readonly ResourceType[], path: string): Fields | undefined {
  const groupVersion = path.replace(/^\/apis?\//, '')
  const resources = types.filter((type) => apiVersionOf(type) === groupVersion).flatMap(resourcesOf)
  return resources.length === 0 ? undefined : { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

function resourcesOf({
  plural: name,
  singular,
  namespaced,
  kind,
  shortNames,
  categories,
  hasStatus,
}: ResourceType): Fields[] {
  const status = { name: `${name}/status`, singularName: '', namespaced, kind, verbs: ['get', 'patch', 'update'] }
  const own = { name, singularName: singular, namespaced, kind, verbs: all, shortNames, categories }
  return hasStatus ? [own, status] : [own]
}
