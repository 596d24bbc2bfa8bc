import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProcess, type Excuses, type Sample } from '../../faults/checker/check-process.ts'
import { at } from '../../support/times.ts'

const limits = { rssMb: 100, sockets: 70 }
const well: Sample = { at: at('12:00:00'), process: 'o', ready: 200, healthy: 200, rssMb: 80, sockets: 40 }
const outages = [{ start: at('12:00:00'), end: at('12:00:10') }]

const mine = { process: 'o', start: at('12:00:00'), end: at('12:00:10') }
const theirs = { ...mine, process: 'p' }
const none: Excuses = { mayBeUnready: [], absences: [] }
const unready: Excuses = { ...none, mayBeUnready: outages }

const cases: Record<string, { sample: Partial<Sample>; excuses?: Excuses; want: readonly string[] }> = {
  'all is well': { sample: {}, want: [] },
  'too much memory': { sample: { rssMb: 101 }, want: ['101 MB at 12:00:00.000'] },
  'too much memory in an outage as well': {
    sample: { rssMb: 101 },
    excuses: unready,
    want: ['101 MB at 12:00:00.000'],
  },
  'too many sockets': { sample: { sockets: 71 }, want: ['71 sockets at 12:00:00.000'] },
  'not ready without a reason': { sample: { ready: 503 }, want: ['/readyz says 503 at 12:00:00.000'] },
  'not healthy without a reason': { sample: { healthy: 0 }, want: ['/healthz says 0 at 12:00:00.000'] },
  'not ready in an outage': { sample: { ready: 503 }, excuses: unready, want: [] },
  'not healthy, though only the API server is away': {
    sample: { ready: 503, healthy: 503 },
    excuses: unready,
    want: ['/healthz says 503 at 12:00:00.000'],
  },
  'neither, as somebody has killed it': {
    sample: { ready: 0, healthy: 0 },
    excuses: { ...none, absences: [mine] },
    want: [],
  },
  'neither, asked when it was stopped the next moment': {
    sample: { at: at('12:00:00') - 2_000, ready: 0, healthy: 0 },
    excuses: { ...none, absences: [mine] },
    want: [],
  },
  'neither, long after it has gone on': {
    sample: { at: at('12:00:12'), ready: 503, healthy: 503 },
    excuses: { ...none, absences: [mine] },
    want: ['/readyz says 503 at 12:00:12.000', '/healthz says 503 at 12:00:12.000'],
  },
  'neither, as another one was killed': {
    sample: { ready: 0, healthy: 0 },
    excuses: { ...none, absences: [theirs] },
    want: ['/readyz says 0 at 12:00:00.000', '/healthz says 0 at 12:00:00.000'],
  },
}

for (const [name, { sample, excuses = none, want }] of Object.entries(cases))
  test(`checker, process: ${name}`, () => {
    const found = checkProcess([{ ...well, ...sample }], excuses, limits)
    assert.deepEqual(
      found.map(({ kind, detail }) => [kind, detail]),
      want.map((detail) => ['process', detail]),
    )
  })
