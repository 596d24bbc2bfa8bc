import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Memo } from '../../../src/schedule/memo.ts'

test('made once, then held', () => {
  const memo = new Memo<number>(2)
  let made = 0
  const make = () => (made += 1)
  assert.deepEqual([memo.of('a', make), memo.of('a', make), memo.of('b', make)], [1, 1, 2])
  assert.equal(memo.get('b'), 2)
  assert.equal(memo.get('c'), undefined)
})

test('never more than it may hold: what was not used for longest goes', () => {
  const memo = new Memo<string>(2)
  memo.set('a', '1')
  memo.set('b', '2')
  memo.of('a', () => 'made again')
  memo.set('c', '3')
  assert.deepEqual([memo.get('a'), memo.get('b'), memo.get('c'), memo.size], ['1', undefined, '3', 2])
  memo.set('c', '4')
  assert.deepEqual([memo.get('a'), memo.get('c'), memo.size], ['1', '4', 2])
})
