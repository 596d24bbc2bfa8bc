import type { AuditRecord } from '../../support/audit.ts'
import { testEach } from './checked.ts'
import { allThree, created, deleted, job, observed, rightStatus, written } from './hand-made.ts'

/** The create of a Job whose metadata is another one. */
function made(change: object, record: AuditRecord = created('12:00:10')): AuditRecord {
  const { metadata } = record.response as { metadata: object }
  const { name = record.name } = change as { name?: string }
  return { ...record, name, response: { metadata: { ...metadata, ...change } } }
}

const withSecond = (second: AuditRecord) => allThree.with(1, second)
/** By hand, at any time: the first nine of the SHA-256 of `now`. */
const asked = written({ time: '12:00:13', annotations: { 'myyrakle.com/run-now': 'now' } })
const manual = {
  name: 'beat-med5eb9a37',
  annotations: { 'myyrakle.com/scheduled-at': '2026-01-01T12:00:14Z' },
}

testEach({
  'misnamed: its name is of another slot than it says': {
    records: withSecond(made({ name: job('12:00:13') })),
    want: [['misnamed', /is of beat and of 2026-01-01T12:00:10Z/]],
  },
  'misnamed: it has the name of another resource': {
    records: withSecond(made({ name: job('12:00:10').replace('beat', 'other') })),
    want: [['misnamed', /other-\d+ it is of beat/]],
  },
  'misnamed: no slot has such a name, and it says none': {
    records: [...allThree, made({ name: 'beat-more', annotations: {} })],
    want: [['misnamed', /beat-more it is of beat and of nothing/]],
  },
  'misnamed: without the label nobody finds it again': {
    records: withSecond(made({ labels: {} })),
    want: [['misnamed', /its label is not there, not beat/]],
  },
  'misnamed: it has no owner': {
    records: [...allThree, made({ ownerReferences: [] }, created('12:00:11'))],
    want: [['misnamed', /it has no owner/]],
  },
  'misnamed: it is owned, but not controlled': {
    records: [...allThree, made({ ownerReferences: [{ uid: 'u-1' }] }, created('12:00:11'))],
    want: [['misnamed', /it has no owner/]],
  },
  'not misnamed: a run by hand': {
    records: [...allThree, asked, made(manual)],
    want: [],
  },
  'lost: a run by hand that was asked for': {
    records: [...allThree, asked],
    want: [['lost', /the run by hand that now asked for/]],
  },
  'not lost: a run by hand whose create nobody knows of, and the status does': {
    records: [...allThree, asked, written({ time: '12:00:21', status: { ...rightStatus, lastManualRun: 'now' } })],
    want: [],
  },
  'misnamed: a run by hand that nobody has asked for': {
    records: [...allThree, made(manual)],
    want: [
      ['misnamed', /is of beat/],
      ['duplicate', /number 1, and 0 were asked for/],
    ],
  },
  'stopped: a run by hand when its resource goes': {
    records: [
      ...allThree.slice(0, 2),
      asked,
      written({ time: '12:00:15', deleting: true }),
      made(manual, created('12:00:10', '12:00:16.100')),
      ...['12:00:00', '12:00:10'].map((slot) => deleted(slot, '12:00:15.500')),
      { ...deleted('12:00:10', '12:00:16.200'), name: manual.name },
      written({ time: '12:00:16.500', deleting: true, finalizers: [] }),
    ],
    given: { finals: { ...observed([]).finals, resources: [] } },
    want: [['stopped', /beat-med5eb9a37 12:00:16.100, deleted at 12:00:15.005/]],
  },
  'unguarded: a run by hand of a resource without a finalizer': {
    records: [],
    given: {
      records: [
        written({ time: '12:00:00.100', finalizers: [], annotations: { 'myyrakle.com/run-now': 'now' } }),
        made(manual, created('12:00:10', '12:00:00.200')),
        written({ time: '12:00:00.300' }),
        ...allThree,
      ],
    },
    want: [['unguarded', /beat-med5eb9a37 at 12:00:00.200, without a finalizer/]],
  },
  'duplicate: what was asked for once by hand is run again, when its Job has gone': {
    records: [...allThree, asked, made(manual), made(manual, created('12:00:10', '12:00:25'))],
    want: [['duplicate', /beat-med5eb9a37 the run by hand number 2, and 1 were asked for/]],
  },
  'duplicate: what was asked for once by hand is run under the name of one that comes again': {
    records: [...allThree, asked, made(manual), made({ ...manual, name: 'beat-ma08616171' })],
    want: [
      ['misnamed', /beat-ma08616171 it is of beat/],
      ['duplicate', /beat-ma08616171 the run by hand number 2/],
    ],
  },
  'misnamed: it is of no slot, and its owner is no resource': {
    records: [
      ...allThree,
      made({ name: 'beat-more', annotations: {}, ownerReferences: [{ uid: 'u-9', controller: true }] }),
    ],
    want: [['misnamed', /beat-more its owner never was/]],
  },
  'not misnamed: whatever somebody else creates': {
    records: [...allThree, { ...made({ name: 'theirs', ownerReferences: [] }), user: 'admin' }],
    want: [],
  },
})
