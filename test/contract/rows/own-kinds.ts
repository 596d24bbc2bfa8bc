import assert from 'node:assert/strict'
import { builtins, lackingTypes, type ResourceType } from '../../../sandbox/server/types.ts'
import { aJob } from '../kinds.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

interface Named {
  readonly name: string
  readonly shortNames?: readonly string[]
}

function rootOf({ group: name, version }: ResourceType): string {
  return name === '' ? `/api/${version}` : `/apis/${name}/${version}`
}

function strategic(world: World, body: object): Promise<string> {
  return world.verdict(world.path('jobs', 'a'), { method: 'PATCH', type: 'strategic-merge-patch+json', body })
}

const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
const role = 'rbac.authorization.k8s.io'
const rules = [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] }]
const selector = { matchLabels: { app: 'a' } }

/** Objects that nobody acts on, by what they are created at. */
const kept: Readonly<Record<string, object>> = {
  '/api/v1/serviceaccounts': { automountServiceAccountToken: false },
  [`/apis/${role}/v1/roles`]: { rules },
  [`/apis/${role}/v1/rolebindings`]: {
    roleRef: { apiGroup: role, kind: 'Role', name: 'a' },
    subjects: [{ kind: 'ServiceAccount', name: 'a' }],
  },
  '/apis/policy/v1/poddisruptionbudgets': { spec: { minAvailable: 1, selector } },
  '/apis/networking.k8s.io/v1/networkpolicies': { spec: { podSelector: selector, policyTypes: ['Ingress'] } },
}

export const ownKinds = group('own kinds', {
  'discovery names them as kubectl knows them, also those that the embedded server lacks': async (world) => {
    for (const type of [...builtins, ...lackingTypes]) {
      const resources = (await world.ok(rootOf(type)))['resources'] as readonly Named[]
      const found = resources.find(({ name }) => name === type.plural)
      const { kind, namespaced, singular: singularName, shortNames } = type
      assert.partialDeepStrictEqual(found, { kind, namespaced, singularName }, type.plural)
      assert.deepEqual(found?.shortNames, shortNames, type.plural)
    }
  },
  'of one that it lacks the names alone are served: it has no verbs, and is answered 501': only(
    'embedded',
    'the real one has them',
    async (world) => {
      const resources = (await world.ok('/api/v1'))['resources'] as readonly object[]
      assert.partialDeepStrictEqual(resources, [{ name: 'configmaps', shortNames: ['cm'], verbs: [] }])
      const said = await world.verdict(`/api/v1/namespaces/${world.namespace}/configmaps`)
      assert.match(said, /^501 NotImplemented: .* no resource configmaps in v1; a real API server has$/)
    },
  ),
  'those of the installation are kept as they are': async (world) => {
    for (const [collection, fields] of Object.entries(kept)) {
      const path = collection.replace(/\/([^/]+)$/, `/namespaces/${world.namespace}/$1`)
      await world.ok(path, { method: 'POST', body: { metadata: { name: 'a' }, ...fields } })
      assert.partialDeepStrictEqual(await world.ok(`${path}/a`), fields, collection)
    }
  },
  'a strategic merge patch without lists merges as a merge patch does': async (world) => {
    await world.create(aJob({ name: 'a', labels: { a: '1', b: '2' } }))
    assert.equal(await strategic(world, { metadata: { labels: { b: null, c: '3' } }, spec: { suspend: true } }), '200')
    const { labels } = (await world.found('jobs', 'a')).metadata as { labels?: Record<string, string> }
    assert.deepEqual([labels?.['a'], labels?.['b'], labels?.['c']], ['1', undefined, '3'])
  },
  'a strategic merge patch of a list, or with a directive: 501 that says what to do instead': only(
    'embedded',
    'the real one merges lists by their keys',
    async (world) => {
      await world.create(aJob({ name: 'a' }))
      const said =
        /^501 NotImplemented: .* strategic merge patch of lists, such as \S+ \(but --type merge, and replace\)/
      assert.match(await strategic(world, { metadata: { finalizers: ['a.b/c'] } }), said)
      assert.match(await strategic(world, { metadata: { labels: { $patch: 'replace' } } }), said)
    },
  ),
  'a strategic merge patch replaces the selector of a PodDisruptionBudget': only(
    'real',
    'the embedded server merges it as anything else',
    async (world) => {
      const path = `/apis/policy/v1/namespaces/${world.namespace}/poddisruptionbudgets`
      const body = { metadata: { name: 'a' }, spec: { minAvailable: 1, selector } }
      await world.ok(path, { method: 'POST', body })
      const other = { spec: { selector: { matchLabels: { other: 'b' } } } }
      const sent = { method: 'PATCH', type: 'strategic-merge-patch+json', body: other } as const
      assert.deepEqual(((await world.ok(`${path}/a`, sent))['spec'] as typeof body.spec).selector, other.spec.selector)
    },
  ),
  'a strategic merge patch of a custom resource: 415': async (world) => {
    const sent = { method: 'PATCH', type: 'strategic-merge-patch+json', body: {} } as const
    assert.match(await world.verdict(world.path('secondcronjobs', 'a'), sent), /^415 UnsupportedMediaType: /)
  },
  'the OpenAPI that kubectl asks for before it applies a List is there': async (world) => {
    assert.equal((await world.send('/openapi/v2', { accept: protobuf })).code, 200)
  },
})
