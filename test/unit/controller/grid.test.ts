import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridOf } from '../../../src/controller/track.ts'
import { aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { at } from '../../support/times.ts'

test('slots are counted from the creation, whatever the status says of the last run', () => {
  const status = { lastScheduleTime: '2026-01-01T12:00:07Z', handledUntil: '2026-01-01T12:00:07Z' }
  const grid = gridOf(aSecondCronJob({ status }, everySeconds(5)))
  assert.deepEqual(grid, { kind: 'interval', anchor: at('12:00:00'), intervalMs: 5_000, firstIndex: 0 })
})
