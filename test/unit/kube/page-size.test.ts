import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageSize } from '../../../src/kube/page-size.ts'

const kilobyte = 1_000

/** What is asked for, page after page, when the items weigh so much each. */
function sizes(size: PageSize, ...weights: number[]): number[] {
  return weights.map((weight) => {
    const asked = size.next
    size.read(asked, asked * weight)
    return asked
  })
}

test('begins small, doubles while the pages are light, and ends at 500', () => {
  assert.deepEqual(sizes(new PageSize(), ...Array(7).fill(kilobyte)), [20, 40, 80, 160, 320, 500, 500])
})

test('items of 1.5 MB: few at a time, and many again when they are light', () => {
  const heavy = 1_500 * kilobyte
  assert.deepEqual(sizes(new PageSize(), heavy, heavy, kilobyte, kilobyte), [20, 5, 5, 10])
})

test('a page that did not come may have been too heavy: it begins small again', () => {
  const size = new PageSize()
  sizes(size, ...Array(7).fill(kilobyte))
  size.failed()
  assert.equal(size.next, 20)
})

test('an empty page says nothing, and one item is always asked for', () => {
  const size = new PageSize()
  size.read(0, 0)
  assert.equal(size.next, 20)
  size.read(1, 1e9)
  assert.equal(size.next, 1)
})
