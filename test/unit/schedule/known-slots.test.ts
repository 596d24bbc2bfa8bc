import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aroundIn, countIn, type KnownSlots, reachesAhead, trimmed } from '../../../src/schedule/known-slots.ts'

const known: KnownSlots = [10, 20, 30, 40]

test('between two slots that are known, or that lie among them, it is counted what is strictly between', () => {
  const asked = [
    [10, 40],
    [10, 20],
    [15, 35],
    [25, 25],
  ] as const
  assert.deepEqual(
    asked.map(([after, before]) => countIn(known, after, before)),
    [2, 0, 2, 0],
  )
})

test('beyond those that are known nothing is counted: there may be more', () => {
  assert.deepEqual([countIn(known, 9, 40), countIn(known, 10, 41), countIn([], 10, 40)], [null, null, null])
})

test('of an instant that is a slot it is the latest', () => {
  assert.deepEqual(aroundIn(known, 20), { latest: 20, next: 30 })
  assert.deepEqual([aroundIn(known, 9), aroundIn(known, 40)], [null, null])
})

test('it reaches ahead with so many, or with all of the next minute, two at least', () => {
  const minute = 60_000
  const asked: readonly (readonly [KnownSlots, number])[] = [
    [[0, 10, 20, 30], 3],
    [[0, 10, 20, 30], 4],
    [[0, 10, minute], 4],
    [[0, 10, minute - 1], 4],
    [[0, minute], 4],
    [[0, Infinity], 4],
    [[0], 1],
  ]
  assert.deepEqual(
    asked.map(([slots, most]) => reachesAhead(slots, 0, most)),
    [true, false, true, false, false, true, false],
  )
})

test('eight that have passed are kept, the one that comes now among them', () => {
  const many = Array.from({ length: 20 }, (_, n) => 10 * n)
  assert.deepEqual(trimmed(many, 100), many.slice(3))
  assert.deepEqual(trimmed(many, 99), many.slice(2))
  assert.deepEqual(trimmed(known, 100), known)
})
