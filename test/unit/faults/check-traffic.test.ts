import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTraffic } from '../../faults/checker/check-traffic.ts'

const cases: Readonly<
  Record<string, readonly [writes: number, lists: number, most: number | undefined, RegExp | null]>
> = {
  'as much as the work takes': [2.4, 40, undefined, null],
  'more writes than a Job and its status take': [4.1, 40, undefined, /4\.1 writes a launch/],
  'a storm of lists': [2.4, 151, undefined, /151 lists, of at most 150/],
  'a storm of lists, where fewer are expected': [2.4, 61, 60, /61 lists, of at most 60/],
}

for (const [name, [writesPerLaunch, lists, most, want]] of Object.entries(cases))
  test(`checker, traffic: ${name}`, () => {
    const found = checkTraffic('row', { writesPerLaunch, lists }, most)
    assert.equal(found.length, want === null ? 0 : 1)
    if (want !== null) assert.match(found[0]?.detail ?? '', want)
  })
