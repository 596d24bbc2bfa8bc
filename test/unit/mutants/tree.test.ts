import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOfMutants, writtenDocument } from '../../mutants/document.ts'
import { mutants } from '../../mutants/mutants.ts'
import { changed, Tree } from '../../mutants/tree.ts'

const change = { file: 'a.ts', text: 'one', by: '$& two' }

test('a mutant is a text put literally in the place of another, which is there exactly once', () => {
  assert.equal(changed('zero one three', change), 'zero $& two three')
  assert.throws(() => changed('zero', change), /a\.ts has this 0 times/)
  assert.throws(() => changed('one one', change), /a\.ts has this 2 times/)
})

test('every mutant of the table fits the sources as they are, changes something, and has a name of its own', async () => {
  await using tree = await Tree.copy()
  for (const { name, changes, killers } of mutants) {
    assert.ok(killers.length > 0, name)
    for (const { text, by } of changes) assert.notEqual(text, by, name)
    await tree.with(changes, async () => undefined)
  }
  assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length)
})

test('docs/mutants.md lists them all', async () => {
  assert.equal(await writtenDocument(), documentOfMutants(), 'run `node test/mutants/document.ts`')
})
