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
