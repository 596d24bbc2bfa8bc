import type { AuditRecord } from '../../support/audit.ts'
import { testEach } from './checked.ts'
import {
  allThree,
  created,
  deleted,
  finished,
  job,
  observed,
  removed,
  rightStatus,
  unanswered,
  written,
} from './hand-made.ts'

const { finals } = observed([])
const [first = created('12:00:00')] = allThree
const deleting = written({ time: '12:00:12', deleting: true })
const second = '2026-01-01T12:00:10Z'
const none = { ...finals, resources: [] }

/** Its slots are stored, and no finished Job need stay. */
const told = written({ time: '12:00:21', status: rightStatus, more: { successfulJobsHistoryLimit: 0 } })

function having(more: object, record: AuditRecord): AuditRecord {
  const { metadata, ...rest } = record.response as { metadata: object }
  return { ...record, response: { ...rest, metadata: { ...metadata, ...more } } }
}

/** The log tells of version 7 of a Job, and this version of it is deleted. */
function deletedAs(resourceVersion: string, condition: string): readonly AuditRecord[] {
  const last = having({ resourceVersion: '7' }, finished('12:00:10', '12:00:14', condition))
  return [
    ...allThree,
    last,
    told,
    { ...deleted('12:00:10', '12:00:25'), request: { preconditions: { resourceVersion } } },
  ]
}
testEach({
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
  'not status: it tells of a Job whose create was answered 504 and committed, and which goes with its owner': {
    records: [
      first,
      unanswered('12:00:10'),
      written({ time: '12:00:11', status: { ...rightStatus, handledUntil: second, lastScheduleTime: second } }),
      deleting,
      deleted('12:00:10', '12:00:15'),
      removed('12:00:16'),
    ],
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
      having({ uid: 'j-1' }, created('12:00:10', '12:00:10.100')),
      having({ uid: 'j-1' }, finished('12:00:10', '12:00:14')),
      told,
      { ...deleted('12:00:10', '12:00:25'), response: { kind: 'Status', details: { uid: 'j-1' } } },
      having({ uid: 'j-2' }, created('12:00:10', '12:00:26')),
    ].toSpliced(1, 1),
    want: [
      ['duplicate', /again at 12:00:26/],
      ['late', /16000 ms after/],
    ],
  },
  'not deletedActive: somebody’s finalizer keeps it, and its delete is answered with the Job': {
    records: [
      ...allThree,
      having({ uid: 'j-1' }, created('12:00:10', '12:00:10.100')),
      having({ uid: 'j-1' }, finished('12:00:10', '12:00:14')),
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
  'not deletedActive: it was ending, and what was deleted is a version of it that nobody has told of': {
    records: deletedAs('8', 'SuccessCriteriaMet'),
    want: [],
  },
  'deletedActive: it was ending, and was deleted in just that version': {
    records: deletedAs('7', 'SuccessCriteriaMet'),
    want: [['deletedActive', /was not finished/]],
  },
  'deletedActive: it was not even ending, whatever version was deleted': {
    records: deletedAs('8', 'Suspended'),
    want: [['deletedActive', /was not finished/]],
  },
  'deletedActive: it was ending, and that is all that is known': {
    records: [...allThree, finished('12:00:10', '12:00:14', 'SuccessCriteriaMet'), deleted('12:00:10', '12:00:18')],
    want: [['deletedActive', /was not finished/]],
  },
})
