import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duration } from '../../../../sandbox/server/tables.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** As kubectl writes ages. */
const ages: readonly (readonly [ms: number, text: string])[] = [
  [-2 * second, '<invalid>'],
  [-1 * second, '0s'],
  [119 * second, '119s'],
  [120 * second, '2m'],
  [9 * minute + 59 * second, '9m59s'],
  [10 * minute + 59 * second, '10m'],
  [179 * minute, '179m'],
  [180 * minute, '3h'],
  [7 * hour + 59 * minute, '7h59m'],
  [8 * hour + 59 * minute, '8h'],
  [47 * hour, '47h'],
  [48 * hour, '2d'],
  [7 * day + 23 * hour, '7d23h'],
  [8 * day + 23 * hour, '8d'],
  [729 * day, '729d'],
  [730 * day, '2y'],
  [735 * day, '2y5d'],
  [8 * 365 * day + 5 * day, '8y'],
]
for (const [ms, text] of ages) test(`an age of ${ms / second} s is ${text}`, () => assert.equal(duration(ms), text))
