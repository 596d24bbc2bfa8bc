import assert from 'node:assert/strict'
import { aJob, aLease } from '../kinds.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

function refusal(world: World, metadata: object): Promise<string> {
  return world.verdict(world.path('jobs'), { method: 'POST', body: aJob({ name: 'a', ...metadata }) })
}

const long = 'x'.repeat(64)

export const marks = group('names and marks', {
  'a label, and the name of a key, have 63 characters at most': async (world) => {
    assert.match(
      await refusal(world, { labels: { a: long } }),
      new RegExp(`^422 Invalid: .*metadata\\.labels: Invalid value: "${long}": must be no more than 63 bytes$`),
    )
    assert.match(await refusal(world, { labels: { [long]: 'a' } }), /^422 Invalid: .*metadata\.labels: Invalid value: /)
    assert.match(
      await refusal(world, { annotations: { [`a/${long}`]: 'a' } }),
      /^422 Invalid: .*metadata\.annotations: Invalid value: /,
    )
    assert.equal(await refusal(world, { labels: { [long.slice(1)]: long.slice(1) } }), '201')
  },
  'a key has one slash at most, and a domain before it; in an annotation there may be capitals there': async (
    world,
  ) => {
    for (const key of ['/b', 'a/b/c', 'a_b/c'])
      assert.match(
        await refusal(world, { labels: { [key]: 'a' } }),
        new RegExp(`^422 Invalid: .*metadata\\.labels: Invalid value: "${key}": `),
      )
    assert.equal(await refusal(world, { annotations: { 'Example.com/a': 'a' } }), '201')
  },
  'the key of a label has no capitals before the slash': only(
    'real',
    'the embedded server lets in capitals there, as in an annotation',
    async (world) => {
      assert.match(
        await refusal(world, { labels: { 'Example.com/a': 'a' } }),
        /^422 Invalid: .*metadata\.labels: Invalid value: "Example\.com\/a": /,
      )
    },
  ),
  'a finalizer has a domain, or is one of Kubernetes’ own': async (world) => {
    assert.match(
      await refusal(world, { finalizers: ['hold'] }),
      /^422 Invalid: .*metadata\.finalizers\[0\]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified$/,
    )
    assert.equal(await refusal(world, { finalizers: ['foregroundDeletion'] }), '201')
  },
  'a name has 253 characters at most, that of a Job 63, since it is a label of its Pods': async (world) => {
    const body = aLease({ name: 'x'.repeat(254) })
    const verdict = await world.verdict(world.path('leases'), { method: 'POST', body })
    assert.match(verdict, /^422 Invalid: .*metadata\.name: Invalid value: "x+": must be no more than 253 /)
    await world.create(aLease({ name: 'x'.repeat(253) }))
    assert.match(await refusal(world, { name: long }), /^422 Invalid: .*spec\.template\.labels: Invalid value: /)
    assert.equal(await refusal(world, { name: long.slice(1) }), '201')
  },
  'a long generateName is cut, so that the name has 63 characters': async (world) => {
    const { metadata } = await world.create(aLease({ generateName: `${'x'.repeat(80)}-` }))
    assert.match(metadata.name, /^x{58}[a-z0-9]{5}$/)
  },
  'what a deleted object bore of its end is not kept when it is created anew': async (world) => {
    const end = { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 }
    const { metadata } = await world.create(aLease({ name: 'a', ...end }))
    assert.deepEqual([metadata['deletionTimestamp'], metadata['deletionGracePeriodSeconds']], [undefined, undefined])
  },
  'null is no name: 422': async (world) => {
    assert.match(
      await refusal(world, { name: null }),
      /metadata\.name: Required value: name or generateName is required/,
    )
  },
})
