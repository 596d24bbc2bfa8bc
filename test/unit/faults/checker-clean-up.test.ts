import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import { allThree, created, deleted, finished, left, observed, resource, rightStatus, written } from './hand-made.ts'

const { look, finals } = observed([])
const ended = ['12:00:00', '12:00:10', '12:00:20'].map((slot) => finished(slot, `${slot.slice(0, -1)}4`))
const limited = (limit: number, time = '12:00:22', status: object = rightStatus) =>
  written({ time, status, more: { successfulJobsHistoryLimit: limit } })
const untold = { ...rightStatus, handledUntil: '2026-01-01T12:00:00Z', lastScheduleTime: '2026-01-01T12:00:00Z' }
const none = { ...finals, resources: [] }
const [firstDeleted, secondDeleted, thirdDeleted] = ['12:00:00', '12:00:10', '12:00:20'].map((slot) =>
  deleted(slot, '12:00:31'),
)
const deletes = [firstDeleted, secondDeleted, thirdDeleted].filter((one) => one !== undefined)
const deleting = written({ time: '12:00:30', deleting: true })
const released = (time: string) => written({ time, deleting: true, finalizers: [] })

testEach({
  'not deletedEarly: old enough, its slot is stored, and the newest one stays': {
    records: [...allThree, ...ended, limited(1), deleted('12:00:10', '12:00:25'), deleted('12:00:00', '12:00:25')],
    want: [],
  },
  'deletedEarly: it is younger than ten seconds': {
    records: [...allThree, ...ended, limited(0), deleted('12:00:20', '12:00:29.900')],
    want: [['deletedEarly', /deleted 9896 ms after its create/]],
  },
  'deletedEarly: its slot is stored only afterwards': {
    records: [...allThree, ...ended, limited(0, '12:00:05', untold), deleted('12:00:10', '12:00:21'), limited(0)],
    want: [['deletedEarly', /at 12:00:21.000, and no status tells of its slot/]],
  },
  'not history: of two that may stay one is a run by hand, which is newer': {
    records: [
      ...allThree,
      ...ended,
      written({ time: '12:00:13', annotations: { 'myyrakle.com/run-now': 'now' } }),
      { ...created('12:00:10', '12:00:14'), name: 'beat-med5eb9a37' },
      { ...finished('12:00:10', '12:00:15'), name: 'beat-med5eb9a37' },
      limited(2),
      deleted('12:00:10', '12:00:35'),
    ],
    want: [],
  },
  'not orphan: another one has its name later, and goes later': {
    records: [
      ...allThree,
      ...ended,
      deleting,
      ...deletes,
      released('12:00:31.500'),
      deleted('12:00:20', '12:00:33', 'admin'),
    ],
    given: { finals: none },
    want: [],
  },
  'history: the newest one goes, and an older one stays': {
    records: [...allThree, ...ended, limited(1), deleted('12:00:20', '12:00:35')],
    want: [['history', /with 0 newer ones, of 1 that stay/]],
  },
  'history: the newest that has succeeded goes, and the newer ones have failed or are at work': {
    records: [
      ...allThree,
      finished('12:00:00', '12:00:04'),
      finished('12:00:10', '12:00:14', 'Failed'),
      limited(1, '12:00:21'),
      deleted('12:00:00', '12:00:22'),
      finished('12:00:20', '12:00:24'),
    ],
    want: [['history', /with 0 newer ones, of 1 that stay/]],
  },
  'history: failed ones have a limit of their own': {
    records: [
      ...allThree,
      finished('12:00:10', '12:00:14', 'Failed'),
      limited(0),
      finished('12:00:20', '12:00:24', 'Failed'),
      deleted('12:00:10', '12:00:25'),
      deleted('12:00:20', '12:00:35'),
    ],
    want: [['history', /with 0 newer ones, of 1 that stay/]],
  },
  'history: a limit that somebody has lowered only afterwards': {
    records: [
      ...allThree,
      ...ended,
      written({ time: '12:00:21', status: rightStatus }),
      deleted('12:00:00', '12:00:22'),
      limited(0, '12:00:23'),
    ],
    want: [['history', /with 1 newer ones, of 3 that stay/]],
  },
  'not history: a limit that somebody has raised only afterwards': {
    records: [
      ...allThree,
      ...ended,
      limited(1, '12:00:05', untold),
      written({ time: '12:00:24', status: rightStatus, more: { successfulJobsHistoryLimit: 1 } }),
      deleted('12:00:00', '12:00:25'),
      limited(9, '12:00:28'),
    ],
    want: [],
  },
  'not deletedEarly: its resource goes, or somebody else deletes it': {
    records: [
      ...allThree,
      ...ended,
      deleted('12:00:20', '12:00:21', 'admin'),
      deleting,
      ...deletes,
      released('12:00:32'),
    ],
    given: { finals: none },
    want: [],
  },
  'orphan: a Job is left when the finalizer of its resource goes': {
    records: [...allThree, deleting, ...deletes.slice(1), released('12:00:32')],
    given: { finals: none },
    want: [['orphan', /left when its resource was let go at 12:00:32/]],
  },
  'orphan: it is deleted only afterwards': {
    records: [...allThree, deleting, ...deletes.slice(1), released('12:00:30.500'), deleted('12:00:00', '12:00:31')],
    given: { finals: none },
    want: [['orphan', /left when/]],
  },
  'not orphan: it could not be deleted for so long that the finalizer had to go': {
    records: [
      ...allThree,
      deleting,
      { ...deleted('12:00:00', '12:00:31'), code: 403 },
      ...deletes.slice(1),
      released('12:00:33.100'),
    ],
    given: { finals: none },
    want: [],
  },
  'orphan: it waits until its finalizer may go, and never tries to delete a Job': {
    records: [...allThree, deleting, released('12:00:33.100')],
    given: { finals: none },
    want: [['orphan', /left when its resource was let go at 12:00:33/]],
  },
  'not orphan: who deleted the resource wants its Jobs to stay': {
    records: [
      ...allThree,
      written({ time: '12:00:30', deleting: true, finalizers: ['myyrakle.com/second-cron-job', 'orphan'] }),
      released('12:00:32'),
    ],
    given: { finals: none },
    want: [],
  },
  'not orphan: somebody has taken its label away': {
    records: [
      ...allThree,
      { ...created('12:00:00', '12:00:15'), verb: 'patch', code: 200, user: 'admin' },
      deleting,
      ...deletes.slice(1),
      released('12:00:32'),
    ],
    given: { finals: none },
    want: [],
  },
  'not orphan: the API server was away meanwhile, and its log does not tell all': {
    records: [...allThree, deleting, ...deletes.slice(1), released('12:00:32')],
    given: { finals: none, look: { ...look, outages: [{ start: at('12:00:30'), end: at('12:00:31') }] } },
    want: [],
  },
  'not status: a Job that is being deleted is not active': {
    records: allThree,
    given: {
      finals: {
        ...finals,
        jobs: [left('12:00:20', { isDone: false })].map(({ metadata, ...job }) => {
          return { ...job, metadata: { ...metadata, deletionTimestamp: '2026-01-01T12:00:40Z' } }
        }),
      },
    },
    want: [],
  },
  'history: a run by hand counts as well': {
    records: allThree,
    given: {
      finals: {
        ...finals,
        resources: [resource({ status: rightStatus })],
        jobs: ['12:00:00', '12:00:10', '12:00:20', '12:00:30'].map((slot, index) => {
          const { metadata, ...job } = left(slot)
          return { ...job, metadata: { ...metadata, name: index === 0 ? 'beat-m012345678' : metadata.name } }
        }),
      },
    },
    want: [['history', /4 are Complete, of at most 3/]],
  },
})
