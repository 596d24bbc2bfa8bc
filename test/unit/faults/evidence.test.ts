import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { keep, type Story } from '../../faults/evidence.ts'
import { observed } from './hand-made.ts'

const story = {
  stage: { outages: [], proxies: [], operators: [] },
  ...observed([]),
} as unknown as Story

test('evidence: that of a run in which nothing was violated has nothing of an earlier one', async () => {
  await using folder = await mkdtempDisposable(`${tmpdir()}/evidence-`)
  const path = `${folder.path}/row`
  await keep(path, story, { violations: [{ kind: 'lost', resource: 'a/b', detail: '' }], records: [] })
  assert.deepEqual((await readdir(path)).toSorted(), ['audit.jsonl', 'faults.json', 'observed.json', 'violations.json'])
  await keep(path, story, { violations: [], records: [] })
  assert.deepEqual(await readdir(path), ['faults.json'])
})
