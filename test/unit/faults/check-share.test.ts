import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkShare } from '../../faults/checker/check-share.ts'

const cases: Readonly<Record<string, readonly [share: number | null, least: number | undefined, RegExp | null]>> = {
  'enough in spite of the fault': [0.8, 0.8, null],
  'too few, though no single one had to be': [0.794, 0.8, /79 % of all slots were launched, of at least 80 %/],
  'nothing was due at all': [null, 0.8, /nothing was due/],
  'a fault in which nothing need be launched': [0, undefined, null],
}

for (const [name, [share, leastShare, want]] of Object.entries(cases))
  test(`checker, share: ${name}`, () => {
    const found = checkShare('row', { share }, leastShare === undefined ? {} : { leastShare })
    assert.equal(found.length, want === null ? 0 : 1)
    if (want !== null) assert.match(found[0]?.detail ?? '', want)
  })
