import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRecord } from '../../support/audit.ts'
import { at } from '../../support/times.ts'
import { describeLateness, type Expectation, judge, type Verdict } from '../../support/verdict.ts'

const user = 'operator'
const expectation: Expectation = {
  namespace: 'default',
  name: 'beat',
  createdAt: at('12:00:00'),
  intervalMs: 10_000,
  from: at('12:00:00'),
  until: at('12:00:30'),
}

/** The create of the Job of `slot`, received at `received`. */
function created(slot: string, received = slot, change: Partial<AuditRecord> = {}): AuditRecord {
  const time = at(received)
  const name = `beat-${at(slot) / 1_000}`
  const what = { verb: 'create', group: 'batch', resource: 'jobs', subresource: '', namespace: 'default', name }
  return { ...what, user, userAgent: '', code: 201, dryRun: false, received: time, completed: time + 2, ...change }
}

const job = (slot: string) => `beat-${at(slot) / 1_000}`
const all = [created('12:00:00'), created('12:00:10', '12:00:10.004'), created('12:00:20')]
const outages = [{ start: at('12:00:05'), end: at('12:00:25') }]

const cases: Record<string, { records: AuditRecord[]; given?: Partial<Expectation>; want: Partial<Verdict> }> = {
  'all is well': {
    records: all,
    want: { due: 3, launched: 3, lost: [], twice: [], offGrid: [], early: [], lateness: [0, 0, 4] },
  },
  'a slot without a Job is lost': {
    records: [created('12:00:00'), created('12:00:20')],
    want: { lost: [job('12:00:10')] },
  },
  'two creates of one name are twice': {
    records: [...all, created('12:00:20', '12:00:22')],
    want: { twice: [job('12:00:20')] },
  },
  'a Job beside the grid': { records: [...all, created('12:00:11')], want: { offGrid: [job('12:00:11')] } },
  'a Job before its second': {
    records: [created('12:00:00'), created('12:00:10', '12:00:09.999'), created('12:00:20')],
    want: { early: [job('12:00:10')] },
  },
  'a refused create is no launch': {
    records: [created('12:00:00', '12:00:00', { code: 403 }), ...all.slice(1)],
    want: { lost: [job('12:00:00')] },
  },
  'a trial is no launch': {
    records: [created('12:00:00', '12:00:00', { dryRun: true }), ...all.slice(1)],
    want: { lost: [job('12:00:00')] },
  },
  'somebody else’s Job is no launch': {
    records: [created('12:00:00', '12:00:00', { user: 'mallory' }), ...all.slice(1)],
    want: { lost: [job('12:00:00')] },
  },
  'another namespace is another resource': {
    records: [created('12:00:00', '12:00:00', { namespace: 'other' }), ...all.slice(1)],
    want: { lost: [job('12:00:00')] },
  },
  'a slot in an outage may be missing': {
    records: [created('12:00:00')],
    given: { outages },
    want: { due: 1, lost: [], backRuns: [] },
  },
  'one run after an outage is the catch-up': {
    records: [created('12:00:00'), created('12:00:20', '12:00:26')],
    given: { outages },
    want: { backRuns: [], lateness: [0] },
  },
  'the one before it is a back-run, also when it comes alone': {
    records: [created('12:00:00'), created('12:00:10', '12:00:26'), created('12:00:20', '12:00:26')],
    given: { outages },
    want: { backRuns: [job('12:00:10')] },
  },
  'one that was due just before the end, and one just after, are both on time': {
    records: [created('12:00:00'), created('12:00:20', '12:00:25.700'), created('12:00:30', '12:00:30.700')],
    given: { outages, until: at('12:00:40') },
    want: { backRuns: [], lost: [] },
  },
}

test('verdict: without a user, anybody’s Job is a launch', () => {
  const records = [created('12:00:00', '12:00:00', { user: 'mallory' }), ...all.slice(1)]
  assert.deepEqual(judge([expectation], records).lost, [])
})

test('verdict: no launch, no lateness', () => {
  assert.equal(describeLateness(judge([expectation], [])), 'no run to tell the lateness of')
})

for (const [name, { records, given, want }] of Object.entries(cases))
  test(`verdict: ${name}`, () => {
    const verdict = judge([{ ...expectation, ...given }], records, user)
    for (const [field, value] of Object.entries(want)) assert.deepEqual(verdict[field as keyof Verdict], value, field)
  })
