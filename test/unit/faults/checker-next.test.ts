import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import { allThree, observed, resource, rightStatus, written } from './hand-made.ts'

const { finals, look } = observed([])
const told = (status: object) => written({ time: '12:00:21', status: { ...rightStatus, ...status } })

testEach({
  'status: the next run is none of its schedule': {
    records: [...allThree, told({ nextScheduleTime: '2026-01-01T12:00:33Z' })],
    want: [['status', /at 12:00:21.005 nextScheduleTime is .*12:00:33Z, which is none/]],
  },
  'status: the next run is over by then': {
    records: [...allThree, told({ nextScheduleTime: '2026-01-01T12:00:20Z' })],
    want: [['status', /nextScheduleTime is .*12:00:20Z, which is none/]],
  },
  'not status: the next run is one of the schedule before an edit, which nobody has seen yet': {
    records: [
      ...allThree,
      written({ time: '12:00:20.500', intervalSeconds: 7 }),
      written({
        time: '12:00:21',
        intervalSeconds: 7,
        status: { ...rightStatus, nextScheduleTime: '2026-01-01T12:00:30Z' },
      }),
    ],
    given: {
      finals: { ...finals, resources: [resource({ intervalSeconds: 7, status: rightStatus })] },
      look: { ...look, until: at('12:00:22') },
    },
    want: [],
  },
})
