import assert from 'node:assert/strict'
import { test } from 'node:test'
import { review } from '../../../src/schedule/decide.ts'
import type { Review, ScheduleState } from '../../../src/schedule/state.ts'
import { everyTenSeconds, tenSeconds } from '../../support/every-ten-seconds.ts'
import { at } from '../../support/times.ts'

const running = (active: number) => ({ activity: { active, unsettled: 0, busyUntil: null } })
const forbid = { concurrencyPolicy: 'Forbid' } as const

const reviews: Record<string, { now: string; slot: string; given?: Partial<ScheduleState>; want: Review }> = {
  'nothing has changed': { now: '12:00:30.004', slot: '12:00:30', want: { kind: 'go' } },
  'suspended meanwhile': {
    now: '12:00:30.004',
    slot: '12:00:30',
    given: { paused: 'Suspended' },
    want: { kind: 'unwanted' },
  },
  'edited meanwhile, the slot is before the edit': {
    now: '12:00:31',
    slot: '12:00:30',
    given: { since: at('12:00:31') },
    want: { kind: 'unwanted' },
  },
  'edited meanwhile, on the very second of the slot': {
    now: '12:00:30.004',
    slot: '12:00:30',
    given: { since: at('12:00:30') },
    want: { kind: 'go' },
  },
  'edited meanwhile, the slot is not on the new grid': {
    now: '12:00:40.1',
    slot: '12:00:40',
    given: { grid: { ...tenSeconds, intervalMs: 7_000 } },
    want: { kind: 'unwanted' },
  },
  'the deadline has passed meanwhile': {
    now: '12:00:35.001',
    slot: '12:00:30',
    given: { startingDeadlineMs: 5_000 },
    want: { kind: 'late' },
  },
  'Allow: an older slot that waited may run': { now: '12:00:41', slot: '12:00:30', want: { kind: 'go' } },
  'Forbid, a newer slot is due: only that one may': {
    now: '12:00:40',
    slot: '12:00:30',
    given: forbid,
    want: { kind: 'superseded' },
  },
  'Forbid, and the clock was set back before the creation: nothing is newer': {
    now: '11:59:00',
    slot: '12:00:30',
    given: forbid,
    want: { kind: 'go' },
  },
  'Forbid, still the newest, and nothing runs': {
    now: '12:00:39.999',
    slot: '12:00:30',
    given: forbid,
    want: { kind: 'go' },
  },
  'Forbid, a Job has appeared meanwhile': {
    now: '12:00:31',
    slot: '12:00:30',
    given: { ...forbid, ...running(1) },
    want: { kind: 'skip', reason: 'JobAlreadyActive' },
  },
  'Forbid, a Job has begun and ended while the slot waited': {
    now: '12:00:37',
    slot: '12:00:30',
    given: { ...forbid, activity: { active: 0, unsettled: 0, busyUntil: at('12:00:33') } },
    want: { kind: 'go' },
  },
  'the limit is reached meanwhile': {
    now: '12:00:31',
    slot: '12:00:30',
    given: running(100),
    want: { kind: 'skip', reason: 'TooManyActiveJobs' },
  },
}
for (const [name, { now, slot, given, want }] of Object.entries(reviews))
  test(`review: ${name}`, () => assert.deepEqual(review(at(now), at(slot), { ...everyTenSeconds, ...given }), want))
