import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import {
  allThree,
  created,
  deleted,
  left,
  observed,
  missed,
  removed,
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
