import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { append } from '../../faults/results.ts'
import { areAllRed, type Caught, pairsOf, runMutants } from '../../faults/run-mutants.ts'

const pair = { mutant: 'no guard', row: 'R0-nothing' }
const other = { mutant: 'no fence', row: 'R0-nothing' }

function result(of: typeof pair, kinds: Caught['kinds']): Caught {
  return { ...of, kinds, example: '', date: '2026-01-01' }
}

const red = { lost: 1 }

const verdicts: Readonly<Record<string, readonly [results: readonly Caught[], want: boolean]>> = {
  'all were noticed': [[result(pair, red), result(other, red)], true],
  'one survived when it was played, be it long ago': [[result(pair, {}), result(other, red)], false],
  'one survived, and was noticed when it was played anew': [
    [result(pair, {}), result(other, red), result(pair, red)],
    true,
  ],
  'one was noticed, and survived when it was played anew': [
    [result(pair, red), result(other, red), result(pair, {})],
    false,
  ],
  'of one it is only said that its row could not be played': [
    [result(pair, { process: 2 }), result(other, { ...red, process: 1 })],
    false,
  ],
  'only the row itself has noticed one, by an Event that was not there': [
    [result(pair, { unkept: 1 }), result(other, red)],
    true,
  ],
  'one was never played': [[result(pair, red)], false],
}

for (const [name, [results, want]] of Object.entries(verdicts))
  test(`mutants of the matrix: ${name}`, () => {
    assert.equal(areAllRed([pair, other], results), want)
  })

test('mutants of the matrix: what was not asked about is no matter, and nothing at all is no success', () => {
  assert.equal(areAllRed([pair], [result(pair, red), result(other, {})]), true)
  assert.equal(areAllRed([], [result(pair, red)]), false)
})

test('mutants of the matrix: a second call says of a mutant that survived in the first what that one said', async () => {
  await using folder = await mkdtempDisposable(`${tmpdir()}/caught-`)
  const options = {
    seconds: 1,
    folder: folder.path,
    path: `${folder.path}/mutants.jsonl`,
    words: 'no list at takeover',
  }
  const said: string[] = []
  for (const kinds of [{}, red]) {
    for (const each of pairsOf(options.words)) await append(options.path, result(each, kinds))
    said.push(String(await runMutants(options, (line) => said.push(line.slice(0, 8)))))
  }
  assert.deepEqual(said, ['SURVIVES', 'false', 'red     ', 'true'])
})

test('mutants of the matrix: words choose among them', () => {
  assert.deepEqual(
    new Set(pairsOf('409 is taken for an').map(({ mutant }) => mutant)),
    new Set(['409 is taken for an error']),
  )
  assert.deepEqual(pairsOf('no such mutant'), [])
})
