import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aJob, aLease, aResource, collectionOfAll } from '../kinds.ts'
import { group, lacking, only } from '../row.ts'
import type { World } from '../world.ts'

interface List {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly KubeObject[]
}

async function list(world: World, path: string): Promise<List> {
  return (await world.ok(path)) as unknown as List
}

function names({ items }: List): readonly string[] {
  return items.map(({ metadata }) => metadata.name)
}

/** Jobs a to e with labels that selectors tell apart. */
async function labelled(world: World): Promise<void> {
  const labels = { a: { app: 'x', tier: '1' }, b: { app: 'x', tier: '2' }, c: { app: 'y', tier: '1' }, d: { app: 'z' } }
  for (const [name, own] of Object.entries(labels)) await world.create(aJob({ name, labels: own }))
  await world.create(aJob({ name: 'e' }))
}

const selectors: Readonly<Record<string, readonly string[]>> = {
  'app=x': ['a', 'b'],
  'app==x': ['a', 'b'],
  'app!=x': ['c', 'd', 'e'],
  'app in (x,z)': ['a', 'b', 'd'],
  'app notin (x, z)': ['c', 'e'],
  app: ['a', 'b', 'c', 'd'],
  '!app': ['e'],
  'app=x,tier=1': ['a'],
  'tier>1': ['b'],
  'tier<2': ['a', 'c'],
  'app=nobody': [],
  'app=': [],
  '! app': ['e'],
  ' app = x , tier = 1 ': ['a'],
  'app in(x,z)': ['a', 'b', 'd'],
  'app!=x,app!=y': ['d', 'e'],
}

const unreadable = ['app,', ',app', 'app in x', 'app in (x', 'app=x=y', 'app=x y', 'tier>x', 'tier>0.5', '!app=x', '!']
unreadable.push('_a=x', 'a/b/c=x', 'app=-x', 'app=(x)', 'tier>(1)', 'app===x', 'app<>x', 'app IN (x)')

export const lists = group('lists', {
  'a list is of the kind of its items, with a version, and its items say neither kind nor version': async (world) => {
    await world.create(aJob({ name: 'a' }))
    const { kind, apiVersion, metadata, items } = await list(world, world.path('jobs'))
    assert.deepEqual([kind, apiVersion], ['JobList', 'batch/v1'])
    assert.match(metadata.resourceVersion, /^[1-9]\d*$/)
    assert.deepEqual([items[0]?.['kind'], items[0]?.['apiVersion']], [undefined, undefined])
  },
  'a list of custom resources has the kind of the CRD, and its items say theirs': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const { kind, items } = await list(world, world.path('secondcronjobs'))
    assert.equal(kind, 'SecondCronJobList')
    assert.deepEqual([items[0]?.['kind'], items[0]?.['apiVersion']], ['SecondCronJob', 'myyrakle.com/v1'])
  },
  'an empty list has an empty array of items': async (world) => {
    assert.deepEqual((await list(world, world.path('jobs'))).items, [])
  },
  'items come by their names': async (world) => {
    for (const name of ['c', 'a', 'b']) await world.create(aJob({ name }))
    assert.deepEqual(await world.names('jobs'), ['a', 'b', 'c'])
  },
  'a list of all namespaces has the one of this row in it': async (world) => {
    await world.create(aJob({ name: 'a' }))
    const { items } = await list(world, collectionOfAll('jobs'))
    const own = items.filter(({ metadata }) => metadata.namespace === world.namespace)
    assert.deepEqual(
      own.map(({ metadata }) => metadata.name),
      ['a'],
    )
  },
  'pages: so many items, a token for the rest, and one version for all of them': async (world) => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await world.create(aJob({ name }))
    const first = await list(world, `${world.path('jobs')}?limit=2`)
    assert.deepEqual(names(first), ['a', 'b'])
    await world.create(aJob({ name: 'bb' }))
    const token = encodeURIComponent(first.metadata.continue ?? '')
    const second = await list(world, `${world.path('jobs')}?limit=2&continue=${token}`)
    assert.deepEqual(names(second), ['c', 'd'])
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion)
    const rest = encodeURIComponent(second.metadata.continue ?? '')
    const third = await list(world, `${world.path('jobs')}?limit=2&continue=${rest}`)
    assert.deepEqual([names(third), third.metadata.continue ?? ''], [['e'], ''])
  },
  'a limit that is not reached gives no token': async (world) => {
    await world.create(aJob({ name: 'a' }))
    const { metadata } = await list(world, `${world.path('jobs')}?limit=500`)
    assert.equal(metadata.continue ?? '', '')
  },
  'resourceVersion=0 takes no notice of the limit': async (world) => {
    for (const name of ['a', 'b', 'c']) await world.create(aJob({ name }))
    await world.until('the cache to have them', 5_000, async () => {
      return (await world.names('jobs', 'limit=1&resourceVersion=0')).length === 3
    })
  },
  'a token that is none: 400': async (world) => {
    assert.match(
      await world.verdict(`${world.path('jobs')}?limit=1&continue=nonsense`),
      /^400 BadRequest: invalid continue token: continue key is not valid/,
    )
  },
  'label selectors: equality, sets, presence and numbers': async (world) => {
    await labelled(world)
    for (const [selector, want] of Object.entries(selectors))
      assert.deepEqual(await world.names('jobs', `labelSelector=${encodeURIComponent(selector)}`), want, selector)
  },
  'a label selector that can not be read: 400': async (world) => {
    assert.match(
      await world.verdict(`${world.path('jobs')}?labelSelector=${encodeURIComponent('a b')}`),
      /^400 BadRequest: unable to parse requirement: /,
    )
  },
  'whatever else is no label selector: 400, and never a list of too much or too little': async (world) => {
    await labelled(world)
    for (const selector of unreadable) {
      const path = `${world.path('jobs')}?labelSelector=${encodeURIComponent(selector)}`
      assert.match(await world.verdict(path), /^400 BadRequest: /, selector)
    }
  },
  'a field selector without an operator, or with a sign that is not escaped: 400': async (world) => {
    for (const selector of ['metadata.name', 'metadata.name=a=b', 'metadata.name=a\\b'])
      assert.match(
        await world.verdict(`${world.path('jobs')}?fieldSelector=${encodeURIComponent(selector)}`),
        /^400 BadRequest: invalid (field )?selector: /,
      )
    assert.deepEqual(await world.names('jobs', `fieldSelector=${encodeURIComponent('metadata.name=a\\,b')}`), [])
  },
  'Pods and namespaces by their phase': async (world) => {
    const path = `${collectionOfAll('namespaces')}?fieldSelector=status.phase%3DActive`
    assert.ok(names(await list(world, path)).includes(world.namespace))
    assert.deepEqual(await world.names('pods', 'fieldSelector=status.phase%3DRunning'), [])
  },
  'a field selector on the name and the namespace': async (world) => {
    for (const name of ['a', 'b']) await world.create(aResource({ name }))
    assert.deepEqual(await world.names('secondcronjobs', 'fieldSelector=metadata.name%3Db'), ['b'])
    assert.deepEqual(await world.names('secondcronjobs', 'fieldSelector=metadata.name!%3Db'), ['a'])
    const all = `${collectionOfAll('secondcronjobs')}?fieldSelector=metadata.namespace%3D${world.namespace}`
    assert.deepEqual(names(await list(world, all)), ['a', 'b'])
  },
  'a field selector on a field that is not selectable: 400 in the words that name it': async (world) => {
    assert.match(
      await world.verdict(`${world.path('secondcronjobs')}?fieldSelector=spec.image%3Da`),
      /^400 BadRequest: .*field label not supported: spec\.image$/,
    )
  },
  'pages of a selection hold only what is selected': async (world) => {
    await labelled(world)
    const first = await list(world, `${world.path('jobs')}?limit=1&labelSelector=app%3Dx`)
    const token = encodeURIComponent(first.metadata.continue ?? '')
    const second = await list(world, `${world.path('jobs')}?limit=1&labelSelector=app%3Dx&continue=${token}`)
    assert.deepEqual([...names(first), ...names(second)], ['a', 'b'])
  },
  'a page tells how many remain, unless it is one of a selection': only(
    'real',
    'the embedded server does not count what remains',
    async (world) => {
      await labelled(world)
      const remaining = async (query: string) =>
        (await list(world, `${world.path('jobs')}?${query}`)).metadata.remainingItemCount
      const queries = ['limit=2', 'limit=500', 'limit=1&labelSelector=app%3Dx']
      assert.deepEqual(await Promise.all(queries.map(remaining)), [3, undefined, undefined])
    },
  ),
  'a limit below zero is none': async (world) => {
    for (const name of ['a', 'b', 'c']) await world.create(aJob({ name }))
    assert.deepEqual(await world.names('jobs', 'limit=-1'), ['a', 'b', 'c'])
  },
  'a version can be asked for exactly': only('real', lacking, async (world) => {
    await world.create(aLease({ name: 'a' }))
    const { resourceVersion } = (await list(world, world.path('leases'))).metadata
    await world.create(aLease({ name: 'b' }))
    const exact = `resourceVersionMatch=Exact&resourceVersion=${resourceVersion}`
    assert.deepEqual(await world.names('leases', exact), ['a'])
  }),
  'a version that is yet to come: 504': only(
    'real',
    'the embedded server lists what there is, whatever version is asked for',
    async (world) => {
      const { resourceVersion } = (await list(world, world.path('leases'))).metadata
      assert.match(
        await world.verdict(`${world.path('leases')}?resourceVersion=${Number(resourceVersion) + 1_000_000}`),
        /^504 Timeout: Timeout: Too large resource version: \d+, current: \d+$/,
      )
    },
  ),
})
