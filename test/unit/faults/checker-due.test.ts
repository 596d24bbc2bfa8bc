import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '../../faults/checker/checker.ts'
import type { AuditRecord } from '../../support/audit.ts'
import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import { allThree, created, deleted, finished, job, observed, resource, rightStatus, written } from './hand-made.ts'

const { look, finals } = observed([])
const [first = created('12:00:00'), second = created('12:00:10'), third = created('12:00:20')] = allThree
const of = (policy: string) => written({ time: '12:00:00.200', policy })
const atRest = (status: object, policy = 'Allow') => ({
  finals: { ...finals, resources: [resource({ policy, status: { ...rightStatus, ...status } })] },
})
const byHand: AuditRecord = { ...created('12:00:10', '12:00:12'), name: 'beat-med5eb9a37' }
const edited = written({ time: '12:00:19', intervalSeconds: 5 })

testEach({
  'lost: the first one of a resource that had nothing else to run': {
    records: [second, third],
    want: [['lost', /the first one, due at 12:00:00/]],
  },
  'not lost: the first one, when nobody could launch it': {
    records: [second, third],
    given: { look: { ...look, outages: [{ start: at('12:00:02'), end: at('12:00:03') }] } },
    want: [],
  },
  'not lost: the first one, where a later one may be due when the resource is seen': {
    records: [second, third],
    given: { look: { ...look, noticeMs: 9_500 } },
    want: [],
  },
  'lost: under Forbid, though nothing has been at work for long': {
    records: [of('Forbid'), first, finished('12:00:00', '12:00:04'), third],
    given: atRest({ skippedCount: 1 }, 'Forbid'),
    want: [['lost', /due at 12:00:10/]],
  },
  'not lost: under Forbid, as the one before ends only just before it': {
    records: [of('Forbid'), first, finished('12:00:00', '12:00:09.100'), third],
    given: atRest({ skippedCount: 1 }, 'Forbid'),
    want: [],
  },
  'not lost: under Forbid, as the one before never ends': {
    records: [of('Forbid'), first],
    given: atRest(
      { lastScheduleTime: '2026-01-01T12:00:00Z', handledUntil: '2026-01-01T12:00:20Z', skippedCount: 2 },
      'Forbid',
    ),
    want: [],
  },
  'lost: under Replace there is no reason to skip one': {
    records: [of('Replace'), first, third, finished('12:00:00', '12:00:04')],
    given: atRest({ skippedCount: 1 }, 'Replace'),
    want: [['lost', /due at 12:00:10/]],
  },
  'overlap: under Replace the one before is deleted only afterwards': {
    records: [
      of('Replace'),
      first,
      finished('12:00:00', '12:00:04'),
      second,
      third,
      deleted('12:00:10', '12:00:20.500'),
    ],
    given: atRest({}, 'Replace'),
    want: [['overlap', /while beat-\d+ was at work/]],
  },
  'not overlap: under Replace the one before is deleted first': {
    records: [of('Replace'), first, finished('12:00:00', '12:00:04'), second, deleted('12:00:10', '12:00:20'), third],
    given: atRest({}, 'Replace'),
    want: [],
  },
  'deletedActive: under Replace a Job at work is deleted, and no newer one is due': {
    records: [
      of('Replace'),
      first,
      finished('12:00:00', '12:00:04'),
      second,
      deleted('12:00:10', '12:00:19.900'),
      third,
    ],
    given: atRest({}, 'Replace'),
    want: [['deletedActive', /was not finished/]],
  },
  'not overlap: a run by hand begins whatever is at work': {
    records: [
      written({ time: '12:00:00.200', policy: 'Forbid', annotations: { 'myyrakle.com/run-now': 'now' } }),
      first,
      finished('12:00:00', '12:00:04'),
      second,
      byHand,
      finished('12:00:10', '12:00:13'),
    ],
    given: atRest(
      { lastScheduleTime: '2026-01-01T12:00:10Z', handledUntil: '2026-01-01T12:00:20Z', skippedCount: 1 },
      'Forbid',
    ),
    want: [],
  },
  'backRun: right after an edit, where nothing is due for certain, an older one than the newest': {
    records: [first, second, edited, created('12:00:20', '12:00:26.500'), created('12:00:25')],
    given: {
      look: { ...look, until: at('12:00:26') },
      ...atRest({ handledUntil: '2026-01-01T12:00:25Z', lastScheduleTime: '2026-01-01T12:00:25Z' }),
    },
    want: [['backRun', new RegExp(job('12:00:20'))]],
  },
  'not backRun: its deadline was set only afterwards': {
    records: [
      first,
      created('12:00:10', '12:00:14'),
      third,
      written({ time: '12:00:25', more: { startingDeadlineSeconds: 3 } }),
    ],
    given: { look: { ...look, outages: [{ start: at('12:00:09'), end: at('12:00:14') }] } },
    want: [],
  },
  'backRun: after its deadline': {
    records: [
      written({ time: '12:00:00.200', more: { startingDeadlineSeconds: 3 } }),
      first,
      created('12:00:10', '12:00:14'),
      third,
    ],
    given: { look: { ...look, outages: [{ start: at('12:00:09'), end: at('12:00:14') }] } },
    want: [['backRun', /4000 ms after its slot/]],
  },
})

test('checker: what was there long before the first fault is due from its beginning, be it one in which no edit is noticed', () => {
  const began = { ...look, from: at('12:00:04'), noticeMs: 40_000 }
  assert.equal(check(observed(allThree, { look: began })).due, 2)
  const fresh = { ...began, from: at('12:00:02') }
  assert.equal(check(observed(allThree, { look: fresh })).due, 0)
})

test('checker: the share of what would have been due, if nobody had been away', () => {
  const outages = [{ start: at('12:00:05'), end: at('12:00:25') }]
  const { due, share } = check(observed([first, third], { look: { ...look, outages } }))
  assert.deepEqual([due, share], [0, 0.5])
  assert.equal(check(observed(allThree)).share, 1)
  assert.equal(check(observed([], { look: { ...look, until: at('12:00:02') } })).share, null)
})
