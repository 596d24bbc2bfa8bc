import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matrix } from '../../faults/matrix.ts'
import { pairings } from '../../faults/mutants.ts'
import { mutants } from '../../mutants/mutants.ts'
import { writeKinds } from '../../faults/kinds.ts'

test('matrix: ids and seeds are unique', () => {
  assert.equal(new Set(matrix.map(({ id }) => id)).size, matrix.length)
  assert.equal(new Set(matrix.map(({ seed }) => seed)).size, matrix.length)
})

test('matrix: each kind of write has its three moments to crash at, alone and with another one', () => {
  const wanted = ['A1', 'A2', 'A3'].flatMap((point) =>
    writeKinds.flatMap((kind) => [`${point}-${kind}`, `${point}-${kind}-of-two`]),
  )
  const found = new Set(matrix.map(({ id }) => id))
  assert.equal(wanted.length, 42)
  assert.deepEqual(
    wanted.filter((id) => !found.has(id)),
    [],
  )
})

test('matrix: each part of it has its rows', () => {
  const after = ['A4 A5 A6', 'B1 B2 B3 B4 B5 B6 B7', 'C1 C2 C3 C4 C5 C6 C7', 'D1 D2 D3 D4 D5 D6 D7 D8', 'E1 E2 E3 E4']
  const parts = [...after, 'F1 F2 F3 F4 F5 F6 F7', 'G1 G3 G4', 'H1 H2 H3 H4', 'I1'].flatMap((each) => each.split(' '))
  assert.deepEqual(
    parts.filter((part) => !matrix.some(({ id }) => id.startsWith(`${part}-`))),
    [],
  )
})

test('matrix: each pair of a mutant and a row is one of those that there are', () => {
  const [names, ids] = [new Set(mutants.map(({ name }) => name)), new Set(matrix.map(({ id }) => id))]
  for (const { mutant, rows } of pairings) {
    assert.ok(names.has(mutant), mutant)
    assert.ok(rows.length > 0 && rows.every((row) => ids.has(row)), rows.join())
  }
})
