import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { ClockOffset } from '../../../src/kube/clock-offset.ts'
import { ManualClock } from '../../support/manual-clock.ts'

test('the offset is told by the middle of the second; more than a second is logged, once a minute', async () => {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  let logged = 0
  const offset = new ClockOffset(clock, pino({ level: 'warn' }, { write: () => void (logged += 1) }))
  assert.equal(offset.observe(clock.now()), 500)
  assert.equal(offset.observe(clock.now() + 1_000), 1_500)
  assert.equal(logged, 0)
  assert.equal(offset.observe(clock.now() - 3_000), -2_500)
  offset.observe(clock.now() - 3_000)
  assert.equal(logged, 1)
  await clock.advance(60_000)
  offset.observe(clock.now() + 2_000)
  assert.equal(logged, 2)
})

test('skewed: over five seconds in three answers in a row, and no longer with one that is better', () => {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const offset = new ClockOffset(clock, pino({ level: 'silent' }))
  const seen = [-7_000, 7_000, 0, 7_000, 7_000, 7_000, 1_000].map((ms) => {
    offset.observe(clock.now() + ms)
    return offset.isSkewed
  })
  assert.deepEqual(seen, [false, false, false, false, false, true, false])
})

test('stepped: the clock was right, and was set by more than five seconds; known by the first answer, until it is right again', async () => {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const offset = new ClockOffset(clock, pino({ level: 'silent' }))
  const server = { ahead: 0 }
  const seen = () => {
    offset.observe(clock.now() + server.ahead)
    return offset.isStepped
  }
  // A server that is wrong, or a clock that has been so from the start: no step.
  server.ahead = 60_000
  assert.equal(seen(), false)
  server.ahead = 0
  assert.equal(seen(), false)
  server.ahead = 60_000
  assert.equal(seen(), false)
  await clock.stepWall(3_600_000)
  server.ahead = -3_600_000
  assert.equal(seen(), true)
  await clock.stepWall(-3_600_000)
  server.ahead = 0
  assert.equal(seen(), false)
  // The machine was suspended: by the monotonic clock the wall clock was set, and right it is.
  await clock.stepWall(3_600_000)
  assert.equal(seen(), false)
})
