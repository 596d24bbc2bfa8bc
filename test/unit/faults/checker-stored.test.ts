import { testEach } from './checked.ts'
import { allThree, observed, seen, resource, rightStatus, written } from './hand-made.ts'

const { finals, look } = observed([])
const at = finals.at
const until = (time: string) => ({ ...rightStatus, handledUntil: `2026-01-01T${time}Z` })
const told = [
  written({ time: '12:00:04', status: { ...until('12:00:00'), lastScheduleTime: '2026-01-01T12:00:00Z' } }),
  written({ time: '12:00:24', status: rightStatus }),
]
const resources = [resource({ status: rightStatus })]
const storedMs = 15_000

testEach({
  'status: each launch is told of in time': {
    records: [...allThree, ...told],
    given: { storedMs, finals: { ...finals, resources } },
    want: [],
  },
  'status: a launch is told of too late': {
    records: [...allThree, ...told],
    given: { storedMs: 10_000, finals: { ...finals, resources } },
    want: [['status', /does not tell of beat-\d+ within 10000 ms/]],
  },
  'not status: a create in the last moment of an API server, of which only the Job is known, is told of in time': {
    records: [...allThree.filter((_, index) => index !== 1), seen('12:00:10'), ...told],
    given: { storedMs, finals: { ...finals, resources } },
    want: [],
  },
  'status: such a create is told of too late': {
    records: [...allThree.filter((_, index) => index !== 1), seen('12:00:10'), ...told],
    given: { storedMs: 10_000, finals: { ...finals, resources } },
    want: [['status', /does not tell of beat-\d+ within 10000 ms/]],
  },
  'not status: nobody could tell of it for as long as it is late': {
    records: [...allThree, ...told],
    given: { storedMs: 10_000, look: { ...look, outages: [{ start: at - 46_000, end: at - 41_000 }] } },
    want: [],
  },
  'not status: nobody could tell of it, and right after that nobody could once more': {
    records: [...allThree, ...told],
    given: {
      storedMs: 10_000,
      look: {
        ...look,
        outages: [
          { start: at - 39_000, end: at - 37_000 },
          { start: at - 48_000, end: at - 45_000 },
        ],
      },
    },
    want: [],
  },
  'status: nobody could tell of it for a moment, and it is late by more than that': {
    records: [...allThree, ...told],
    given: { storedMs: 10_000, look: { ...look, outages: [{ start: at - 45_000, end: at - 44_000 }] } },
    want: [['status', /does not tell of beat-\d+ within 10000 ms/]],
  },
})
