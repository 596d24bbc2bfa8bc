import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matrix } from '../../faults/matrix.ts'
import { writeKinds } from '../../faults/kinds.ts'

test('matrix: ids and seeds are unique', () => {
  assert.equal(new Set(matrix.map(({ id }) => id)).size, matrix.length)
  assert.equal(new Set(matrix.map(({ seed }) => seed)).size, matrix.length)
})

test('matrix: each kind of write has its three moments to crash at', () => {
  const wanted = ['A1', 'A2', 'A3'].flatMap((point) => writeKinds.map((kind) => `${point}-${kind}`))
  const found = new Set(matrix.map(({ id }) => id))
  assert.equal(wanted.length, 21)
  assert.deepEqual(
    wanted.filter((id) => !found.has(id)),
    [],
  )
})
