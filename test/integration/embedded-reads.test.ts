import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aJob, aSecondCronJob, Embedded, jobs, scjs } from '../support/embedded.ts'

interface Event {
  readonly type: string
  readonly object: {
    readonly code?: number
    readonly metadata: { readonly name?: string; readonly resourceVersion?: string }
  }
}

let api: Embedded
before(async () => {
  api = await Embedded.start({ window: 50 })
})
after(() => api.server.stop())

/** All that a watch says until the server ends it; `meanwhile` runs when it is open. */
async function watched(path: string, meanwhile: () => Promise<void>): Promise<readonly Event[]> {
  const answer = await fetch(`${api.server.url}${path}`)
  await meanwhile()
  const text = await answer.text()
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]))
}

function told(events: readonly Event[]): readonly string[] {
  return events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim())
}

async function versionOf(path: string): Promise<string> {
  return String((await api.get(path)).body.metadata['resourceVersion'])
}

test('a list in pages is as it was when its first page was read', async () => {
  for (const n of [1, 2, 3, 4, 5]) await api.post(scjs, aSecondCronJob(`paged-${n}`))
  const first = (await api.get(`${scjs}?limit=2`)).body
  await api.delete(`${scjs}/paged-5`)
  const { continue: token, resourceVersion } = first.metadata as Record<string, unknown>
  const rest = (await api.get(`${scjs}?limit=500&continue=${String(token)}`)).body
  assert.equal(rest.metadata['resourceVersion'], resourceVersion)
  assert.deepEqual(
    [...(first.items ?? []), ...(rest.items ?? [])].map(({ metadata }) => metadata.name),
    ['paged-1', 'paged-2', 'paged-3', 'paged-4', 'paged-5'],
  )
  assert.equal((await api.get(`${scjs}?continue=99:2`)).code, 410)
  assert.equal((await api.get(`${scjs}?resourceVersion=abc`)).code, 400)
  assert.equal((await api.get(`${scjs}?limit=1&resourceVersion=0`)).body.items?.length, 4)
})

test('selectors of labels and fields', async () => {
  for (const [name, labels] of Object.entries({ a: { x: '1' }, b: { x: '2' }, c: {} }))
    await api.post(scjs, { ...aSecondCronJob(name), metadata: { name, labels } })
  const selected = async (selector: string) =>
    (await api.names(`${scjs}?labelSelector=${encodeURIComponent(selector)}`))
      .filter((name) => name.length === 1)
      .join('')
  const found = ['x', '!x', 'x=1', 'x==1', 'x!=1', 'x in (1, 2)', 'x notin (1)', 'x,x!=2'].map(selected)
  assert.deepEqual(await Promise.all(found), ['ab', 'c', 'a', 'a', 'bc', 'ab', 'bc', 'a'])
  assert.deepEqual(await api.names(`${scjs}?fieldSelector=metadata.name=b`), ['b'])
  assert.equal((await api.get(`${scjs}?fieldSelector=spec.image=b`)).code, 400)
})

test('a watch tells what comes, changes, leaves the selection and goes, and ends in time with a bookmark', async () => {
  const from = await versionOf(scjs)
  const query = `watch=true&resourceVersion=${from}&labelSelector=seen&timeoutSeconds=30&allowWatchBookmarks=true`
  const events = await watched(`${scjs}?${query}`, async () => {
    const path = `${scjs}/seen`
    await api.post(scjs, aSecondCronJob('seen'))
    await api.patch(path, { metadata: { labels: { seen: 'yes' } } })
    await api.patch(path, { spec: { intervalSeconds: 20 } })
    await api.patch(path, { metadata: { labels: null } })
    await api.patch(path, { metadata: { labels: { seen: 'again' } } })
    await api.delete(path)
    await api.clock.advance(30_000)
  })
  assert.deepEqual(told(events), [
    'ADDED seen',
    'MODIFIED seen',
    'DELETED seen',
    'ADDED seen',
    'DELETED seen',
    'BOOKMARK',
  ])
  assert.equal(events.at(-1)?.object.metadata.resourceVersion, await versionOf(scjs))
})

test('a watch without a version begins with what there is; one with a version that is forgotten is Gone', async () => {
  const initial = await watched(`${scjs}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=a`, () =>
    api.clock.advance(1_000),
  )
  assert.deepEqual(told(initial), ['ADDED a'])
  const old = await versionOf(scjs)
  for (let n = 0; n < 100; n += 1) await api.patch(`${scjs}/a`, { metadata: { annotations: { n: String(n) } } })
  const [event] = await watched(`${scjs}?watch=true&resourceVersion=${old}`, async () => undefined)
  assert.deepEqual([event?.type, event?.object.code], ['ERROR', 410])
})

test('metadata only, and the table that kubectl prints', async () => {
  const partial = (await api.get(scjs, 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1')).body
  assert.equal(partial['kind'], 'PartialObjectMetadataList')
  assert.equal(partial.items?.[0]?.['spec'], undefined)
  await api.post(jobs, aJob('shown', { suspend: true }))
  await api.clock.advance(300_000)
  const table = (await api.get(`${jobs}/shown`, 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json')).body
  const { columnDefinitions: columns, rows } = table as unknown as {
    columnDefinitions: { name: string; priority: number }[]
    rows: { cells: unknown[] }[]
  }
  const cells = columns.flatMap(({ name, priority }, n) =>
    priority === 0 ? [`${name}: ${String(rows[0]?.cells[n])}`] : [],
  )
  assert.deepEqual(cells, ['Name: shown', 'Status: Suspended', 'Completions: 0/1', 'Duration: ', 'Age: 5m'])
})

test('an Event is the same in both of its groups', async () => {
  const events = '/apis/events.k8s.io/v1/namespaces/default/events'
  const regarding = { kind: 'SecondCronJob', name: 'a', namespace: 'default' }
  await api.post(events, { metadata: { generateName: 'a-' }, regarding, note: 'told', reason: 'Because' })
  const selector = 'fieldSelector=involvedObject.name=a,reason=Because'
  const [core] = (await api.get(`/api/v1/namespaces/default/events?${selector}`)).body.items ?? []
  assert.deepEqual([core?.['message'], core?.['involvedObject']], ['told', regarding])
  const seen = (await api.get(`${events}/${core?.metadata.name}`)).body
  assert.deepEqual([seen['note'], seen['apiVersion']], ['told', 'events.k8s.io/v1'])
})
