import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '../../../src/schedule/decide.ts'
import type { Action, ScheduleState, SkipReason } from '../../../src/schedule/state.ts'
import { everyTenSeconds, tenSeconds } from '../../support/every-ten-seconds.ts'
import { at } from '../../support/times.ts'

const afterInterval = { ...tenSeconds, firstIndex: 1 } as const
const fresh = { handledUntil: null, first: true } as const

const launch = (time: string, missed = 0): Action => ({ kind: 'launch', slot: at(time), missed })
const miss = (time: string, missed = 0): Action => ({
  kind: 'miss',
  slot: at(time),
  missed,
  reason: 'DeadlineExceeded',
})

const skip = (time: string, reason: SkipReason, missed = 0): Action => ({
  kind: 'skip',
  slot: at(time),
  missed,
  reason,
})
const running = (active: number, unsettled = 0) => ({ activity: { active, unsettled, busyUntil: null } })
const ended = (time: string) => ({ activity: { active: 0, unsettled: 0, busyUntil: at(time) } })
const forbid = { concurrencyPolicy: 'Forbid' } as const
const replace = { concurrencyPolicy: 'Replace' } as const

interface Case {
  readonly now: string
  readonly given?: Partial<ScheduleState>
  readonly want: Action | null
}

const cases: Record<string, Case> = {
  'never ran: its creation is the first slot': { now: '12:00:00', given: fresh, want: launch('12:00:00') },
  'AfterInterval: its creation is no slot': {
    now: '12:00:09.999',
    given: { ...fresh, grid: afterInterval },
    want: null,
  },
  'AfterInterval: the first interval is': {
    now: '12:00:10',
    given: { ...fresh, grid: afterInterval },
    want: launch('12:00:10'),
  },
  'seen long after its creation: the newest slot, nothing counted': {
    now: '12:05:03',
    given: fresh,
    want: launch('12:05:00'),
  },
  'a millisecond early: nothing': { now: '12:00:29.999', want: null },
  'to the millisecond: the slot': { now: '12:00:30', want: launch('12:00:30') },
  'late within the interval: the slot, not now': { now: '12:00:37', want: launch('12:00:30') },
  'decided already: nothing': { now: '12:00:37', given: { handledUntil: at('12:00:30') }, want: null },
  'three slots due: only the newest, two counted': { now: '12:00:55', want: launch('12:00:50', 2) },
  'a day of one-second slots costs one decision': {
    now: '23:00:00',
    given: { grid: { ...tenSeconds, intervalMs: 1_000 }, handledUntil: at('11:00:00') },
    want: launch('23:00:00', 11 * 3_600),
  },
  'clock set back before the creation: nothing': { now: '11:59:00', given: fresh, want: null },
  'clock set back by an hour: nothing until what was handled has passed again': { now: '11:00:30', want: null },
  'interval made longer: the new grid, not the old': {
    now: '12:00:45',
    given: { grid: { ...tenSeconds, intervalMs: 30_000 } },
    want: launch('12:00:30'),
  },
  'edited after the slot: never back-run': { now: '12:00:37', given: { since: at('12:00:36') }, want: null },
  'edited on the very second of a slot: that slot runs': {
    now: '12:00:30',
    given: { since: at('12:00:30') },
    want: launch('12:00:30'),
  },
  'resumed an hour ago, nobody looked since: slots of the pause are not counted': {
    now: '13:00:25',
    given: { since: at('13:00:00') },
    want: launch('13:00:20', 2),
  },
  'suspended since before the first run, then resumed and down: what passed is counted': {
    now: '12:01:05',
    given: { handledUntil: null, first: false, since: at('12:00:30') },
    want: launch('12:01:00', 3),
  },
  'within the deadline: launched': { now: '12:00:35', given: { startingDeadlineMs: 5_000 }, want: launch('12:00:30') },
  'past the deadline: missed, with those before it': {
    now: '12:00:45.001',
    given: { startingDeadlineMs: 5_000 },
    want: miss('12:00:40', 1),
  },
  'Allow: started beside those that run': { now: '12:00:30', given: running(99), want: launch('12:00:30') },
  'Allow, at the limit: skipped': {
    now: '12:00:30',
    given: running(100),
    want: skip('12:00:30', 'TooManyActiveJobs'),
  },
  'Allow: a create without an answer counts as a Job': {
    now: '12:00:30',
    given: { activeJobsLimit: 3, ...running(1, 2) },
    want: skip('12:00:30', 'TooManyActiveJobs'),
  },
  'Forbid, nothing runs: launched': { now: '12:00:30', given: forbid, want: launch('12:00:30') },
  'Forbid, one runs: skipped, and what passed before is missed': {
    now: '12:00:55',
    given: { ...forbid, ...running(1) },
    want: skip('12:00:50', 'JobAlreadyActive', 2),
  },
  'Forbid, a create without an answer: nothing is decided yet': {
    now: '12:00:30',
    given: { ...forbid, ...running(0, 1) },
    want: null,
  },
  'Forbid, seen late, and a Job ran when it was due: skipped then, so not run now': {
    now: '12:00:37',
    given: { ...forbid, ...ended('12:00:33') },
    want: skip('12:00:30', 'JobAlreadyActive'),
  },
  'Forbid, seen late, and the last Job had ended before it was due: launched': {
    now: '12:00:37',
    given: { ...forbid, ...ended('12:00:29') },
    want: launch('12:00:30'),
  },
  'Forbid, seen in time: by what is active alone, since the end is told by another clock': {
    now: '12:00:30.100',
    given: { ...forbid, ...ended('12:00:31') },
    want: launch('12:00:30'),
  },
  'Forbid, seen late, and no Job is known of: launched': { now: '12:00:37', given: forbid, want: launch('12:00:30') },
  'Forbid, seen late, and the last Job ended on the very second: launched': {
    now: '12:00:37',
    given: { ...forbid, ...ended('12:00:30') },
    want: launch('12:00:30'),
  },
  'Forbid, two seconds are in time still': {
    now: '12:00:32',
    given: { ...forbid, ...ended('12:00:33') },
    want: launch('12:00:30'),
  },
  'Allow and Replace do not ask what ran': {
    now: '12:00:37',
    given: { ...replace, ...ended('12:00:33') },
    want: launch('12:00:30'),
  },
  'Forbid, past the deadline: missed, whatever runs': {
    now: '12:00:37',
    given: { ...forbid, startingDeadlineMs: 5_000, ...running(1) },
    want: miss('12:00:30'),
  },
  'Replace, one runs: launched, the limit does not count': {
    now: '12:00:30',
    given: { ...replace, activeJobsLimit: 1, ...running(1) },
    want: launch('12:00:30'),
  },
  'Replace, a create without an answer: nothing is decided yet': {
    now: '12:00:30',
    given: { ...replace, ...running(0, 1) },
    want: null,
  },
  'suspended: nothing': { now: '12:00:30', given: { paused: 'Suspended' }, want: null },
  'being deleted: nothing': { now: '12:00:30', given: { paused: 'Deleting' }, want: null },
}

for (const [name, { now, given, want }] of Object.entries(cases))
  test(`decide: ${name}`, () => assert.deepEqual(decide(at(now), { ...everyTenSeconds, ...given }), want))
