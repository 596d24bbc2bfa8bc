import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { type Listed, Scan } from '../../../src/controller/scan.ts'
import { Store } from '../../../src/store.ts'
import { anApiError } from '../../support/builders.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const item = (name: string, resourceVersion: string): Listed => ({
  uid: name,
  namespace: 'default',
  name,
  resourceVersion,
})

/** A store that holds `held`, and an API server that has `has`. */
function behind(held: readonly Listed[], has: readonly Listed[]) {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const store = new Store<Listed>(() => {})
  for (const one of held) store.put(one)
  const state = { list: async (): Promise<readonly Listed[]> => has, failsAt: '' }
  const lookUps: string[] = []
  const get = async (_namespace: string, name: string) => {
    lookUps.push(name)
    if (name === state.failsAt) throw anApiError({ kind: 'Unanswered' })
    return has.find((one) => one.name === name) ?? null
  }
  const kind = {
    what: 'things',
    held: store,
    list: () => state.list(),
    get,
    put: (one: Listed) => store.put(one),
    remove: (uid: string) => store.bury(uid),
  }
  const scan = new Scan(kind, clock, pino({ level: 'silent' }))
  const catchUp = () => scan.catchUp(new AbortController().signal)
  const versions = () => [...store.values()].map(({ uid, resourceVersion }) => `${uid}@${resourceVersion}`).sort()
  return { clock, store, state, lookUps, catchUp, versions }
}

test('no older than the list: nothing is asked, also where the watch is ahead of it', async () => {
  const { catchUp, lookUps } = behind([item('a', '1'), item('b', '9')], [item('a', '1'), item('b', '8')])
  await catchUp()
  assert.deepEqual(lookUps, [])
})

test('the watch gets a moment: what it tells meanwhile is not asked for', async () => {
  const { catchUp, clock, store, lookUps } = behind([item('a', '1')], [item('a', '2')])
  const caughtUp = catchUp()
  await clock.advance(100)
  store.put(item('a', '2'))
  await clock.advance(100)
  await caughtUp
  assert.deepEqual(lookUps, [])
})

test('what the watch does not tell is looked up: a newer one, an unknown one, one that is gone', async () => {
  const { catchUp, clock, versions } = behind([item('a', '1'), item('gone', '5')], [item('a', '2'), item('new', '3')])
  const caughtUp = catchUp()
  await clock.advance(1_000)
  await caughtUp
  assert.deepEqual(versions(), ['a@2', 'new@3'])
})

test('a list that fails, or a look-up that does: not caught up', async () => {
  const failing = behind([], [])
  failing.state.list = async () => {
    throw anApiError({ kind: 'Forbidden', code: 403 })
  }
  await assert.rejects(failing.catchUp(), { kind: 'Forbidden' })
  const half = behind([], [item('a', '1'), item('b', '2')])
  half.state.failsAt = 'b'
  const caughtUp = half.catchUp()
  const rejected = assert.rejects(caughtUp, { kind: 'Unanswered' })
  await half.clock.advance(1_000)
  await rejected
})
