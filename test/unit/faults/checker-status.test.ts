import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import {
  allThree,
  created,
  deleted,
  finished,
  left,
  observed,
  resource,
  rightStatus,
  seen,
  suspendedStatus,
  written,
} from './hand-made.ts'

const { look, finals } = observed([])
const [first = created('12:00:00'), ...rest] = allThree
const handled10 = { ...rightStatus, handledUntil: '2026-01-01T12:00:10Z', lastScheduleTime: '2026-01-01T12:00:00Z' }
const told = written({ time: '12:00:21', status: rightStatus })
/** The create of the second Job is in no log. */
const lastAct = [first, seen('12:00:10'), ...rest.slice(1)]
const outages = [{ start: at('12:00:05'), end: at('12:00:25') }]

function failingFor(message: string): object {
  return { ...rightStatus, conditions: [{ type: 'Failing', status: 'True', reason: 'Unavailable', message }] }
}

testEach({
  'not status: what was due before the first launch may be counted': {
    records: [created('12:00:20')],
    given: {
      look: { ...look, outages: [{ start: at('12:00:00'), end: at('12:00:15') }] },
      finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 2 } })] },
    },
    want: [],
  },
  'not status: what passed before two edits that nobody saw need not be counted': {
    records: [first, created('12:00:20')],
    given: {
      look: { ...look, outages },
      finals: {
        ...finals,
        resources: [resource({ status: { ...rightStatus, observedGeneration: 4 }, generation: 4 })],
      },
    },
    want: [],
  },
  'status: more is counted than was due': {
    records: allThree,
    given: { finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 1 } })] } },
    want: [['status', /together is 1, not 0/]],
  },
  'not status: a Job that its TTL took before any status told of it may be counted as missed': {
    records: [first, finished('12:00:00', '12:00:01'), deleted('12:00:00', '12:00:15', 'ttl'), ...rest, told],
    given: { finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 1 } })] } },
    want: [],
  },
  'status: a Job is counted as missed that went when its slot was told of': {
    records: [first, finished('12:00:00', '12:00:01'), ...rest, told, deleted('12:00:00', '12:00:40', 'ttl')],
    given: { finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 1 } })] } },
    want: [['status', /together is 1, not 0/]],
  },
  'status: the operator has deleted a Job before its slot was told of, and counts it': {
    records: [first, finished('12:00:00', '12:00:01'), deleted('12:00:00', '12:00:15'), ...rest, told],
    given: { finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 1 } })] } },
    want: [
      ['status', /together is 1, not 0/],
      ['deletedEarly', /no status tells of its slot/],
      ['history', /with 1 newer ones, of 3 that stay/],
    ],
  },
  'status: the last slot is another one': {
    records: allThree,
    given: {
      finals: {
        ...finals,
        resources: [resource({ status: { ...rightStatus, lastScheduleTime: '2026-01-01T12:00:10Z' } })],
      },
    },
    want: [['status', /lastScheduleTime is 2026-01-01T12:00:10.000Z, not 2026-01-01T12:00:20.000Z/]],
  },
  'status: what is active': {
    records: allThree,
    given: { finals: { ...finals, jobs: [left('12:00:20', { isDone: false })] } },
    want: [
      ['status', /activeCount is 0, not 1/],
      ['status', /active has 0, of 1/],
    ],
  },
  'status: of a suspended resource it still tells of a next run, which is none': {
    records: [...allThree, written({ time: '12:00:31', suspend: true })],
    given: {
      finals: {
        ...finals,
        resources: [
          resource({
            suspend: true,
            status: { ...rightStatus, ...suspendedStatus, nextScheduleTime: '2026-01-01T12:00:40Z' },
          }),
        ],
      },
    },
    want: [['status', /nextScheduleTime is 2026-01-01T12:00:40Z, not absent/]],
  },
  'not status: one that is not suspended has a next run': {
    records: allThree,
    given: {
      finals: {
        ...finals,
        resources: [resource({ status: { ...rightStatus, nextScheduleTime: '2026-01-01T12:00:40Z' } })],
      },
    },
    want: [],
  },
  'status: a launch is said to have failed because its own Job is there': {
    records: [...allThree, written({ time: '12:00:21', status: failingFor('jobs.batch "beat-1" already exists') })],
    want: [['status', /said to have failed: jobs.batch "beat-1" already exists/]],
  },
  'not status: a launch has failed because the Job of somebody else has its name, or for another reason': {
    records: [
      ...allThree,
      written({ time: '12:00:21', status: failingFor('a Job named beat-1 exists and is not controlled by this') }),
      written({ time: '12:00:22', status: failingFor('exceeded quota') }),
    ],
    want: [],
  },
  'not status: a run was counted as missed, and its create arrived after all': {
    records: [
      first,
      created('12:00:10', '12:00:11.900'),
      ...rest.slice(1),
      written({ time: '12:00:12', status: { ...handled10, missedCount: 1 } }),
      written({ time: '12:00:21', status: { ...rightStatus, missedCount: 0 } }),
    ],
    given: { look: { ...look, lateMs: 5_000 } },
    want: [],
  },
  'not status: a run was counted as missed until the Job was seen whose create an API server did last': {
    records: [
      ...lastAct,
      written({ time: '12:00:12', status: { ...handled10, missedCount: 1 } }),
      written({ time: '12:00:21', status: { ...rightStatus, missedCount: 0 } }),
    ],
    want: [],
  },
  'status: that run is still counted as missed in the end': {
    records: [...lastAct, written({ time: '12:00:21', status: { ...rightStatus, missedCount: 1 } })],
    given: { finals: { ...finals, resources: [resource({ status: { ...rightStatus, missedCount: 1 } })] } },
    want: [['status', /together is 1, not 0/]],
  },
  'status: a run that was missed is missed no more, and there is none': {
    records: [
      ...allThree,
      written({ time: '12:00:12', status: { ...handled10, missedCount: 1 } }),
      written({ time: '12:00:21', status: { ...rightStatus, missedCount: 0 } }),
    ],
    want: [
      ['status', /it counts 1, of at most 0/],
      ['status', /missedCount went back from 1 to 0/],
    ],
  },
  'status: it goes back in time': {
    records: [
      ...allThree,
      written({ time: '12:00:21', status: { handledUntil: '2026-01-01T12:00:20Z' } }),
      written({ time: '12:00:22', status: { handledUntil: '2026-01-01T12:00:10Z' } }),
    ],
    want: [['status', /handledUntil went back/]],
  },
})
