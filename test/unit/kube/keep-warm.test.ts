import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepWarm } from '../../../src/kube/keep-warm.ts'
import { ManualClock } from '../../support/manual-clock.ts'

test('connections are used again before they are given up, and never in the moment in which runs are due', async () => {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const at: number[] = []
  const warmUp = async () => void at.push(clock.now())
  const stop = new AbortController()
  const running = keepWarm({ warmUp }, clock, stop.signal)
  await clock.advance(600_000)
  stop.abort()
  await running
  const pauses = at.map((time, index) => time - (at[index - 1] ?? Date.parse('2026-01-01T12:00:00Z')))
  assert.ok(pauses.length >= 9 && Math.max(...pauses) < 75_000, pauses.join(', '))
  assert.deepEqual(new Set(at.map((time) => time % 1_000)), new Set([500]))
})
