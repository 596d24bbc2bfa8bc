import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstState, step, type WatchInput, type WatchState } from '../../../src/kube/watch-state.ts'

const watching: WatchState = { at: 'watching', version: '5', failures: 0 }
const listing: WatchState = { at: 'listing', token: null, failures: 0 }
const failed = (change: { lost?: boolean; retryAfterMs?: number } = {}): WatchInput => ({
  kind: 'failed',
  lost: change.lost ?? false,
  retryAfterMs: change.retryAfterMs ?? null,
})

const cases: Record<string, { given: WatchState; input: WatchInput; want: WatchState }> = {
  'the first page of several: the next one': {
    given: firstState,
    input: { kind: 'page', token: 'next', version: '5' },
    want: { at: 'listing', token: 'next', failures: 0 },
  },
  'the last page: watch from its version': {
    given: listing,
    input: { kind: 'page', token: null, version: '5' },
    want: watching,
  },
  'an event or a bookmark: go on from there': {
    given: watching,
    input: { kind: 'progress', version: '6' },
    want: { at: 'watching', version: '6', failures: 0 },
  },
  'its time was up: watch again at once, from the same version': {
    given: watching,
    input: { kind: 'ended' },
    want: watching,
  },
  'broken off: pause, then watch from the same version': {
    given: watching,
    input: failed(),
    want: { at: 'waiting', pauseMs: 250, next: { at: 'watching', version: '5', failures: 1 } },
  },
  'too old, or not understood: pause, then list anew': {
    given: watching,
    input: failed({ lost: true }),
    want: { at: 'waiting', pauseMs: 250, next: { at: 'listing', token: null, failures: 1 } },
  },
  'a token that grew old in the middle of a list: from the start': {
    given: { at: 'listing', token: 'next', failures: 0 },
    input: failed({ lost: true }),
    want: { at: 'waiting', pauseMs: 250, next: { at: 'listing', token: null, failures: 1 } },
  },
  'the server names a time: not before': {
    given: watching,
    input: failed({ retryAfterMs: 3_000 }),
    want: { at: 'waiting', pauseMs: 3_000, next: { at: 'watching', version: '5', failures: 1 } },
  },
  'four failures in a row: the version is not trusted any more': {
    given: { at: 'watching', version: '5', failures: 3 },
    input: failed(),
    want: { at: 'waiting', pauseMs: 2_000, next: { at: 'listing', token: null, failures: 4 } },
  },
  'for ever too old: the pauses grow, there is no storm of lists': {
    given: { at: 'watching', version: '5', failures: 20 },
    input: failed({ lost: true }),
    want: { at: 'waiting', pauseMs: 5_000, next: { at: 'listing', token: null, failures: 21 } },
  },
  'the pause is over': {
    given: { at: 'waiting', pauseMs: 1, next: watching },
    input: { kind: 'waited' },
    want: watching,
  },
  'a late page is nobody’s': { given: watching, input: { kind: 'page', token: null, version: '9' }, want: watching },
}

for (const [name, { given, input, want }] of Object.entries(cases))
  test(`watch: ${name}`, () => assert.deepEqual(step(given, input, 1), want))

test('watch: the pause is spread over its second half', () => {
  assert.deepEqual(step(watching, failed(), 0), { at: 'waiting', pauseMs: 125, next: { ...watching, failures: 1 } })
})
