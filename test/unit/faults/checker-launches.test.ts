import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '../../faults/checker/checker.ts'
import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import { allThree, created, job, observed, resource, rightStatus, suspendedStatus, written } from './hand-made.ts'

const { look, finals } = observed([])
const first = created('12:00:00', '12:00:00.500')
const outages = [{ start: at('12:00:05'), end: at('12:00:25') }]
const settling = { start: at('12:00:00'), end: at('12:00:09.800'), settled: at('12:00:10.800') }
const suspended = written({ time: '12:00:12', suspend: true })
/** Of four seconds by now, and launched until then. */
const editedUntil = (second: string) => {
  const last = `2026-01-01T12:00:${second}Z`
  return resource({ intervalSeconds: 4, status: { ...rightStatus, handledUntil: last, lastScheduleTime: last } })
}

const editedLate = [first, created('12:00:10'), written({ time: '12:00:12.800', intervalSeconds: 4 })]
const firstOnly = { ...rightStatus, handledUntil: '2026-01-01T12:00:00Z', lastScheduleTime: '2026-01-01T12:00:00Z' }
const stopped = { ...finals, resources: [resource({ suspend: true, status: { ...firstOnly, ...suspendedStatus } })] }

testEach({
  'lost: the suspend came two seconds later': {
    records: [first, suspended],
    given: { finals: stopped },
    want: [['lost', new RegExp(job('12:00:10'))]],
  },
  'not lost: where a launch may be three seconds late the suspend came before it': {
    records: [first, suspended],
    given: { finals: stopped, look: { ...look, lateMs: 3_000 } },
    want: [],
  },
  'offGrid: a slot of the new schedule that was due before the edit': {
    records: [...editedLate, created('12:00:12', '12:00:14.500')],
    given: { finals: { ...finals, resources: [editedUntil('12')] }, look: { ...look, until: at('12:00:13') } },
    want: [['offGrid', new RegExp(job('12:00:12'))]],
  },
  'not offGrid: by the clock of the leader, three seconds behind, it was due after the edit': {
    records: [...editedLate, created('12:00:12', '12:00:14.500')],
    given: {
      finals: { ...finals, resources: [editedUntil('12')] },
      look: { ...look, until: at('12:00:13'), clocksApartMs: 3_000 },
    },
    want: [],
  },
  'nothing is wrong': { records: allThree, want: [] },
  'duplicate: the same slot again': {
    records: [...allThree, created('12:00:10', '12:00:14')],
    want: [
      ['duplicate', new RegExp(job('12:00:10'))],
      ['late', new RegExp(job('12:00:10'))],
    ],
  },
  'lost: a slot without a Job': {
    records: [first, created('12:00:20')],
    want: [
      ['lost', new RegExp(job('12:00:10'))],
      ['status', /missedCount and skippedCount together is 0, not 1/],
    ],
  },
  'lost, but counted': {
    records: [first, created('12:00:20')],
    given: { finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 1 } })] } },
    want: [['lost', /due at 12:00:10/]],
  },
  'not lost: nobody was there, and it is counted': {
    records: [first, created('12:00:20', '12:00:26')],
    given: {
      look: { ...look, outages },
      finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 1 } })] },
    },
    want: [],
  },
  'backRun: an older one than the newest, after an outage': {
    records: [first, created('12:00:10', '12:00:26'), created('12:00:20', '12:00:26')],
    given: { look: { ...look, outages } },
    want: [['backRun', /16000 ms after/]],
  },
  'not backRun: what was sent before an API server stood still, and read when it went on': {
    records: [first, created('12:00:10', '12:00:26.200'), created('12:00:20', '12:00:26.900')],
    given: { look: { ...look, outages, resumed: [at('12:00:26')] } },
    want: [],
  },
  'backRun: older ones long after the API server went on': {
    records: [first, created('12:00:10', '12:00:27.100'), created('12:00:20', '12:00:27.100')],
    given: { look: { ...look, outages, resumed: [at('12:00:26')] } },
    want: [['backRun', /17100 ms after/]],
  },
  'early: before its second': {
    records: [first, created('12:00:10', '12:00:09.999'), created('12:00:20')],
    want: [['early', /-1 ms after/]],
  },
  'not late: what was due in an outage is sent before it': {
    records: [created('12:00:00', '12:00:09.900'), created('12:00:10', '12:00:11.900'), created('12:00:20')],
    given: { look: { ...look, outages: [settling] } },
    want: [],
  },
  'late: by more than that, or when all of that is sent': {
    records: [
      created('12:00:00', '12:00:09.900'),
      created('12:00:10', '12:00:12.100'),
      created('12:00:20', '12:00:21.100'),
    ],
    given: { look: { ...look, outages: [settling] } },
    want: [
      ['late', /2100 ms after/],
      ['late', /1100 ms after/],
    ],
  },
  'lost: it was due when the outage was over, though not all of what it held up was sent': {
    records: [created('12:00:00', '12:00:09.900'), created('12:00:20')],
    given: {
      look: { ...look, outages: [settling] },
      finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 1 } })] },
    },
    want: [['lost', new RegExp(job('12:00:10'))]],
  },
  'late: more than a second after': {
    records: [first, created('12:00:10', '12:00:11.100'), created('12:00:20')],
    want: [['late', /1100 ms after/]],
  },
  'offGrid: beside the grid': {
    records: [...allThree, created('12:00:11')],
    want: [['offGrid', /slot 12:00:11/]],
  },
  'offGrid: an edit never back-runs': {
    records: [
      ...allThree.slice(0, 2),
      written({ time: '12:00:14', intervalSeconds: 4 }),
      created('12:00:12', '12:00:18'),
      created('12:00:20'),
      created('12:00:24'),
      created('12:00:28'),
    ],
    given: { finals: { ...finals, resources: [editedUntil('28')] } },
    want: [['offGrid', /slot 12:00:12/]],
  },
  'an edit: the new grid counts, and the old one for a moment': {
    records: [
      ...allThree.slice(0, 2),
      written({ time: '12:00:19.900', intervalSeconds: 4 }),
      created('12:00:20'),
      created('12:00:24'),
      created('12:00:28'),
    ],
    given: { finals: { ...finals, resources: [editedUntil('28')] } },
    want: [],
  },
  'lost after an edit': {
    records: [
      ...allThree.slice(0, 2),
      written({ time: '12:00:12', intervalSeconds: 4 }),
      created('12:00:20'),
      created('12:00:24'),
    ],
    given: { finals: { ...finals, resources: [editedUntil('24')] } },
    want: [
      ['lost', /due at 12:00:16/],
      ['lost', /due at 12:00:28/],
    ],
  },
})

test('checker: what was due, launched, the worst lateness, and when all was well again after the faults', () => {
  const late = [first, created('12:00:10', '12:00:12'), created('12:00:20', '12:00:20.004')]
  const { due, launched, worstLatenessMs, recoveryMs } = check(observed(late))
  assert.deepEqual(
    { due, launched, worstLatenessMs, recoveryMs },
    { due: 2, launched: 3, worstLatenessMs: 2_000, recoveryMs: 7_000 },
  )
  assert.equal(check(observed(allThree)).recoveryMs, 0)
})
