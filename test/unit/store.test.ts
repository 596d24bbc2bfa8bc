import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewer, Store, type Stored } from '../../src/store.ts'

function text(item: Stored | undefined): string {
  return item === undefined ? '-' : `${item.uid}@${item.resourceVersion}`
}

function aStore() {
  const seen: string[] = []
  const store = new Store<Stored>((before, after) => void seen.push(`${text(before)} > ${text(after)}`))
  return { store, seen }
}

test('an object never goes back in time: the scan may be ahead of the watch', () => {
  const { store, seen } = aStore()
  store.put({ uid: 'a', resourceVersion: '9' })
  store.put({ uid: 'a', resourceVersion: '10' })
  store.put({ uid: 'a', resourceVersion: '9' })
  store.put({ uid: 'a', resourceVersion: '10' })
  assert.deepEqual(seen, ['- > a@9', 'a@9 > a@10'])
})

test('what was buried does not come back by a late event; what was only removed may', () => {
  const { store } = aStore()
  store.put({ uid: 'a', resourceVersion: '1' })
  store.put({ uid: 'b', resourceVersion: '1' })
  store.bury('a')
  store.remove('b')
  store.put({ uid: 'a', resourceVersion: '2' })
  store.put({ uid: 'b', resourceVersion: '2' })
  assert.deepEqual(
    [...store.values()].map(({ uid }) => uid),
    ['b'],
  )
})

test('a whole list answers with what it does not have, and takes nothing out by itself', () => {
  const { store } = aStore()
  store.put({ uid: 'a', resourceVersion: '1' })
  assert.deepEqual(store.putAll([{ uid: 'b', resourceVersion: '2' }]), [{ uid: 'a', resourceVersion: '1' }])
  assert.equal(store.size, 2)
})

test('versions compare as numbers of any length', () => {
  assert.ok(isNewer('10', '9'))
  assert.ok(isNewer('99999999999999999999', '99999999999999999998'))
  assert.ok(!isNewer('9', '9'))
})
