import { at } from '../../support/times.ts'
import { testEach } from './checked.ts'
import { created, job, observed, resource, rightStatus, suspendedStatus, written } from './hand-made.ts'

const { look, finals } = observed([])
const first = created('12:00:00', '12:00:00.500')
const outage = { start: at('12:00:15'), end: at('12:00:32') }
/** A resource of thirty seconds, of which one slot falls into an outage of seventeen. */
const every = (change: object = {}) => ({ intervalSeconds: 30, ...change })
const begun = written({ time: '12:00:00.100', ...every() })
const given = (status: object = {}, change: object = {}) => ({
  records: [begun],
  look: { ...look, until: at('12:00:55'), outages: [outage] },
  finals: {
    ...finals,
    resources: [
      resource({
        ...every(change),
        status: { observedGeneration: 1, handledUntil: rightStatus.handledUntil, ...status },
      }),
    ],
  },
})
const last = (slot: string) => ({ handledUntil: `2026-01-01T${slot}Z`, lastScheduleTime: `2026-01-01T${slot}Z` })
const never = { ...last('12:00:00'), handledUntil: '2026-01-01T12:00:30Z', missedCount: 1 }
const of = (records: readonly object[], rest: object) => ({
  records: [],
  given: { ...rest, records: [begun, first, ...records] } as NonNullable<
    Parameters<typeof testEach>[0][string]['given']
  >,
})

testEach({
  'not lost: the newest one of an outage is run after it': {
    ...of([created('12:00:30', '12:00:31.500')], given(last('12:00:30'))),
    want: [],
  },
  'lost: the newest one of an outage is never run, however well it is counted': {
    ...of([], given(never)),
    want: [['lost', new RegExp(`${job('12:00:30')} the newest one of an outage until 12:00:32`)]],
  },
  'lost: where edits go unnoticed for long, it was there long before the first fault': {
    ...of([], { ...given(never), look: { ...given().look, from: at('12:00:05'), noticeMs: 20_000 } }),
    want: [['lost', /the newest one of an outage/]],
  },
  'late: it is run long after the outage': {
    ...of([created('12:00:30', '12:00:45')], given(last('12:00:30'))),
    want: [['late', /at 12:00:45.000, of an outage until 12:00:32/]],
  },
  'not lost: another outage came at once': {
    ...of([], {
      ...given(never),
      look: { ...look, until: at('12:00:55'), outages: [outage, { start: at('12:00:35'), end: at('12:00:36') }] },
    }),
    want: [],
  },
  'not lost: it is suspended before it need be run': {
    ...of([written({ time: '12:00:33', ...every({ suspend: true, generation: 2 }) })], {
      ...given({ ...never, ...suspendedStatus, observedGeneration: 2 }, { suspend: true, generation: 2 }),
    }),
    want: [],
  },
  'not lost: two edits of anything, which nobody saw, are taken for one of the schedule': {
    ...of(
      [
        written({ time: '12:00:18', ...every({ generation: 2 }) }),
        written({ time: '12:00:19', ...every({ generation: 3 }) }),
      ],
      given({ ...never, observedGeneration: 3 }, { generation: 3 }),
    ),
    want: [],
  },
})
