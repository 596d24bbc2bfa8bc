import assert from 'node:assert/strict'
import type { Watch } from '../client.ts'
import { aJob, aResource } from '../kinds.ts'
import { group } from '../row.ts'
import type { World } from '../world.ts'

async function versionOf(world: World, kind: 'jobs' | 'secondcronjobs' = 'jobs'): Promise<string> {
  const { metadata } = await world.ok(world.path(kind))
  return String(metadata['resourceVersion'])
}

async function told(world: World, watch: Watch, want: readonly string[]): Promise<void> {
  await world.until(`the watch to tell ${want.join(', ')}`, 5_000, async () => watch.told().length >= want.length)
  assert.deepEqual(watch.told(), want)
}

export const watches = group('watches', {
  'from a version on: what was added, modified and deleted, in its order': async (world) => {
    const version = await versionOf(world, 'secondcronjobs')
    await world.create(aResource({ name: 'before' }))
    const watch = await world.client.watch(`${world.path('secondcronjobs')}?watch=true&resourceVersion=${version}`)
    await world.merge('secondcronjobs', 'before', { metadata: { labels: { a: 'b' } } })
    await world.delete('secondcronjobs', 'before')
    await world.create(aResource({ name: 'after' }))
    await told(world, watch, ['ADDED before', 'MODIFIED before', 'DELETED before', 'ADDED after'])
  },
  'a deleted object comes as it last was, with the version of its deletion': async (world) => {
    const object = await world.create(aResource({ name: 'a' }))
    const watch = await world.client.watch(
      `${world.path('secondcronjobs')}?watch=true&resourceVersion=${String(object.metadata['resourceVersion'])}`,
    )
    await world.delete('secondcronjobs', 'a')
    await told(world, watch, ['DELETED a'])
    const last = watch.events.at(-1)?.object
    assert.equal(last?.metadata['uid'], object.metadata['uid'])
    assert.ok(Number(last?.metadata['resourceVersion']) > Number(object.metadata['resourceVersion']))
  },
  'without a version: first what is there, as ADDED': async (world) => {
    await world.create(aResource({ name: 'a' }))
    await world.create(aResource({ name: 'b' }))
    const watch = await world.client.watch(`${world.path('secondcronjobs')}?watch=true`)
    await world.until('both', 5_000, async () => watch.told().length >= 2)
    assert.deepEqual([...watch.told()].sort(), ['ADDED a', 'ADDED b'])
  },
  'the objects in it say their kind': async (world) => {
    const watch = await world.client.watch(`${world.path('jobs')}?watch=true&resourceVersion=${await versionOf(world)}`)
    await world.create(aJob({ name: 'a' }))
    await world.until('it', 5_000, async () => watch.told().length >= 1)
    const object = watch.events[0]?.object
    assert.deepEqual([object?.['kind'], object?.['apiVersion']], ['Job', 'batch/v1'])
  },
  'an object that leaves the label selector comes as DELETED, one that enters as ADDED': async (world) => {
    await world.create(aResource({ name: 'a', labels: { app: 'x' } }))
    await world.create(aResource({ name: 'b' }))
    const version = await versionOf(world, 'secondcronjobs')
    const watch = await world.client.watch(
      `${world.path('secondcronjobs')}?watch=true&labelSelector=app&resourceVersion=${version}`,
    )
    await world.merge('secondcronjobs', 'a', { metadata: { labels: { app: null } } })
    await world.merge('secondcronjobs', 'b', { metadata: { labels: { app: 'x' } } })
    await world.merge('secondcronjobs', 'b', { metadata: { labels: { app: 'y' } } })
    await told(world, watch, ['DELETED a', 'ADDED b', 'MODIFIED b'])
  },
  'a watch of one name, by a field selector, tells of nobody else': async (world) => {
    const version = await versionOf(world)
    const watch = await world.client.watch(
      `${world.path('secondcronjobs')}?watch=true&fieldSelector=metadata.name%3Db&resourceVersion=${version}`,
    )
    await world.create(aResource({ name: 'a' }))
    await world.create(aResource({ name: 'b' }))
    await told(world, watch, ['ADDED b'])
  },
  'timeoutSeconds ends it, in good order': async (world) => {
    const watch = await world.client.watch(`${world.path('jobs')}?watch=true&timeoutSeconds=2`)
    const opened = world.now()
    await world.until('its end', 6_000, async () => watch.isOver)
    const lasted = world.now() - opened
    assert.ok(lasted >= 1_500 && lasted <= 4_000, `it ended after ${lasted} ms`)
    assert.deepEqual(
      watch.events.filter(({ type }) => type === 'ERROR'),
      [],
    )
  },
  'bookmarks, when they are asked for: nothing but a version, shortly before the end': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const version = await versionOf(world, 'secondcronjobs')
    const watch = await world.client.watch(
      `${world.path('secondcronjobs')}?watch=true&allowWatchBookmarks=true&timeoutSeconds=10&resourceVersion=${version}`,
    )
    await world.until('its end', 14_000, async () => watch.isOver)
    const bookmark = watch.events.find(({ type }) => type === 'BOOKMARK')?.object
    assert.equal(bookmark?.['kind'], 'SecondCronJob')
    assert.equal(bookmark?.metadata.name, undefined)
    assert.ok(Number(bookmark?.metadata['resourceVersion']) >= Number(version))
  },
  'a version that is long gone: a stream with one ERROR, 410 Expired': async (world) => {
    const watch = await world.client.watch(`${world.path('secondcronjobs')}?watch=true&resourceVersion=1`)
    await world.until('the error', 5_000, async () => watch.events.length > 0 && watch.isOver)
    assert.equal(watch.code, 200)
    const [error] = watch.events
    const { code, reason, kind, status } = (error?.object ?? {}) as Record<string, unknown>
    assert.deepEqual([error?.type, kind, status, code, reason], ['ERROR', 'Status', 'Failure', 410, 'Expired'])
    assert.match(String(error?.object['message']), /^too old resource version: 1 \(\d+\)$/)
  },
  'a watch of metadata alone': async (world) => {
    const version = await versionOf(world)
    const watch = await world.client.watch(
      `${world.path('secondcronjobs')}?watch=true&resourceVersion=${version}`,
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    )
    await world.create(aResource({ name: 'a' }))
    await told(world, watch, ['ADDED a'])
    const object = watch.events[0]?.object
    assert.deepEqual([object?.['kind'], object?.['spec']], ['PartialObjectMetadata', undefined])
  },
  'sendInitialEvents: what is there, as ADDED, and a bookmark that says that it was all': async (world) => {
    for (const name of ['a', 'b']) await world.create(aResource({ name }))
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const watch = await world.client.watch(`${world.path('secondcronjobs')}?${query}`)
    await world.until('the bookmark', 10_000, async () => watch.events.some(({ type }) => type === 'BOOKMARK'))
    assert.deepEqual(
      watch.events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim()).toSorted(),
      ['ADDED a', 'ADDED b', 'BOOKMARK'],
    )
    assert.deepEqual(watch.events.at(-1)?.object.metadata['annotations'], { 'k8s.io/initial-events-end': 'true' })
  },
})
