import assert from 'node:assert/strict'
import { aJob, aResource } from '../kinds.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

const table = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json'
const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

interface Table {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: { readonly resourceVersion?: string }
  readonly columnDefinitions: readonly { readonly name: string; readonly type: string; readonly priority: number }[]
  readonly rows: readonly {
    readonly cells: readonly unknown[]
    readonly object: { readonly kind: string } & Record<string, unknown>
  }[]
}

/** The Table of a Job that is seen to be suspended. */
async function suspendedJob(world: World): Promise<{ columns: Table['columnDefinitions']; cells: readonly unknown[] }> {
  await world.create(aJob({ name: 'a' }))
  await world.until('it to be seen as suspended', 10_000, async () => {
    return JSON.stringify((await world.found('jobs', 'a'))['status']).includes('Suspended')
  })
  const { columnDefinitions, rows } = (await world.ok(world.path('jobs'), { accept: table })) as unknown as Table
  return { columns: columnDefinitions, cells: rows[0]?.cells ?? [] }
}

export const shapes = group('shapes', {
  'a Table of custom resources has the printer columns of the CRD': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const status = {
      observedSchedule: 'every 10s',
      activeCount: 1,
      lastScheduleTime: new Date(world.now()).toISOString(),
      conditions: [ready(world.now())],
    }
    await world.merge('secondcronjobs', 'a', { status }, 'status')
    const found = (await world.ok(world.path('secondcronjobs'), { accept: table })) as unknown as Table
    assert.deepEqual([found.kind, found.apiVersion], ['Table', 'meta.k8s.io/v1'])
    assert.deepEqual(
      found.columnDefinitions.map(({ name, type, priority }) => [name, type, priority]),
      [
        ['Name', 'string', 0],
        ['Schedule', 'string', 0],
        ['Suspend', 'boolean', 0],
        ['Active', 'integer', 0],
        ['Last', 'date', 0],
        ['Next', 'string', 0],
        ['Ready', 'string', 0],
        ['Age', 'date', 0],
      ],
    )
    const [row] = found.rows
    const [name, schedule, suspend, active, last, next, isReady, age] = row?.cells ?? []
    assert.deepEqual([name, schedule, suspend, active, next, isReady], ['a', 'every 10s', false, 1, null, 'True'])
    for (const since of [last, age]) assert.match(String(since), /^\d+s$/)
    assert.equal(row?.object.kind, 'PartialObjectMetadata')
    assert.match(String(found.metadata.resourceVersion), /^\d+$/)
  },
  'a Table of one object has one row; with includeObject=Object the whole object': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const path = `${world.path('secondcronjobs', 'a')}?includeObject=Object`
    const { rows } = (await world.ok(path, { accept: table })) as unknown as Table
    assert.equal(rows.length, 1)
    assert.equal(rows[0]?.object.kind, 'SecondCronJob')
    const none = (await world.ok(`${world.path('secondcronjobs')}?includeObject=None`, {
      accept: table,
    })) as unknown as Table
    assert.equal(none.rows[0]?.object, null)
  },
  'a Table of Jobs: name, status, completions, duration, age': async (world) => {
    const { columns, cells } = await suspendedJob(world)
    assert.deepEqual(
      columns.flatMap(({ name, priority }) => (priority === 0 ? [name] : [])),
      ['Name', 'Status', 'Completions', 'Duration', 'Age'],
    )
    assert.deepEqual(cells.slice(0, 4), ['a', 'Suspended', '0/1', ''])
  },
  'a Table of Jobs has wide columns as well: containers, images, selector': only(
    'real',
    'the embedded server has wide columns for custom resources only',
    async (world) => {
      const { columns, cells } = await suspendedJob(world)
      assert.deepEqual(
        columns.slice(5).map(({ name, priority }) => `${name} ${priority}`),
        ['Containers 1', 'Images 1', 'Selector 1'],
      )
      const [containers, images, selector] = cells.slice(5)
      assert.deepEqual([containers, images], ['a', 'busybox'])
      assert.match(String(selector), /^batch\.kubernetes\.io\/controller-uid=[0-9a-f-]{36}$/)
    },
  ),
  'metadata alone, of one and of many': async (world) => {
    await world.create(aResource({ name: 'a', labels: { app: 'x' } }))
    const one = await world.ok(world.path('secondcronjobs', 'a'), { accept: metadataOnly })
    assert.deepEqual(
      [one['kind'], one['apiVersion'], one['spec'], one.metadata['labels']],
      ['PartialObjectMetadata', 'meta.k8s.io/v1', undefined, { app: 'x' }],
    )
    const many = await world.ok(world.path('secondcronjobs'), { accept: metadataList })
    const [item] = many['items'] as { spec?: unknown; metadata: { uid: string } }[]
    assert.equal(many['kind'], 'PartialObjectMetadataList')
    assert.deepEqual([item?.spec, item?.metadata.uid], [undefined, one.metadata['uid']])
  },
  'metadata alone in pages': async (world) => {
    for (const name of ['a', 'b', 'c']) await world.create(aJob({ name }))
    const { items, metadata } = (await world.ok(`${world.path('jobs')}?limit=2`, {
      accept: metadataList,
    })) as unknown as {
      items: object[]
      metadata: { continue: string }
    }
    assert.equal(items.length, 2)
    assert.notEqual(metadata.continue, '')
  },
  'a shape that there is none of: 406': only(
    'real',
    'the embedded server answers in JSON, whatever is accepted',
    async (world) => {
      assert.match(
        await world.verdict(world.path('secondcronjobs'), { accept: 'application/xml' }),
        /^406 NotAcceptable: only the following media types are accepted: application\/json/,
      )
    },
  ),
})

function ready(now: number): object {
  const lastTransitionTime = new Date(now).toISOString()
  return { type: 'Ready', status: 'True', reason: 'Serving', message: '', observedGeneration: 1, lastTransitionTime }
}
