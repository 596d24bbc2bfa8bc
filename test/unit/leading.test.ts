import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { parseCommand } from '../../src/command-line.ts'
import { Stores } from '../../src/controller/stores.ts'
import type { ApiRequest, Transport } from '../../src/kube/transport.ts'
import { Term } from '../../src/leader/term.ts'
import { Leading } from '../../src/leading.ts'
import { anApiError, aSecondCronJob } from '../support/builders.ts'
import { times } from '../support/candidates.ts'
import { FakeTally } from '../support/fake-controls.ts'
import { ManualClock, settle } from '../support/manual-clock.ts'

/** Leading, with an API server that answers nothing, and a question to it before the first decision. */
function aLeading() {
  const clock = new ManualClock('2026-01-01T12:00:05Z')
  const asked: string[] = []
  const requests: ApiRequest[] = []
  const answers = {
    how: async (_request: ApiRequest): Promise<never> => Promise.reject(anApiError({ kind: 'Unanswered' })),
  }
  const transport = {
    request: async (request: ApiRequest) => {
      asked.push(`${request.method} ${request.path.split('?')[0]}`)
      requests.push(request)
      return answers.how(request)
    },
  } as unknown as Transport
  const stores = new Stores()
  stores.objects.put(aSecondCronJob())
  const state: { catchUp: () => Promise<void>; isClockStepped: boolean } = {
    catchUp: async () => {},
    isClockStepped: false,
  }
  const command = parseCommand([], {})
  assert.ok(command.kind === 'run')
  const leading = new Leading({
    config: command.config,
    transport,
    clock,
    log: pino({ level: 'silent' }),
    stores,
    tally: new FakeTally(),
    catchUp: () => state.catchUp(),
    isClockStepped: () => state.isClockStepped,
  })
  const term = () => new Term(clock, times, { sentAt: clock.monotonic(), sentAtWall: clock.now(), transitions: 0 })
  const stop = new AbortController()
  return { clock, asked, requests, answers, stores, state, leading, term, stop }
}

test('nothing is decided before the stores have caught up; a failure to is tried again', async () => {
  const { leading, term, stop, state, clock, asked } = aLeading()
  let failures = 3
  state.catchUp = async () => {
    failures -= 1
    if (failures >= 0) throw anApiError({ kind: 'Unanswered' })
  }
  leading.begin(term(), stop.signal)
  await settle()
  assert.deepEqual([leading.controller, asked], [null, []])
  await clock.advance(500)
  assert.equal(leading.controller, null)
  await clock.advance(250)
  assert.notEqual(leading.controller, null)
  assert.ok(asked.some((line) => line.startsWith('POST ')))
  stop.abort()
  await clock.advance(5_000)
  await leading.ended()
})

test('a term that is over before its stores have caught up never decides', async () => {
  const { leading, term, stop, state, clock, asked } = aLeading()
  const caughtUp = Promise.withResolvers<void>()
  state.catchUp = () => caughtUp.promise
  const short = term()
  leading.begin(short, stop.signal)
  await settle()
  short.end('taken', true)
  caughtUp.resolve()
  await clock.advance(2_000)
  await leading.ended()
  assert.deepEqual([leading.controller, asked], [null, []])
})

test('the next term begins with a controller of its own, when the one before has stopped', async () => {
  const { leading, term, stop, clock } = aLeading()
  const first = term()
  leading.begin(first, stop.signal)
  await clock.advance(100)
  const before = leading.controller
  assert.notEqual(before, null)
  first.end('not renewed', true)
  leading.begin(term(), stop.signal)
  await clock.advance(5_000)
  assert.notEqual(leading.controller, null)
  assert.notEqual(leading.controller, before)
  stop.abort()
  await clock.advance(5_000)
  await leading.ended()
  assert.equal(leading.controller, null)
})

test('a create of the term before is still on its way: the next term waits until that is answered or aborted, and for no event beyond that', async () => {
  const { leading, term, stop, clock, answers, requests } = aLeading()
  answers.how = ({ signal }) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(anApiError({ kind: 'Unanswered' }))),
    )
  const first = term()
  leading.begin(first, stop.signal)
  await clock.advance(100)
  assert.ok(requests.some(({ method }) => method === 'POST'))
  first.end('not renewed', false)
  leading.begin(term(), stop.signal)
  await clock.advance(900)
  assert.equal(leading.controller, null)
  await clock.advance(800)
  assert.notEqual(leading.controller, null)
  stop.abort()
  await clock.advance(5_000)
  await leading.ended()
})

test('whatever it writes is asked, when it is written, whether the term holds and the clock is sane', async () => {
  const { leading, term, stop, clock, requests, state } = aLeading()
  leading.begin(term(), stop.signal)
  await clock.advance(100)
  const writes = requests.filter(({ method }) => method !== 'GET')
  assert.ok(writes.length > 0)
  const wanted = () => writes.map(({ isWanted }) => isWanted?.())
  assert.deepEqual(new Set(wanted()), new Set([true]))
  state.isClockStepped = true
  assert.deepEqual(new Set(wanted()), new Set([false]))
  state.isClockStepped = false
  // Nobody has ended the term: it is only too old.
  await clock.advance(times.renewDeadlineMs)
  assert.deepEqual(new Set(wanted()), new Set([false]))
  stop.abort()
  await clock.advance(5_000)
  await leading.ended()
})

test('told to end while the API server does not answer the list at takeover: nothing is waited for', async () => {
  const { leading, term, stop, state, clock } = aLeading()
  state.catchUp = () => new Promise(() => {})
  leading.begin(term(), stop.signal)
  await clock.advance(100)
  stop.abort()
  let isOver = false
  void leading.ended().then(() => (isOver = true))
  await clock.advance(100)
  assert.equal(isOver, true)
})

test('the list at takeover hangs on a connection that is dead: another one is asked for soon', async () => {
  const { leading, term, stop, state, clock } = aLeading()
  let asked = 0
  state.catchUp = () => {
    asked += 1
    return asked === 1 ? new Promise(() => {}) : Promise.resolve()
  }
  leading.begin(term(), stop.signal)
  await clock.advance(2_100)
  assert.notEqual(leading.controller, null)
  stop.abort()
  await clock.advance(5_000)
  await leading.ended()
})
