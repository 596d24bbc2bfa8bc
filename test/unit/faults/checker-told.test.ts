import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import {
  allThree,
  created,
  finished,
  job,
  left,
  observed,
  resource,
  rightStatus,
  suspendedStatus,
  written,
} from './hand-made.ts'

const { finals, look } = observed([])
const atRest = (status: object, { suspend = false, policy = 'Allow' } = {}) => ({
  finals: { ...finals, resources: [resource({ suspend, policy, status: { ...rightStatus, ...status } })] },
})
const told = (status: object, time = '12:00:21') => written({ time, status: { ...rightStatus, ...status } })
const suspended = written({ time: '12:00:31', suspend: true })
const completed = {
  ...left('12:00:20'),
  status: { completionTime: '2026-01-01T12:00:24Z', conditions: [{ type: 'Complete', status: 'True' }] },
}

testEach({
  'not status: all that it tells has happened': {
    records: [...allThree, told({})],
    want: [],
  },
  'status: it has handled what is still to come': {
    records: [...allThree, told({ handledUntil: '2026-01-01T12:00:30Z', missedCount: 1 })],
    given: atRest({ handledUntil: '2026-01-01T12:00:30Z', missedCount: 1 }),
    want: [['status', /at 12:00:21.005 handledUntil is .*12:00:30Z, which is to come/]],
  },
  'status: it tells of a launch that never was': {
    records: [...allThree, told({ lastScheduleTime: '2026-01-01T12:00:19Z' }, '12:00:20.500'), told({})],
    want: [['status', /lastScheduleTime is .*12:00:19Z, which no Job is of/]],
  },
  'status: it tells of a launch before its create, which would be lost if its sender died between the two': {
    records: [...allThree.with(2, created('12:00:20', '12:00:20.900')), told({}, '12:00:20.100')],
    want: [['status', /lastScheduleTime is .*12:00:20Z at 12:00:20.105, before its Job/]],
  },
  'status: it has told that a slot is over, and then it is run': {
    records: [
      ...allThree.with(2, created('12:00:20', '12:00:20.900')),
      told({ lastScheduleTime: '2026-01-01T12:00:10Z' }, '12:00:20.100'),
    ],
    want: [['status', /slot 12:00:20.000 was told to be over at 12:00:20.105, and run at 12:00:20.900/]],
  },
  'not status: it was sent in an outage, and came when the next one had counted it': {
    records: [
      ...allThree.with(2, created('12:00:20', '12:00:20.900')),
      told({ lastScheduleTime: '2026-01-01T12:00:10Z' }, '12:00:20.100'),
    ],
    given: { look: { ...look, outages: [{ start: at('12:00:19'), end: at('12:00:21') }] } },
    want: [],
  },
  'status: a Job has ended that cannot have yet': {
    records: [...allThree, told({ lastSuccessfulTime: '2026-01-01T12:00:25Z' })],
    given: atRest({ lastSuccessfulTime: '2026-01-01T12:00:25Z' }),
    want: [['status', /at 12:00:21.005 lastSuccessfulTime is .*12:00:25Z, which is to come/]],
  },
  'status: at rest what was launched is not handled': {
    records: allThree,
    given: atRest({ handledUntil: '2026-01-01T12:00:10Z' }),
    want: [['status', /handledUntil is .*12:00:10Z, before lastScheduleTime/]],
  },
  'status: it names an active Job that is none': {
    records: allThree,
    given: atRest({ active: [{ name: job('12:00:20') }] }),
    want: [['status', /active names beat-\d+, which is none/]],
  },
  'status: what has ended last is later than it says': {
    records: allThree,
    given: {
      finals: {
        ...finals,
        resources: [resource({ status: { ...rightStatus, lastSuccessfulTime: '2026-01-01T12:00:14Z' } })],
        jobs: [completed],
      },
    },
    want: [['status', /lastSuccessfulTime is .*12:00:14Z, before 12:00:24/]],
  },
  'status: under Allow it says that it has skipped one': {
    records: [...allThree, told({ skippedCount: 1 })],
    given: atRest({ handledUntil: '2026-01-01T12:00:30Z', skippedCount: 1 }),
    want: [
      ['status', /it counts 1, of at most 0/],
      ['status', /skippedCount is 1 under Allow/],
    ],
  },
  'status: under Replace it says that it has skipped what nobody could run': {
    records: [
      written({ time: '12:00:00.200', policy: 'Replace' }),
      ...allThree.toSpliced(1, 1),
      finished('12:00:00', '12:00:04'),
      written({ time: '12:00:21', policy: 'Replace', status: { ...rightStatus, skippedCount: 1 } }),
    ],
    given: {
      ...atRest({ skippedCount: 1 }, { policy: 'Replace' }),
      look: { ...look, outages: [{ start: at('12:00:05'), end: at('12:00:15') }] },
    },
    want: [['status', /skippedCount is 1 under Replace/]],
  },
  'not status: after an edit it counts what was due by either schedule, and is not there': {
    records: [
      ...allThree.slice(0, 2),
      written({ time: '12:00:15', intervalSeconds: 5 }),
      ...allThree.slice(2),
      told({ missedCount: 1 }),
    ],
    given: { ...atRest({ missedCount: 1 }), look: { ...look, until: at('12:00:15') } },
    want: [],
  },
  'status: after an edit it counts more than was due by any schedule': {
    records: [
      ...allThree.slice(0, 2),
      written({ time: '12:00:15', intervalSeconds: 5 }),
      ...allThree.slice(2),
      told({ missedCount: 3 }),
    ],
    given: { ...atRest({ missedCount: 3 }), look: { ...look, until: at('12:00:15') } },
    want: [['status', /until .*12:00:20Z it counts 3, of at most 1/]],
  },
  'status: it goes back to an older generation': {
    records: [...allThree, told({ observedGeneration: 2 }), told({ observedGeneration: 1 }, '12:00:22')],
    want: [['status', /observedGeneration went back from 2 to 1/]],
  },
  'status: of a slot that was launched it says that it was missed, though it is not counted': {
    records: allThree,
    given: atRest({ recent: [{ slot: '2026-01-01T12:00:10Z', outcome: 'Missed', reason: 'Downtime' }] }),
    want: [['status', /recent says Missed of .*12:00:10Z, which was launched/]],
  },
  'status: it says that it fails, or that its template is refused, and was launched since all was well': {
    records: allThree,
    given: atRest({
      conditions: [
        { type: 'Failing', status: 'True', reason: 'Unavailable' },
        { type: 'Accepted', status: 'False', reason: 'Invalid' },
      ],
    }),
    want: [
      ['status', /Failing is True, Unavailable, and it was launched after the faults/],
      ['status', /Accepted is False, Invalid/],
    ],
  },
  'not status: it says that it fails, and was not launched since': {
    records: allThree,
    given: {
      ...atRest({ conditions: [{ type: 'Failing', status: 'True', reason: 'Unavailable' }] }),
      faultsEnd: at('12:00:21'),
    },
    want: [],
  },
  'not status: it is suspended, and says so': {
    records: [...allThree, suspended],
    given: atRest(suspendedStatus, { suspend: true }),
    want: [],
  },
  'status: while it is suspended it has missed something': {
    records: [...allThree, suspended],
    given: atRest({ ...suspendedStatus, handledUntil: '2026-01-01T12:00:40Z', missedCount: 2 }, { suspend: true }),
    want: [['status', /handledUntil is .*12:00:40Z, and it was suspended at 12:00:31/]],
  },
  'status: it is suspended, and says that it runs': {
    records: [...allThree, suspended],
    given: atRest(
      { observedSchedule: 'every 10s', conditions: [{ type: 'Ready', status: 'True', reason: 'Scheduled' }] },
      { suspend: true },
    ),
    want: [
      ['status', /observedSchedule is every 10s, and it is suspended/],
      ['status', /Ready is True, Scheduled, and it is suspended/],
    ],
  },
})
