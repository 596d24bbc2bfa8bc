import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aJob, aResource } from '../kinds.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

type Change = (object: { readonly spec: Record<string, unknown>; readonly metadata: Record<string, unknown> }) => void

/** The object after a PUT of what the change has made of it. */
function put(world: World, object: KubeObject, change: Change): Promise<string> {
  const copy = structuredClone(object)
  change(copy as unknown as Parameters<Change>[0])
  const path = world.path('secondcronjobs', object.metadata.name)
  return world.verdict(path, { method: 'PUT', body: copy })
}

function versionOf({ metadata }: KubeObject): string {
  return String(metadata['resourceVersion'])
}

export const writes = group('writes', {
  'a create is answered 201 with what the server adds: uid, version, generation 1, time of creation': async (world) => {
    const { code, body } = await world.send(world.path('secondcronjobs'), {
      method: 'POST',
      body: aResource({ name: 'a', uid: 'x', generation: 7, creationTimestamp: '2001-01-01T00:00:00Z' }),
    })
    const { metadata } = body as KubeObject
    assert.equal(code, 201)
    assert.match(String(metadata['uid']), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.match(String(metadata['creationTimestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.ok(world.now() - Date.parse(String(metadata['creationTimestamp'])) < 5_000)
    assert.deepEqual([metadata['generation'], metadata.namespace], [1, world.namespace])
  },
  'a name that is taken: 409 AlreadyExists with details': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const { code, body } = await world.send(world.path('secondcronjobs'), {
      method: 'POST',
      body: aResource({ name: 'a' }),
    })
    const { message, reason, details } = body as Record<string, unknown>
    assert.deepEqual([code, reason], [409, 'AlreadyExists'])
    assert.equal(message, 'secondcronjobs.myyrakle.com "a" already exists')
    assert.deepEqual(details, { name: 'a', group: 'myyrakle.com', kind: 'secondcronjobs' })
  },
  'generateName: a name of its own, five characters longer': async (world) => {
    const made = [await world.create(aJob({ generateName: 'a-' })), await world.create(aJob({ generateName: 'a-' }))]
    for (const { metadata } of made) assert.match(metadata.name, /^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    assert.notEqual(made[0]?.metadata.name, made[1]?.metadata.name)
  },
  'no name at all: 422': async (world) => {
    assert.match(
      await world.verdict(world.path('secondcronjobs'), { method: 'POST', body: aResource({}) }),
      /name or generateName is required/,
    )
  },
  'a name that is none: 422': async (world) => {
    assert.match(
      await world.verdict(world.path('jobs'), { method: 'POST', body: aJob({ name: 'A_b' }) }),
      /^422 Invalid: Job\.batch "A_b" is invalid: metadata\.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of/,
    )
  },
  'a label that is none: 422 that names it': async (world) => {
    assert.match(
      await world.verdict(world.path('jobs'), { method: 'POST', body: aJob({ name: 'a', labels: { app: 'a b' } }) }),
      /^422 Invalid: Job\.batch "a" is invalid: .*metadata\.labels: Invalid value: "a b": a valid label must be an empty string or/,
    )
  },
  'another namespace in the body than in the path: 400': async (world) => {
    assert.match(
      await world.verdict(world.path('jobs'), { method: 'POST', body: aJob({ name: 'a', namespace: 'default' }) }),
      /^400 BadRequest: the namespace of the provided object does not match the namespace sent on the request$/,
    )
  },
  'a resourceVersion in a create: refused': async (world) => {
    assert.match(
      await world.verdict(world.path('jobs'), { method: 'POST', body: aJob({ name: 'a', resourceVersion: '5' }) }),
      /resourceVersion should not be set on objects to be created/,
    )
  },
  'into a namespace that is not there: 404 that names the namespace': async (world) => {
    const path = world.path('jobs').replace(world.namespace, 'nowhere')
    const { code, body } = await world.send(path, { method: 'POST', body: aJob({ name: 'a' }) })
    const { message, details } = body as { message: string; details: { kind: string } }
    assert.deepEqual([code, message, details.kind], [404, 'namespaces "nowhere" not found', 'namespaces'])
  },
  'a PUT with an old version: 409 Conflict in the words that kubectl shows': async (world) => {
    const old = await world.create(aResource({ name: 'a' }))
    await world.merge('secondcronjobs', 'a', { metadata: { labels: { a: 'b' } } })
    assert.equal(
      await put(world, old, ({ spec }) => (spec['suspend'] = true)),
      '409 Conflict: Operation cannot be fulfilled on secondcronjobs.myyrakle.com "a": the object has been modified; please apply your changes to the latest version and try again',
    )
  },
  'a PUT of a custom resource without a version: 422': async (world) => {
    const object = await world.create(aResource({ name: 'a' }))
    assert.match(
      await put(world, object, ({ metadata }) => delete metadata['resourceVersion']),
      /^422 Invalid: .*"a" is invalid: metadata\.resourceVersion: Invalid value: .*: must be specified for an update$/,
    )
  },
  'a PUT under another name: 400': async (world) => {
    const object = await world.create(aResource({ name: 'a' }))
    assert.equal(
      await put(world, object, ({ metadata }) => (metadata['name'] = 'b')),
      '400 BadRequest: the name of the object (b) does not match the name on the URL (a)',
    )
  },
  'a PUT of what is not there: 404': async (world) => {
    const body = aResource({ name: 'a', resourceVersion: '5' })
    assert.equal(
      await world.verdict(world.path('secondcronjobs', 'a'), { method: 'PUT', body }),
      '404 NotFound: secondcronjobs.myyrakle.com "a" not found',
    )
  },
  'a PUT with the uid of another: 409': only(
    'real',
    'the embedded server keeps the uid, whatever is sent',
    async (world) => {
      const object = await world.create(aResource({ name: 'a' }))
      assert.match(
        await put(world, object, ({ metadata }) => (metadata['uid'] = 'x')),
        /^409 Conflict: .*Precondition failed: UID in precondition: x, UID in object meta: /,
      )
    },
  ),
  'a change of the spec counts the generation up; of labels and annotations it does not': async (world) => {
    const object = await world.create(aResource({ name: 'a' }))
    const labelled = await world.merge('secondcronjobs', 'a', {
      metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
    })
    const edited = await world.merge('secondcronjobs', 'a', { spec: { suspend: true } })
    assert.deepEqual(
      [object, labelled, edited].map(({ metadata }) => metadata['generation']),
      [1, 1, 2],
    )
    assert.equal(new Set([object, labelled, edited].map(versionOf)).size, 3)
  },
  'a write that changes nothing keeps the version': async (world) => {
    const object = await world.create(aResource({ name: 'a' }))
    const same = await world.merge('secondcronjobs', 'a', { spec: { intervalSeconds: 10 } })
    assert.equal(versionOf(same), versionOf(object))
    assert.equal(await put(world, object, () => undefined), '200')
    assert.equal(versionOf(await world.found('secondcronjobs', 'a')), versionOf(object))
  },
  'versions grow over all kinds': async (world) => {
    const made = [
      await world.create(aResource({ name: 'a' })),
      await world.create(aJob({ name: 'a' })),
      await world.merge('secondcronjobs', 'a', { spec: { suspend: true } }),
    ].map((object) => Number(versionOf(object)))
    assert.deepEqual(
      made,
      made.toSorted((one, other) => one - other),
    )
  },
  'the status is written by its subresource alone, which writes nothing else and leaves the generation': async (
    world,
  ) => {
    const object = await world.create({ ...aResource({ name: 'a' }), status: { missedCount: 3 } })
    assert.equal(object['status'], undefined)
    const byMain = await world.merge('secondcronjobs', 'a', { status: { missedCount: 3 } })
    assert.equal(byMain['status'], undefined)
    const change = { status: { missedCount: 3 }, spec: { suspend: true }, metadata: { labels: { a: 'b' } } }
    const { metadata, spec, status } = await world.merge('secondcronjobs', 'a', change, 'status')
    assert.deepEqual([status, (spec as { suspend: boolean }).suspend], [{ missedCount: 3 }, false])
    assert.deepEqual([metadata['labels'], metadata['generation']], [undefined, 1])
  },
  'a PUT to the status keeps the spec, and one to the object keeps the status': async (world) => {
    const object = await world.create(aResource({ name: 'a' }))
    const body = { ...object, spec: { intervalSeconds: 20, image: 'b' }, status: { missedCount: 1 } }
    const written = await world.ok(world.path('secondcronjobs', 'a', 'status'), { method: 'PUT', body })
    assert.deepEqual([written['spec'], written['status']], [object['spec'], { missedCount: 1 }])
    const { status: _, ...rest } = written
    const edited = await world.ok(world.path('secondcronjobs', 'a'), { method: 'PUT', body: rest })
    assert.deepEqual(edited['status'], { missedCount: 1 })
  },
  'dryRun=All answers as if, and keeps nothing': async (world) => {
    const path = `${world.path('jobs')}?dryRun=All`
    const { code, body } = await world.send(path, { method: 'POST', body: aJob({ name: 'a' }) })
    assert.equal(code, 201)
    assert.match(String((body as KubeObject).metadata['uid']), /^[0-9a-f-]{36}$/)
    assert.equal(await world.get('jobs', 'a'), null)
    assert.match(await world.verdict(path, { method: 'POST', body: aJob({ name: 'a' }, { template: {} }) }), /^422 /)
    await world.create(aJob({ name: 'a' }))
    assert.match(await world.verdict(path, { method: 'POST', body: aJob({ name: 'a' }) }), /^409 AlreadyExists/)
    const merge = { method: 'PATCH', type: 'merge-patch+json', body: { metadata: { labels: { a: 'b' } } } } as const
    assert.equal(await world.verdict(`${world.path('jobs', 'a')}?dryRun=All`, merge), '200')
    assert.equal((await world.found('jobs', 'a')).metadata['labels']?.['a' as never], undefined)
    assert.equal(await world.verdict(`${world.path('jobs', 'a')}?dryRun=All`, { method: 'DELETE' }), '200')
    assert.notEqual(await world.get('jobs', 'a'), null)
  },
  'a dry run of an edit tells the generation that it would get': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const sent = { method: 'PATCH', type: 'merge-patch+json', body: { spec: { suspend: true } } } as const
    const { metadata } = await world.ok(`${world.path('secondcronjobs', 'a')}?dryRun=All`, sent)
    assert.equal(metadata['generation'], 2)
    assert.equal((await world.found('secondcronjobs', 'a')).metadata['generation'], 1)
  },
})
