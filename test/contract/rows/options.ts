import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import type { Sent } from '../client.ts'
import { aJob, aLease, aResource } from '../kinds.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

function post(body: object): Sent {
  return { method: 'POST', body }
}

/** What a PUT of the object says when it bears this version. */
function put(world: World, kind: 'jobs' | 'secondcronjobs', object: KubeObject, resourceVersion: unknown) {
  const body = { ...object, metadata: { ...object.metadata, resourceVersion } }
  return world.verdict(world.path(kind, object.metadata.name), { method: 'PUT', body })
}

async function isNoVersion(world: World, versions: readonly (string | null)[]): Promise<void> {
  for (const version of versions)
    await world.create(aLease({ name: `l${version ?? 'null'}`, resourceVersion: version }))
  const job = await world.create(aJob({ name: 'a' }))
  const resource = await world.create(aResource({ name: 'a' }))
  for (const version of versions) {
    assert.equal(await put(world, 'jobs', job, version), '200')
    assert.match(
      await put(world, 'secondcronjobs', resource, version),
      /^422 Invalid: .*metadata\.resourceVersion: Invalid value: 0: must be specified for an update$/,
    )
  }
}

export const options = group('options', {
  'a dry run that is not All: 422, and nothing is done': async (world) => {
    const held = await world.create(aResource({ name: 'held' }))
    for (const dryRun of ['true', 'all', '']) {
      const wanted = /^422 Invalid: \w+Options\.meta\.k8s\.io "" is invalid: dryRun: Unsupported value: .*"All"$/
      assert.match(await world.verdict(`${world.path('jobs')}?dryRun=${dryRun}`, post(aJob({ name: 'a' }))), wanted)
      const path = `${world.path('secondcronjobs', 'held')}?dryRun=${dryRun}`
      const body = { metadata: { labels: { a: 'b' } } }
      assert.match(await world.verdict(path, { method: 'PATCH', type: 'merge-patch+json', body }), wanted)
      assert.match(await world.verdict(path, { method: 'DELETE' }), wanted)
    }
    assert.deepEqual(await world.names('jobs'), [])
    assert.deepEqual(await world.found('secondcronjobs', 'held'), held)
  },
  'a dry run in the body of a DELETE is a list: of another word 422, of none it is no dry run': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const codeOf = async (dryRun: unknown) => (await world.delete('secondcronjobs', 'a', { dryRun })).code
    assert.deepEqual([await codeOf(['yes']), await codeOf('All'), await codeOf(['All'])], [422, 400, 200])
    assert.deepEqual(await world.names('secondcronjobs'), ['a'])
    assert.deepEqual([await codeOf([]), await world.names('secondcronjobs')], [200, []])
  },
  'a fieldValidation that there is none of: 422': async (world) => {
    assert.match(
      await world.verdict(`${world.path('jobs')}?fieldValidation=strict`, post(aJob({ name: 'a' }))),
      /^422 Invalid: CreateOptions\..* fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"$/,
    )
  },
  'a limit or a time that is no number: 400': async (world) => {
    for (const query of ['limit=abc', 'limit=1.5', 'watch=true&timeoutSeconds=abc'])
      assert.match(await world.verdict(`${world.path('jobs')}?${query}`), /^400 BadRequest: .*invalid syntax$/)
  },
  'watch=yes watches': async (world) => {
    await world.create(aLease({ name: 'a' }))
    const watch = await world.client.watch(`${world.path('leases')}?watch=yes&resourceVersion=0`)
    await world.until('the watch to tell', 5_000, async () => watch.told().length > 0)
    assert.deepEqual(watch.told(), ['ADDED a'])
  },
  'a body of more than 3 MiB: 413': only('real', 'the embedded server takes bodies of any size', async (world) => {
    const body = aJob({ name: 'a', annotations: { a: 'x'.repeat(3_200_000) } })
    assert.match(
      await world.verdict(world.path('jobs'), post(body)),
      /^413 RequestEntityTooLarge: Request entity too large: limit is 3145728$/,
    )
  }),
  'a status alone is not deleted: 405, and its object stays': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const path = world.path('secondcronjobs', 'a', 'status')
    assert.match(await world.verdict(path, { method: 'DELETE' }), /^405 MethodNotAllowed: delete is not supported on /)
    assert.deepEqual(await world.names('secondcronjobs'), ['a'])
  },
  'an empty resourceVersion is none: a create and a PUT of a Job go, one of a custom resource does not': (world) =>
    isNoVersion(world, ['', null]),
  'a resourceVersion of zero is none': only('real', 'the embedded server takes zero for an old version', (world) =>
    isNoVersion(world, ['0']),
  ),
  'a patch that takes away the resourceVersion: 422 for a custom resource': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const body = [{ op: 'remove', path: '/metadata/resourceVersion' }]
    assert.match(
      await world.verdict(world.path('secondcronjobs', 'a'), { method: 'PATCH', type: 'json-patch+json', body }),
      /^422 Invalid: .*metadata\.resourceVersion: Invalid value: 0: must be specified for an update$/,
    )
  },
  'a patch that takes away the name, or all metadata: 400, and nothing is changed': async (world) => {
    const before = await world.create(aResource({ name: 'a', labels: { a: 'b' } }))
    for (const body of [{ metadata: null }, { metadata: { name: null } }])
      assert.match(
        await world.verdict(world.path('secondcronjobs', 'a'), { method: 'PATCH', type: 'merge-patch+json', body }),
        /^400 BadRequest: the name of the object \(a based on URL\) was undeterminable: name must be provided$/,
      )
    assert.deepEqual(await world.found('secondcronjobs', 'a'), before)
  },
})
