import { testEach } from './checked.ts'
import { allThree, created, deleted, observed, resource, rightStatus, suspendedStatus, written } from './hand-made.ts'

const { finals } = observed([])
const suspended = written({ time: '12:00:12', suspend: true })
const deleting = written({ time: '12:00:12', deleting: true })
const gone = [
  deleted('12:00:00', '12:00:12.500'),
  deleted('12:00:10', '12:00:12.500'),
  written({ time: '12:00:13', deleting: true, finalizers: [] }),
]

testEach({
  'stopped: after a suspend': {
    records: [...allThree.slice(0, 2), suspended, created('12:00:20')],
    given: {
      finals: { ...finals, resources: [resource({ suspend: true, status: { ...rightStatus, ...suspendedStatus } })] },
    },
    want: [
      ['stopped', /suspended at 12:00:12/],
      ['status', /and it was suspended at 12:00:12/],
    ],
  },
  'stopped: after a suspend that came right after an edit, which may go unnoticed for longer': {
    records: [
      ...allThree.slice(0, 2),
      written({ time: '12:00:17.500', intervalSeconds: 5 }),
      written({ time: '12:00:18', intervalSeconds: 5, suspend: true }),
      created('12:00:20'),
    ],
    given: {
      finals: {
        ...finals,
        resources: [resource({ intervalSeconds: 5, suspend: true, status: { ...rightStatus, ...suspendedStatus } })],
      },
    },
    want: [['stopped', /suspended at 12:00:18/]],
  },
  'stopped: after a delete': {
    records: [...allThree.slice(0, 2), deleting, ...gone, created('12:00:20')],
    given: { finals: { ...finals, resources: [] } },
    want: [['stopped', /deleted at 12:00:12/]],
  },
  'not stopped: just after a suspend, which nobody can know of': {
    records: [...allThree.slice(0, 2), written({ time: '12:00:19.900', suspend: true }), created('12:00:20')],
    want: [],
  },
})
