import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Loops } from '../../../src/controller/loops.ts'
import { ManualClock } from '../../support/manual-clock.ts'

test('told to end while a scan hangs: it is not waited for', async () => {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  let isScanning = false
  const scan = () => {
    isScanning = true
    return new Promise<void>(() => {})
  }
  const loops = new Loops({ clock, schedule: () => {}, reconcile: () => {}, scan })
  const stop = new AbortController()
  let hasEnded = false
  void loops.run(stop.signal).then(() => (hasEnded = true))
  await clock.advance(10_500)
  assert.deepEqual([isScanning, hasEnded], [true, false])
  stop.abort()
  await clock.advance(0)
  assert.equal(hasEnded, true)
})

test('begun in the middle of a second: ticks are at whole seconds from then on', async () => {
  const clock = new ManualClock('2026-01-01T12:00:00.300Z')
  const ticks: number[] = []
  const schedule = (now: number) => ticks.push(now % 60_000)
  const loops = new Loops({ clock, schedule, reconcile: () => {}, scan: async () => {} })
  const stop = new AbortController()
  const over = loops.run(stop.signal)
  await clock.advance(2_000)
  stop.abort()
  await over
  assert.deepEqual(ticks, [300, 1_000, 2_000])
})

test('who stands back behind the creates of a whole second is woken half a second later, not among those of the next one', async () => {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const seen: string[] = []
  const schedule = (now: number) => seen.push(`decides ${now % 60_000}`)
  const reconcile = () => seen.push(`wakes ${clock.now() % 60_000}`)
  const loops = new Loops({ clock, schedule, reconcile, scan: async () => {} })
  const stop = new AbortController()
  const over = loops.run(stop.signal)
  await clock.advance(1_500)
  stop.abort()
  await over
  assert.deepEqual(seen, ['decides 0', 'wakes 0', 'wakes 500', 'decides 1000', 'wakes 1000', 'wakes 1500'])
})
