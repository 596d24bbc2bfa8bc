import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTraffic, type TrafficLimits } from '../../faults/checker/check-traffic.ts'
import { type Traffic, trafficOf } from '../../faults/traffic.ts'
import type { AuditRecord } from '../../support/audit.ts'
import { created, user } from './hand-made.ts'

const cases: Readonly<Record<string, readonly [traffic: Traffic, limits: TrafficLimits, RegExp | null]>> = {
  'as much as the work takes': [{ writesPerLaunch: 2.4, lists: 40, createsAtOnce: 60 }, {}, null],
  'more writes than a Job and its status take': [{ writesPerLaunch: 4.1, lists: 40 }, {}, /4\.1 writes a launch/],
  'a storm of lists': [{ writesPerLaunch: 2.4, lists: 151 }, {}, /151 lists, of at most 150/],
  'a storm of lists, where fewer are expected': [
    { writesPerLaunch: 2.4, lists: 61 },
    { mostLists: 60 },
    /61 lists, of at most 60/,
  ],
  'as many creates at once as there are connections': [{ createsAtOnce: 32 }, { mostAtOnce: 32 }, null],
  'a burst of creates': [{ createsAtOnce: 33 }, { mostAtOnce: 32 }, /33 creates at once, of at most 32/],
}

for (const [name, [traffic, limits, want]] of Object.entries(cases))
  test(`checker, traffic: ${name}`, () => {
    const found = checkTraffic('row', traffic, limits)
    assert.equal(found.length, want === null ? 0 : 1)
    if (want !== null) assert.match(found[0]?.detail ?? '', want)
  })

test('creates at once: those that overlap as the API server saw them; trials and what others create are apart', () => {
  const records = [
    sent(0, 10),
    sent(5, 20),
    sent(10, 30),
    sent(12, 14, { code: 429 }),
    sent(12, 14, { dryRun: true }),
    sent(12, 14, { user: 'admin' }),
  ]
  assert.equal(trafficOf(records, user).createsAtOnce, 3)
})

function sent(received: number, completed: number, change: Partial<AuditRecord> = {}): AuditRecord {
  return { ...created('12:00:10'), ...change, received, completed }
}
