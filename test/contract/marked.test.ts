import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { groups } from './groups.ts'
import { countedRows, markedRows } from './marked.ts'

test('sandbox/README.md lists the rows that hold on one server only, and counts all', async () => {
  const readme = await readFile(new URL('../../sandbox/README.md', import.meta.url), 'utf8')
  const wanted = `${countedRows(groups)}\n\n${markedRows(groups)}\n`
  assert.ok(readme.includes(wanted), `write into sandbox/README.md:\n\n${wanted}`)
})

test('no two rows have the same name', () => {
  const names = groups.flatMap(({ name, rows }) => rows.map((row) => `${name}: ${row.name}`))
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})
