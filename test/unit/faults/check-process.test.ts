import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProcess, type Sample } from '../../faults/checker/check-process.ts'
import { at } from '../../support/times.ts'

const limits = { rssMb: 100, sockets: 70 }
const well: Sample = { at: at('12:00:00'), process: 'o', ready: 200, healthy: 200, rssMb: 80, sockets: 40 }
const outages = [{ start: at('12:00:00'), end: at('12:00:10') }]

const cases: Record<string, { sample: Partial<Sample>; isOut?: boolean; want: readonly string[] }> = {
  'all is well': { sample: {}, want: [] },
  'too much memory': { sample: { rssMb: 101 }, want: ['101 MB at 12:00:00.000'] },
  'too much memory in an outage as well': { sample: { rssMb: 101 }, isOut: true, want: ['101 MB at 12:00:00.000'] },
  'too many sockets': { sample: { sockets: 71 }, want: ['71 sockets at 12:00:00.000'] },
  'not ready without a reason': { sample: { ready: 503 }, want: ['/readyz says 503 at 12:00:00.000'] },
  'not healthy without a reason': { sample: { healthy: 0 }, want: ['/healthz says 0 at 12:00:00.000'] },
  'not ready in an outage': { sample: { ready: 503, healthy: 0 }, isOut: true, want: [] },
}

for (const [name, { sample, isOut = false, want }] of Object.entries(cases))
  test(`checker, process: ${name}`, () => {
    const found = checkProcess([{ ...well, ...sample }], isOut ? outages : [], limits)
    assert.deepEqual(
      found.map(({ kind, detail }) => [kind, detail]),
      want.map((detail) => ['process', detail]),
    )
  })
