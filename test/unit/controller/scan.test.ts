import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { type Listed, Scan } from '../../../src/controller/scan.ts'
import { Store } from '../../../src/store.ts'
import { anApiError } from '../../support/builders.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const item = (name: string, resourceVersion: string, uid = name): Listed => ({
  uid,
  namespace: 'default',
  name,
  resourceVersion,
})

/** A scan of `held` against what the API server `has`. */
function aScan(held: readonly Listed[], has: readonly Listed[]) {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const store = new Store<Listed>(() => {})
  for (const one of held) store.put(one)
  const lookUps: string[] = []
  const kind = {
    what: 'things',
    held: store,
    list: async (): Promise<readonly Listed[]> => has,
    get: async (_namespace: string, name: string) => {
      lookUps.push(name)
      return has.find((one) => one.name === name) ?? null
    },
    put: (one: Listed) => store.put(one),
    remove: (uid: string) => store.bury(uid),
  }
  const scan = new Scan(kind, clock, pino({ level: 'silent' }))
  const versions = () => [...store.values()].map(({ uid, resourceVersion }) => `${uid}@${resourceVersion}`).sort()
  const run = async () => {
    const running = scan.run(new AbortController().signal)
    await clock.advance(1_500)
    await running
  }
  return { scan, kind, clock, store, lookUps, versions, run }
}

const cases: Record<string, { held: Listed[]; has: Listed[]; want: string[]; repairs: number; lookUps: string[] }> = {
  'all is as it should be: nothing is asked': {
    held: [item('a', '1')],
    has: [item('a', '1')],
    want: ['a@1'],
    repairs: 0,
    lookUps: [],
  },
  'the watch has lost a new object': { held: [], has: [item('a', '1')], want: ['a@1'], repairs: 1, lookUps: ['a'] },
  'the watch has lost a change': {
    held: [item('a', '1')],
    has: [item('a', '2')],
    want: ['a@2'],
    repairs: 1,
    lookUps: ['a'],
  },
  'the watch has lost a deletion': { held: [item('a', '1')], has: [], want: [], repairs: 1, lookUps: ['a'] },
  'recreated under the same name': {
    held: [item('a', '1', 'old')],
    has: [item('a', '9', 'new')],
    want: ['new@9'],
    repairs: 2,
    lookUps: ['a', 'a'],
  },
}
for (const [name, { held, has, want, repairs, lookUps }] of Object.entries(cases))
  test(`scan: ${name}`, async () => {
    const given = aScan(held, has)
    await given.run()
    assert.deepEqual([given.versions(), given.scan.repairs, given.lookUps], [want, repairs, lookUps])
  })

test('scan: what the watch brings within the grace time is no repair', async () => {
  const { scan, clock, store, lookUps } = aScan([item('a', '1')], [item('a', '2')])
  const running = scan.run(new AbortController().signal)
  await clock.advance(1_000)
  store.put(item('a', '2'))
  await clock.advance(500)
  await running
  assert.deepEqual([scan.repairs, lookUps], [0, []])
})

test('scan: missing from the list, but there when it is looked up: it stays', async () => {
  const given = aScan([item('a', '1')], [item('a', '1')])
  given.kind.list = async () => []
  await given.run()
  assert.deepEqual([given.versions(), given.scan.repairs], [['a@1'], 0])
})

for (const kind of ['Forbidden', 'Unauthorized', 'NoSuchResource', 'ServerError', 'Unanswered'] as const)
  test(`scan: ${kind} is no word about any object`, async () => {
    const list = aScan([item('a', '1')], [])
    list.kind.list = () => Promise.reject(anApiError({ kind }))
    await list.run()
    const lookUp = aScan([item('a', '1')], [])
    lookUp.kind.get = () => Promise.reject(anApiError({ kind }))
    await lookUp.run()
    assert.deepEqual([list.versions(), lookUp.versions()], [['a@1'], ['a@1']])
  })
