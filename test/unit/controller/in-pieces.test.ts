import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPieces } from '../../../src/controller/in-pieces.ts'
import { ManualClock } from '../../support/manual-clock.ts'

/** A clock that goes on by so much with each item that is done. */
function aBusyClock() {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  let worked = 0
  const busy = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + worked,
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
    sleepUntil: (deadline: number, signal?: AbortSignal) => clock.sleepUntil(deadline, signal),
  }
  return { clock, busy, work: (ms: number) => (worked += ms) }
}

test('the first piece at once, then a turn for others after every five milliseconds', async () => {
  const { clock, busy, work } = aBusyClock()
  const done: number[] = []
  const each = (item: number) => {
    done.push(item)
    work(2)
  }
  const all = inPieces(busy, [1, 2, 3, 4, 5, 6, 7], each, new AbortController().signal)
  assert.deepEqual(done, [1, 2, 3])
  await clock.advance(0)
  assert.deepEqual(done, [1, 2, 3])
  await clock.advance(1)
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6])
  await clock.advance(1)
  await all
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6, 7])
})

test('it ends between two items when it is no longer wanted', async () => {
  const { busy, work } = aBusyClock()
  const stop = new AbortController()
  const done: number[] = []
  const each = (item: number) => {
    done.push(item)
    work(5)
  }
  const all = inPieces(busy, [1, 2, 3], each, stop.signal)
  stop.abort()
  await all
  assert.deepEqual(done, [1])
})
