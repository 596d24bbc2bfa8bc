import type { AuditRecord } from '../../support/audit.ts'
import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import {
  allThree,
  created,
  deleted,
  finished,
  job,
  left,
  observed,
  missed,
  removed,
  unanswered,
  resource,
  rightStatus,
  suspendedStatus,
  written,
} from './hand-made.ts'

const { look, finals } = observed([])
const [first = created('12:00:00')] = allThree
const outages = [{ start: at('12:00:05'), end: at('12:00:25') }]
const deleting = written({ time: '12:00:12', deleting: true })
const none = { ...finals, resources: [] }
const firstOnly = { ...rightStatus, handledUntil: '2026-01-01T12:00:00Z', lastScheduleTime: '2026-01-01T12:00:00Z' }

/** Its slots are stored, and no finished Job need stay. */
const told = written({ time: '12:00:21', status: rightStatus, more: { successfulJobsHistoryLimit: 0 } })

function withUid(uid: string, record: AuditRecord): AuditRecord {
  const { metadata, ...rest } = record.response as { metadata: object }
  return { ...record, response: { ...rest, metadata: { ...metadata, uid } } }
}

const owner = { uid: 'u-1', controller: true }
const labels = { 'myyrakle.com/second-cron-job': 'beat' }
const annotations = { 'myyrakle.com/scheduled-at': '2026-01-01T12:00:10Z' }
const renamed = {
  name: 'beat-x7k2q',
  response: { metadata: { name: 'beat-x7k2q', labels, annotations, ownerReferences: [owner] } },
}

testEach({
  'orphan: a Job whose owner is not there': {
    records: allThree,
    given: { finals: { ...finals, jobs: [left('12:00:20', { owner: 'u-0' })] } },
    want: [['orphan', /its owner is not there/]],
  },
  'orphan: a Job for a resource that never was': {
    records: [...allThree, created('12:00:25', '12:00:25', 'u-9')],
    want: [['orphan', /never was: u-9/]],
  },
  'deletedActive: it was not finished': {
    records: [...allThree, deleted('12:00:10', '12:00:15'), finished('12:00:10', '12:00:16')],
    want: [['deletedActive', /was not finished/]],
  },
  'not deletedActive: the log tells of its end before it tells of its create': {
    records: [finished('12:00:10', '12:00:10.100'), ...allThree, told, deleted('12:00:10', '12:00:25')],
    want: [],
  },
  'deletedActive: it was nobody’s': {
    records: [...allThree, deleted('12:00:13', '12:00:15')],
    want: [['deletedActive', /is none of a resource/]],
  },
  'not deletedActive: its create was answered 504 and committed, and its owner goes': {
    records: [first, unanswered('12:00:10'), deleting, deleted('12:00:10', '12:00:15'), removed('12:00:16')],
    given: { finals: none },
    want: [],
  },
  'not deletedActive: it was finished': {
    records: [...allThree, finished('12:00:10', '12:00:14'), told, deleted('12:00:10', '12:00:25')],
    want: [],
  },
  'not deletedActive: its owner goes with the CRD, which nobody has asked for': {
    records: [
      ...allThree,
      ...['12:00:00', '12:00:10', '12:00:20'].map((slot) => deleted(slot, '12:00:31')),
      written({ time: '12:00:32', deleting: true, finalizers: [] }),
    ],
    given: { finals: none },
    want: [],
  },
  'not deletedActive: another one took its name afterwards': {
    records: [
      ...allThree,
      withUid('j-1', created('12:00:10', '12:00:10.100')),
      withUid('j-1', finished('12:00:10', '12:00:14')),
      told,
      { ...deleted('12:00:10', '12:00:25'), response: { kind: 'Status', details: { uid: 'j-1' } } },
      withUid('j-2', created('12:00:10', '12:00:26')),
    ].toSpliced(1, 1),
    want: [
      ['duplicate', /again at 12:00:26/],
      ['late', /16000 ms after/],
    ],
  },
  'not deletedActive: somebody’s finalizer keeps it, and its delete is answered with the Job': {
    records: [
      ...allThree,
      withUid('j-1', created('12:00:10', '12:00:10.100')),
      withUid('j-1', finished('12:00:10', '12:00:14')),
      told,
      { ...deleted('12:00:10', '12:00:25'), response: { metadata: { name: job('12:00:10'), uid: 'j-1' } } },
    ].toSpliced(1, 1),
    want: [],
  },
  'not deletedActive: that it has finished was stored in the last moment of an API server': {
    records: [
      ...allThree,
      finished('12:00:10', '12:00:14', 'SuccessCriteriaMet'),
      { ...finished('12:00:10', '12:00:15'), code: 409, response: { kind: 'Status' } },
      told,
      deleted('12:00:10', '12:00:25'),
    ],
    want: [],
  },
  'deletedActive: it was ending, and that is all that is known': {
    records: [...allThree, finished('12:00:10', '12:00:14', 'SuccessCriteriaMet'), deleted('12:00:10', '12:00:18')],
    want: [['deletedActive', /was not finished/]],
  },
  'duplicate: two Jobs of one slot, whatever their names are': {
    records: [...allThree, { ...created('12:00:10', '12:00:10.500'), ...renamed }],
    want: [
      ['duplicate', /beat-x7k2q again/],
      ['misnamed', /beat-x7k2q it is of beat/],
    ],
  },
  'history: more are left than the limit allows': {
    records: allThree,
    given: { finals: { ...finals, jobs: ['12:00:00', '12:00:10', '12:00:20', '12:00:30'].map((slot) => left(slot)) } },
    want: [['history', /4 are Complete, of at most 3/]],
  },
  'stuck: it went too late': {
    records: [
      ...allThree.slice(0, 2),
      deleting,
      ...['12:00:00', '12:00:10'].map((slot) => deleted(slot, '12:00:17')),
      written({ time: '12:00:18', deleting: true, finalizers: [] }),
    ],
    given: { finals: none },
    want: [['stuck', /gone at 12:00:18/]],
  },
  'stuck: it is still there': {
    records: [...allThree.slice(0, 2), deleting],
    given: { finals: { ...finals, resources: [resource({ deleting: true })] } },
    want: [['stuck', /still there/]],
  },
  'not stuck: nobody was there to let it go': {
    records: [...allThree.slice(0, 2), deleting, written({ time: '12:00:26', deleting: true, finalizers: [] })],
    given: { finals: none, look: { ...look, outages } },
    want: [],
  },
  'not stuck: it went in the last moment of an API server, and no log tells of it': {
    records: [...allThree.slice(0, 2), deleting],
    given: { finals: none, look: { ...look, outages: [{ start: at('12:00:13'), end: at('12:00:20') }] } },
    want: [],
  },
  'stuck: it is still there, although an API server died': {
    records: [...allThree.slice(0, 2), deleting],
    given: {
      finals: { ...finals, resources: [resource({ deleting: true })] },
      look: { ...look, outages: [{ start: at('12:00:13'), end: at('12:00:14') }] },
    },
    want: [['stuck', /still there/]],
  },
  'not lost: it was removed at once, as it had no finalizer yet': {
    records: [first, removed('12:00:04')],
    given: { finals: none },
    want: [],
  },
  'not lost: its CRD went, and it with it, as the next request for it tells': {
    records: [first, missed('12:00:04')],
    given: { finals: none },
    want: [],
  },
  'lost: it was there, whatever one answer said': {
    records: [first, missed('12:00:04'), written({ time: '12:00:29', suspend: true })],
    given: {
      finals: { ...finals, resources: [resource({ suspend: true, status: { ...firstOnly, ...suspendedStatus } })] },
    },
    want: [
      ['lost', /due at 12:00:10/],
      ['lost', /due at 12:00:20/],
    ],
  },
  'stopped: it was removed at once': {
    records: [first, removed('12:00:04'), created('12:00:10')],
    given: { finals: none },
    want: [['stopped', /deleted at 12:00:04/]],
  },
})
