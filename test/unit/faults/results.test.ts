import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { append, areAllClean, readResults } from '../../faults/results.ts'
import { roundsOf } from '../../faults/soak.ts'

const red = { id: 'A', violations: 3, versions: { operator: '1' } }
const green = { ...red, violations: 0 }
const broken = { operator: '1', mutant: 'no guard' }

/** Whether rows are clean by the results that were written so, one after the other. */
async function isClean(lines: readonly object[], ids: readonly string[], mutant?: string): Promise<boolean> {
  await using folder = await mkdtempDisposable(`${tmpdir()}/results-`)
  const path = `${folder.path}/results.jsonl`
  for (const line of lines) await append(path, line)
  return areAllClean(ids, await readResults(path, mutant))
}

test('results: a row that was violated in an earlier call is not clean because a later one leaves it out', async () => {
  assert.equal(await isClean([red, { ...green, id: 'B' }], ['A', 'B']), false)
  assert.equal(await isClean([red, green], ['A']), true)
})

test('results: what was not played, or is no row at all, is not clean', async () => {
  assert.equal(await isClean([green], ['A', 'B']), false)
  assert.equal(await isClean([green], []), false)
})

test('results: those of a broken operator say nothing of the shipped one, nor the other way round', async () => {
  assert.equal(await isClean([red, { ...green, versions: broken }], ['A']), false)
  assert.equal(await isClean([{ ...green, versions: broken }], ['A']), false)
  assert.equal(await isClean([green, { ...red, versions: broken }], ['A']), true)
  assert.equal(await isClean([green], ['A'], 'no guard'), false)
})

test('soak: one whose minutes are no number is refused, and is not a success without a round', () => {
  assert.throws(() => roundsOf(Number('ten')), /is none/)
  assert.throws(() => roundsOf(0), /is none/)
  assert.deepEqual([roundsOf(1), roundsOf(10), roundsOf(60)], [1, 5, 30])
})
