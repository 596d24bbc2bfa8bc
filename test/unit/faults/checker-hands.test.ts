import type { AuditRecord } from '../../support/audit.ts'
import { testEach } from './checked.ts'
import {
  allThree,
  deleted,
  finished,
  observed,
  resource,
  rightStatus,
  suspendedStatus,
  user,
  written,
} from './hand-made.ts'

const { finals } = observed([])
const [first, second] = allThree
const begun = [first, second].filter((one) => one !== undefined)
const stopped = { ...rightStatus, handledUntil: '2026-01-01T12:00:10Z', lastScheduleTime: '2026-01-01T12:00:10Z' }
const byOperator = (record: AuditRecord, request?: unknown): AuditRecord => ({ ...record, user, request })
const patched = (time: string, request: unknown) => byOperator(written({ time }), request)
const uid = { op: 'test', path: '/metadata/uid', value: 'u-1' }

testEach({
  'meddled: what it cannot run it suspends, so that nothing is due': {
    records: [
      ...begun,
      byOperator(written({ time: '12:00:11', suspend: true }), [
        uid,
        { op: 'add', path: '/spec/suspend', value: true },
      ]),
    ],
    given: {
      finals: { ...finals, resources: [resource({ suspend: true, status: { ...stopped, ...suspendedStatus } })] },
    },
    want: [['meddled', /patch of \/spec\/suspend/]],
  },
  'meddled: the same by a merge patch': {
    records: [...allThree, patched('12:00:11', { metadata: { uid: 'u-1' }, spec: { suspend: false } })],
    want: [['meddled', /patch of \/spec/]],
  },
  'meddled: it deletes the resource': {
    records: [
      ...begun,
      ...['12:00:00', '12:00:10'].map((slot) => deleted(slot, '12:00:12.500')),
      { ...byOperator(written({ time: '12:00:12', deleting: true })), verb: 'delete' },
      written({ time: '12:00:13', deleting: true, finalizers: [] }),
    ],
    given: { finals: { ...finals, resources: [] } },
    want: [['meddled', /delete secondcronjobs/]],
  },
  'meddled: it says itself that a Job has finished, so that it may go': {
    records: [
      ...allThree,
      byOperator(finished('12:00:10', '12:00:14')),
      written({ time: '12:00:21', status: rightStatus, more: { successfulJobsHistoryLimit: 0 } }),
      deleted('12:00:10', '12:00:25'),
    ],
    want: [['meddled', /update jobs\/status/]],
  },
  'meddled: it deletes Jobs by the dozen, whosever they are': {
    records: [...allThree, { ...deleted('12:00:10', '12:00:25'), verb: 'deletecollection', name: '' }],
    want: [['meddled', /deletecollection jobs/]],
  },
  'meddled: it takes its finalizer off while nobody deletes the resource': {
    records: [...allThree, patched('12:00:25', [uid, { op: 'remove', path: '/metadata/finalizers/0' }])],
    want: [['meddled', /its finalizer is taken off/]],
  },
  'not meddled: its finalizer, and the trial of a template': {
    records: [
      ...allThree.map(
        (record): AuditRecord => ({ ...record, dryRun: true, verb: 'patch', received: record.received - 50 }),
      ),
      ...allThree,
      patched('12:00:00.200', [uid, { op: 'add', path: '/metadata/finalizers', value: [] }]),
      patched('12:00:00.300', { metadata: { resourceVersion: '1', finalizers: ['myyrakle.com/second-cron-job'] } }),
    ],
    want: [],
  },
  'not meddled: somebody else may do all of that, and what is refused is not done': {
    records: [
      ...allThree,
      { ...patched('12:00:25', [{ op: 'add', path: '/spec/suspend', value: true }]), code: 403 },
      { ...patched('12:00:26', [{ op: 'add', path: '/spec/image', value: 'b' }]), user: 'admin' },
    ],
    want: [],
  },
})
