import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRecord } from '../../support/audit.ts'
import { describeGaps, gaps } from '../../support/gaps.ts'
import { at } from '../../support/times.ts'

const grids = [
  { createdAt: at('12:00:00'), intervalMs: 2_000 },
  { createdAt: at('12:00:01'), intervalMs: 10_000 },
]

/** Creates of Jobs, received then. */
function launches(...times: readonly string[]): readonly AuditRecord[] {
  const what = { verb: 'create', group: 'batch', resource: 'jobs', subresource: '', namespace: 'default', name: 'a-1' }
  return times.map((time) => {
    const received = at(time)
    return { ...what, user: '', userAgent: '', code: 201, dryRun: false, received, completed: received }
  })
}

const outage = { start: at('12:00:04.500'), end: at('12:00:09.500') }

const cases: Record<string, { times: readonly string[]; seconds: number }> = {
  'what the schedules leave free is no gap': {
    times: ['12:00:04', '12:00:06', '12:00:08', '12:00:10'],
    seconds: 0,
  },
  'from the first slot that was not served to the next launch': {
    times: ['12:00:04.010', '12:00:10.100'],
    seconds: 4.1,
  },
  'whichever grid is due first counts': { times: ['12:00:10', '12:00:14'], seconds: 3 },
  'the longest one counts, not the one at the beginning': {
    times: ['12:00:04', '12:00:06', '12:00:09.900'],
    seconds: 1.9,
  },
}
for (const [name, { times, seconds }] of Object.entries(cases))
  test(`gaps: ${name}`, () => {
    const window = name.startsWith('whichever') ? { start: at('12:00:10.500'), end: at('12:00:13') } : outage
    assert.deepEqual(
      gaps([window], grids, launches(...times)).map((found) => found.toFixed(3)),
      [seconds.toFixed(3)],
    )
  })

test('gaps: nothing was launched afterwards: no number', () => {
  assert.deepEqual(gaps([outage], grids, launches('12:00:04')), [Number.NaN])
})

test('gaps: they are described in ascending order', () => {
  const second = { start: at('12:00:20'), end: at('12:00:21') }
  const records = launches('12:00:04', '12:00:12', '12:00:20', '12:00:22.100')
  assert.equal(describeGaps(gaps([outage, second], grids, records)), 'seconds without a launch: p50 1.1 max 6.0 of 2')
})
