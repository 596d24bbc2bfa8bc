import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonItems } from '../../../src/kube/json-items.ts'

/** The items and the rest of a text that comes in pieces of so many bytes. */
function split(
  text: string,
  pieceSizes: readonly number[] = [],
): { items: unknown[]; weights: number[]; rest: unknown } {
  const items: unknown[] = []
  const weights: number[] = []
  const splitter = new JsonItems((item, bytes) => {
    items.push(item)
    weights.push(bytes)
  })
  const bytes = Buffer.from(text)
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = pieceSizes[n % Math.max(pieceSizes.length, 1)] ?? bytes.length
    splitter.push(bytes.subarray(at, at + size))
    at += size
  }
  return { items, weights, rest: splitter.rest() }
}

const json = fc.jsonValue({ maxDepth: 4 })
const object = fc.dictionary(fc.string(), json)

test('whatever the items are, and wherever they are cut: the same as when all is parsed at once', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
  fc.assert(
    fc.property(
      fc.array(object),
      fc.dictionary(fc.string(), object),
      pieces,
      fc.boolean(),
      (items, metadata, sizes, pretty) => {
        const text = JSON.stringify({ kind: 'List', metadata, items, more: 1 }, null, pretty ? 2 : 0)
        const found = split(text, sizes)
        assert.deepEqual(found.items, JSON.parse(JSON.stringify(items)))
        assert.deepEqual(found.rest, JSON.parse(JSON.stringify({ kind: 'List', metadata, items: [], more: 1 })))
      },
    ),
  )
})

test('the weight of an item is told in bytes', () => {
  assert.deepEqual(split('{"items":[{"a":"ä"}, {}]}').weights, [10, 2])
})

for (const text of [
  '{"kind":"List","items":null}',
  '{"kind":"Status","details":{"causes":[{"a":1}]}}',
  '[[{"a":1}]]',
  '3',
  '"{"',
])
  test(`no list with items, all is rest: ${text}`, () => {
    assert.deepEqual(split(text, [1]), { items: [], weights: [], rest: JSON.parse(text) })
  })

for (const text of [
  '{"items":[1]}',
  '{"items":["a"]}',
  '{"items":[null,{}]}',
  '{"items":[[]]}',
  '{"items":[{"a":}]}',
  '{"items":[{}',
  '{"items":[{}]',
])
  test(`no list that can be believed: ${text}`, () => {
    for (const size of [1, 100]) assert.throws(() => split(text, [size]), SyntaxError)
  })
