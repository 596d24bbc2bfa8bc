import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

/** A kind of this row's own, since a definition is there for all: `things` in a group named after the namespace. */
function groupOf(world: World): string {
  return `${world.namespace}.example.com`
}

function definition(world: World, size: object): KubeObject {
  const spec = { type: 'object', required: ['size'], properties: { size, colour: { type: 'string' } } }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${groupOf(world)}` },
    spec: {
      group: groupOf(world),
      names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }
}

function things(world: World, name?: string): string {
  const path = `/apis/${groupOf(world)}/v1/namespaces/${world.namespace}/things`
  return name === undefined ? path : `${path}/${name}`
}

function create(world: World, name: string, spec: object): Promise<string> {
  const body = { apiVersion: `${groupOf(world)}/v1`, kind: 'Thing', metadata: { name }, spec }
  return world.verdict(things(world), { method: 'POST', body })
}

function edit(world: World, name: string, body: object): Promise<string> {
  return world.verdict(things(world, name), { method: 'PATCH', type: 'merge-patch+json', body })
}

/** Creates the definition, and waits until it is served. */
async function defined(world: World, size: object): Promise<void> {
  await world.create(definition(world, size))
  await world.until('it to be established', 10_000, async () => {
    const { status } = await world.found('customresourcedefinitions', `things.${groupOf(world)}`)
    const { conditions } = (status ?? {}) as { conditions?: { type: string; status: string }[] | null }
    return conditions?.some(({ type, status: holds }) => type === 'Established' && holds === 'True')
  })
  await world.until('its path to be served', 10_000, async () => (await world.send(things(world))).code === 200)
}

/** Puts another schema in the place of the one that is there, and waits until it is in force. */
async function redefined(world: World, size: object, isInForce: () => Promise<boolean>): Promise<void> {
  const name = `things.${groupOf(world)}`
  const found = await world.found('customresourcedefinitions', name)
  const body = { ...definition(world, size), metadata: found.metadata }
  await world.ok(world.path('customresourcedefinitions', name), { method: 'PUT', body })
  await world.until('the new schema to be in force', 15_000, isInForce)
}

async function isStricter(world: World): Promise<boolean> {
  return (await world.verdict(`${things(world)}?dryRun=All`, { method: 'POST', body: probe(world) })).startsWith('422')
}

function probe(world: World): object {
  return { apiVersion: `${groupOf(world)}/v1`, kind: 'Thing', metadata: { name: 'probe' }, spec: { size: 1 } }
}

export const definitions = group('definitions', {
  'a kind that is defined is served, and its objects are checked': async (world) => {
    assert.equal((await world.send(things(world))).code, 404)
    await defined(world, { type: 'integer', minimum: 1 })
    assert.equal(await create(world, 'a', { size: 1 }), '201')
    assert.match(
      await create(world, 'b', { size: 0 }),
      /^422 Invalid: Thing\..* "b" is invalid: spec\.size: Invalid value: 0: /,
    )
    assert.match(await create(world, 'b', {}), /spec\.size: Required value/)
  },
  'made stricter: what was let in before can be changed elsewhere, and not to another wrong value': async (world) => {
    await defined(world, { type: 'integer' })
    assert.equal(await create(world, 'old', { size: 1 }), '201')
    await redefined(world, { type: 'integer', minimum: 10 }, () => isStricter(world))
    assert.equal(await edit(world, 'old', { metadata: { labels: { a: 'b' } } }), '200')
    assert.equal(await edit(world, 'old', { spec: { colour: 'red' } }), '200')
    assert.match(await edit(world, 'old', { spec: { size: 2 } }), /^422 Invalid: .*spec\.size: Invalid value: 2: /)
    assert.equal(await edit(world, 'old', { spec: { size: 10 } }), '200')
    assert.match(await edit(world, 'old', { spec: { size: 1 } }), /^422 Invalid: /)
  },
  'made stricter: what was let in before can be deleted, also with a finalizer': async (world) => {
    await defined(world, { type: 'integer' })
    await create(world, 'old', { size: 1 })
    await edit(world, 'old', { metadata: { finalizers: ['example.com/hold'] } })
    await redefined(world, { type: 'integer', minimum: 10 }, () => isStricter(world))
    assert.equal(await world.verdict(things(world, 'old'), { method: 'DELETE' }), '200')
    assert.equal(await edit(world, 'old', { metadata: { finalizers: null } }), '200')
    assert.equal((await world.send(things(world, 'old'))).code, 404)
  },
  'deleted: its objects go with it, and then its path is not there': async (world) => {
    await defined(world, { type: 'integer' })
    await create(world, 'a', { size: 1 })
    assert.equal((await world.delete('customresourcedefinitions', `things.${groupOf(world)}`)).code, 200)
    await world.isGone('customresourcedefinitions', `things.${groupOf(world)}`, 20_000)
    await world.until('its path to be gone', 10_000, async () => (await world.send(things(world))).code === 404)
  },
  'replaced as its file has it, without finalizers, and deleted: its objects go all the same': async (world) => {
    await defined(world, { type: 'integer' })
    await create(world, 'a', { size: 1 })
    const name = `things.${groupOf(world)}`
    const { metadata } = await world.found('customresourcedefinitions', name)
    assert.equal(metadata['finalizers'], undefined)
    const { resourceVersion } = metadata
    const body = { ...definition(world, { type: 'integer' }), metadata: { name, resourceVersion } }
    await world.ok(world.path('customresourcedefinitions', name), { method: 'PUT', body })
    assert.equal((await world.delete('customresourcedefinitions', name)).code, 200)
    await world.isGone('customresourcedefinitions', name, 20_000)
    await defined(world, { type: 'integer' })
    assert.deepEqual((await world.ok(things(world)))['items'], [])
  },
  'columns that are no list: 400, one without a path: 422, and there is no such kind': async (world) => {
    for (const [columns, wanted] of [
      [
        {},
        /^400 BadRequest: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: /,
      ],
      [
        [{ name: 'Size', type: 'integer' }],
        /^422 Invalid: .*additionalPrinterColumns\[0\]\.(jsonPath|JSONPath): Required value/,
      ],
    ] as const) {
      const body = definition(world, { type: 'integer' })
      const { versions, ...spec } = body['spec'] as { versions: object[] }
      const changed = { ...spec, versions: versions.map((each) => ({ ...each, additionalPrinterColumns: columns })) }
      const sent = { method: 'POST', body: { ...body, spec: changed } } as const
      assert.match(await world.verdict(world.path('customresourcedefinitions'), sent), wanted)
    }
    assert.equal((await world.send(things(world))).code, 404)
    assert.equal(await world.get('customresourcedefinitions', `things.${groupOf(world)}`), null)
  },
  'while a definition waits for its objects there are no new ones: 403': async (world) => {
    await defined(world, { type: 'integer' })
    await create(world, 'held', { size: 1 })
    await edit(world, 'held', { metadata: { finalizers: ['example.com/hold'] } })
    await world.delete('customresourcedefinitions', `things.${groupOf(world)}`)
    const verdict = await world.until('a create to be refused', 10_000, async () => {
      const said = await create(world, 'late', { size: 1 })
      return said !== '201' && said
    })
    assert.match(
      verdict,
      /^403 Forbidden: .*"late" is forbidden: create not allowed while custom resource definition is/,
    )
    await edit(world, 'held', { metadata: { finalizers: null } })
    await world.isGone('customresourcedefinitions', `things.${groupOf(world)}`, 20_000)
  },
  'a watch ends when the definition is changed, and not when only its marks are': async (world) => {
    await defined(world, { type: 'integer' })
    // Until everything that its beginning changes has come to rest.
    await world.pass(3_000)
    const watch = await world.client.watch(`${things(world)}?watch=true`)
    await world.merge('customresourcedefinitions', `things.${groupOf(world)}`, { metadata: { labels: { a: 'b' } } })
    await create(world, 'a', { size: 1 })
    await world.until('the watch to tell of it', 10_000, async () => watch.told().includes('ADDED a'))
    await redefined(world, { type: 'integer', minimum: 10 }, () => isStricter(world))
    await world.until('the watch to end', 15_000, async () => watch.isOver)
    assert.deepEqual(watch.told(), ['ADDED a'])
  },
  'a name that is not the plural and the group: 422': only(
    'real',
    'the embedded server takes a definition as it comes',
    async (world) => {
      const body = { ...definition(world, { type: 'integer' }), metadata: { name: 'others.example.com' } }
      assert.match(
        await world.verdict(world.path('customresourcedefinitions'), { method: 'POST', body }),
        /^422 Invalid: .*metadata\.name: Invalid value: "others\.example\.com": must be spec\.names\.plural\+"\."\+spec\.group/,
      )
    },
  ),
})
