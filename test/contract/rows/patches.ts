import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aJob, aResource } from '../kinds.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

function patch(world: World, operations: readonly object[], subresource?: string): Promise<string> {
  const path = world.path('secondcronjobs', 'a', subresource)
  return world.verdict(path, { method: 'PATCH', type: 'json-patch+json', body: operations })
}

async function specOf(world: World): Promise<Record<string, unknown>> {
  return (await world.found('secondcronjobs', 'a'))['spec'] as Record<string, unknown>
}

const refused = /^422 Invalid: the server rejected our request due to an error in our request$/

export const patches = group('patches', {
  'a JSON patch: test, add, replace and remove, in their order': async (world) => {
    await world.create(aResource({ name: 'a', annotations: { old: '1' } }))
    const verdict = await patch(world, [
      { op: 'test', path: '/metadata/annotations/old', value: '1' },
      { op: 'remove', path: '/metadata/annotations/old' },
      { op: 'add', path: '/metadata/annotations/new~1one', value: '2' },
      { op: 'replace', path: '/spec/suspend', value: true },
      { op: 'copy', from: '/spec/image', path: '/spec/name' },
      { op: 'add', path: '/spec/args', value: ['a', 'c'] },
      { op: 'add', path: '/spec/args/1', value: 'b' },
      { op: 'add', path: '/spec/args/-', value: 'd' },
    ])
    assert.equal(verdict, '200')
    const { metadata, spec } = (await world.found('secondcronjobs', 'a')) as KubeObject & { spec: object }
    assert.deepEqual(metadata['annotations'], { 'new/one': '2' })
    assert.partialDeepStrictEqual(spec, { suspend: true, name: 'busybox', args: ['a', 'b', 'c', 'd'] })
  },
  'a test that fails: 422, and nothing of the patch is done': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const operations = [
      { op: 'replace', path: '/spec/suspend', value: true },
      { op: 'test', path: '/spec/image', value: 'another' },
    ]
    assert.match(await patch(world, operations), refused)
    assert.equal((await specOf(world))['suspend'], false)
  },
  'a test for null passes when nothing is there': async (world) => {
    await world.create(aResource({ name: 'a' }))
    assert.equal(await patch(world, [{ op: 'test', path: '/status', value: null }]), '200')
    const absent = { op: 'test', path: '/status/handledUntil', value: null }
    const set = { op: 'add', path: '/status', value: { missedCount: 1 } }
    assert.equal(await patch(world, [set], 'status'), '200')
    assert.equal(await patch(world, [absent, set], 'status'), '200')
  },
  'a test below something that is not there, a removal of nothing, an addition to no array: 422': async (world) => {
    await world.create(aResource({ name: 'a' }))
    for (const operation of [
      { op: 'test', path: '/status/handledUntil', value: 'x' },
      { op: 'remove', path: '/spec/nothing' },
      { op: 'add', path: '/metadata/finalizers/-', value: 'a.b/c' },
    ])
      assert.match(await patch(world, [operation]), refused, JSON.stringify(operation))
  },
  'an index that is none, or beyond the end: 422': async (world) => {
    await world.create(aResource({ name: 'a' }, { args: ['a', 'b'] }))
    for (const index of ['x', '7', 'length'])
      for (const op of ['add', 'replace']) {
        const body = [{ op, path: `/spec/args/${index}`, value: 'c' }]
        assert.match(
          await world.verdict(world.path('secondcronjobs', 'a'), { method: 'PATCH', type: 'json-patch+json', body }),
          /^422 Invalid: the server rejected our request due to an error in our request$/,
          `${op} ${index}`,
        )
      }
  },
  'a replacement of what is not there adds it': only(
    'real',
    'the embedded server takes a JSON patch as its RFC has it',
    async (world) => {
      await world.create(aResource({ name: 'a' }))
      assert.equal(await patch(world, [{ op: 'replace', path: '/spec/args', value: ['x'] }]), '200')
      assert.deepEqual((await specOf(world))['args'], ['x'])
    },
  ),
  'a test of uid and version guards a status': async (world) => {
    const { metadata } = await world.create(aResource({ name: 'a' }))
    const set = { op: 'add', path: '/status', value: { missedCount: 1 } }
    assert.match(await patch(world, [{ op: 'test', path: '/metadata/uid', value: 'x' }, set], 'status'), refused)
    const good = { op: 'test', path: '/metadata/uid', value: metadata['uid'] }
    assert.equal(await patch(world, [good, set], 'status'), '200')
    assert.deepEqual((await world.found('secondcronjobs', 'a'))['status'], { missedCount: 1 })
  },
  'a patch that is no array of operations: 400': async (world) => {
    await world.create(aResource({ name: 'a' }))
    assert.match(await patch(world, { op: 'add' } as never), /^400 BadRequest: /)
  },
  'a merge patch merges objects, replaces arrays, and takes away what is null': async (world) => {
    await world.create(aResource({ name: 'a', labels: { a: '1', b: '2' } }, { args: ['a', 'b'], name: 'n' }))
    const body = { metadata: { labels: { b: null, c: '3' } }, spec: { args: ['c'], name: null } }
    const { metadata, spec } = await world.merge('secondcronjobs', 'a', body)
    assert.deepEqual(metadata['labels'], { a: '1', c: '3' })
    assert.deepEqual([(spec as { args: unknown }).args, Object.hasOwn(spec as object, 'name')], [['c'], false])
  },
  'a merge patch with an old version: 409': async (world) => {
    const { metadata } = await world.create(aResource({ name: 'a' }))
    await world.merge('secondcronjobs', 'a', { spec: { suspend: true } })
    const body = { metadata: { resourceVersion: metadata['resourceVersion'] }, spec: { suspend: false } }
    const path = world.path('secondcronjobs', 'a')
    assert.match(await world.verdict(path, { method: 'PATCH', type: 'merge-patch+json', body }), /^409 Conflict: /)
  },
  'a patch does not change who it is: uid, name and creation stay, or it is refused': async (world) => {
    const { metadata } = await world.create(aResource({ name: 'a' }))
    const body = { metadata: { creationTimestamp: '2001-01-01T00:00:00Z', generation: 9 } }
    const patched = await world.merge('secondcronjobs', 'a', body)
    assert.deepEqual(
      ['uid', 'creationTimestamp', 'generation'].map((field) => patched.metadata[field]),
      ['uid', 'creationTimestamp', 'generation'].map((field) => metadata[field]),
    )
    const path = world.path('secondcronjobs', 'a')
    const renamed = { method: 'PATCH', type: 'merge-patch+json', body: { metadata: { name: 'b' } } } as const
    assert.match(
      await world.verdict(path, renamed),
      /^400 BadRequest: the name of the object \(b\) does not match the name on the URL \(a\)$/,
    )
  },
  'a patch of what is not there: 404': async (world) => {
    assert.equal(await patch(world, []), '404 NotFound: secondcronjobs.myyrakle.com "a" not found')
  },
  'a content type that is no patch: 415': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const path = world.path('secondcronjobs', 'a')
    assert.match(
      await world.verdict(path, { method: 'PATCH', body: {} }),
      /^415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application\/json-patch\+json, application\/merge-patch\+json/,
    )
  },
  'a Job’s template is immutable, its suspend is not': only(
    'real',
    'the embedded server lets all of a Job be edited',
    async (world) => {
      await world.create(aJob({ name: 'a' }))
      const path = world.path('jobs', 'a')
      const template = { spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } } }
      assert.match(
        await world.verdict(path, { method: 'PATCH', type: 'merge-patch+json', body: { spec: { completions: 7 } } }),
        /^422 Invalid: Job\.batch "a" is invalid: spec\.completions: Invalid value: 7: field is immutable/,
      )
      await world.merge('jobs', 'a', { spec: { suspend: false } })
      await world.until('it to have started', 10_000, async () => {
        return ((await world.found('jobs', 'a'))['status'] as { startTime?: string }).startTime
      })
      assert.match(
        await world.verdict(path, { method: 'PATCH', type: 'merge-patch+json', body: template }),
        /^422 Invalid: Job\.batch "a" is invalid: spec\.template: Invalid value: .*: field is immutable$/s,
      )
    },
  ),
})
