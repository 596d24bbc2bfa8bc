import { testEach } from './checked.ts'
import { allThree, deleted, finished, observed, resource, rightStatus, written } from './hand-made.ts'

const { finals } = observed([])
const forbidding = [written({ time: '12:00:00.200', policy: 'Forbid' })]
const forbidden = { ...finals, resources: [resource({ status: rightStatus, policy: 'Forbid' })] }

testEach({
  'overlap: under Forbid a Job begins while the one before is at work': {
    records: [...forbidding, ...allThree, finished('12:00:00', '12:00:12'), finished('12:00:10', '12:00:18')],
    given: { finals: forbidden },
    want: [['overlap', /while beat-\d+ was at work/]],
  },
  'not overlap: the one before has finished, or has been deleted': {
    records: [
      ...forbidding,
      ...allThree,
      finished('12:00:00', '12:00:08'),
      { ...deleted('12:00:10', '12:00:15'), user: 'admin' },
    ],
    given: { finals: forbidden },
    want: [],
  },
  'overlap: under Forbid, which somebody makes Allow afterwards': {
    records: [
      ...forbidding,
      ...allThree,
      finished('12:00:00', '12:00:12'),
      finished('12:00:10', '12:00:18'),
      written({ time: '12:00:25', policy: 'Allow' }),
    ],
    want: [['overlap', /while beat-\d+ was at work/]],
  },
  'not overlap: under Allow, which somebody makes Forbid afterwards': {
    records: [...allThree, written({ time: '12:00:25', policy: 'Forbid' })],
    given: { finals: forbidden },
    want: [],
  },
  'not overlap: just after the change, which nobody can know of': {
    records: [
      ...allThree.slice(0, 2),
      finished('12:00:00', '12:00:04'),
      written({ time: '12:00:18', policy: 'Forbid' }),
      ...allThree.slice(2),
    ],
    given: { finals: forbidden },
    want: [],
  },
  'not overlap: under Allow': {
    records: [...allThree],
    want: [],
  },
  'unguarded: a Job of a resource without a finalizer': {
    records: [],
    given: { records: [written({ time: '12:00:00.100', finalizers: [] }), ...allThree] },
    want: [
      ['unguarded', /without a finalizer/],
      ['unguarded', /without a finalizer/],
      ['unguarded', /without a finalizer/],
    ],
  },
  'unguarded: a finalizer of somebody else is none of ours': {
    records: [],
    given: {
      records: [
        written({ time: '12:00:00.100', finalizers: ['example.com/theirs'] }),
        written({ time: '12:00:05', finalizers: ['example.com/theirs', 'myyrakle.com/second-cron-job'] }),
        ...allThree,
      ],
    },
    want: [['unguarded', /at 12:00:00.500, without a finalizer/]],
  },
})
