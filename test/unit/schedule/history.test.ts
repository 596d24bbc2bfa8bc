import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FinishedRun, type HistoryLimits, planHistory } from '../../../src/schedule/history.ts'
import { at } from '../../support/times.ts'

const run = (id: string, time: string, change: Partial<FinishedRun> = {}): FinishedRun => ({
  id,
  result: 'Complete',
  slot: at(time),
  createdAt: at(time),
  ...change,
})
const limits: HistoryLimits = { successful: 1, failed: 1, persistedUntil: at('12:00:59') }
const now = at('12:01:00')

interface Case {
  readonly runs: readonly FinishedRun[]
  readonly given?: Partial<HistoryLimits>
  readonly want: { readonly remove: readonly string[]; readonly more: boolean }
}

const cases: Record<string, Case> = {
  'within the limit: nothing goes': { runs: [run('a', '12:00:10')], want: { remove: [], more: false } },
  'beyond the limit: the oldest go': {
    runs: [run('old', '12:00:10'), run('new', '12:00:30'), run('mid', '12:00:20')],
    want: { remove: ['old', 'mid'], more: false },
  },
  'limit 0: all go': { runs: [run('a', '12:00:10')], given: { successful: 0 }, want: { remove: ['a'], more: false } },
  'failed runs have their own limit': {
    runs: [run('good', '12:00:10'), run('bad', '12:00:20', { result: 'Failed' })],
    given: { failed: 0 },
    want: { remove: ['bad'], more: false },
  },
  'a slot that the status does not have yet: its Job is the lock and stays': {
    runs: [run('a', '12:00:30')],
    given: { successful: 0, persistedUntil: at('12:00:29') },
    want: { remove: [], more: true },
  },
  'no status at all: everything stays': {
    runs: [run('a', '12:00:30')],
    given: { successful: 0, persistedUntil: null },
    want: { remove: [], more: true },
  },
  'younger than ten seconds: stays for now': {
    runs: [run('a', '12:00:49.500')],
    given: { successful: 0 },
    want: { remove: [], more: true },
  },
  'exactly eleven seconds old, its slot the newest that the status has: goes': {
    runs: [run('a', '12:00:59', { createdAt: at('12:00:49') })],
    given: { successful: 0 },
    want: { remove: ['a'], more: false },
  },
  'oldest is the one whose slot is, whenever it was created': {
    runs: [run('older', '12:00:10', { createdAt: at('12:00:31') }), run('newer', '12:00:20')],
    want: { remove: ['older'], more: false },
  },
  'a run that stands for no slot locks none, so it goes without a status too': {
    runs: [run('m', '12:00:10', { slot: null })],
    given: { successful: 0, persistedUntil: null },
    want: { remove: ['m'], more: false },
  },
  'a run that stands for no slot goes by its age': {
    runs: [run('m', '12:00:10', { slot: null }), run('a', '12:00:20')],
    want: { remove: ['m'], more: false },
  },
}

for (const [name, { runs, given, want }] of Object.entries(cases))
  test(`history: ${name}`, () => assert.deepEqual(planHistory(now, runs, { ...limits, ...given }), want))
