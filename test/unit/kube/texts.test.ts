import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cut } from '../../../src/api/cut.ts'
import { cutBytes } from '../../../src/kube/event-recorder.ts'
import { BrokenLine, JsonLines } from '../../../src/kube/json-lines.ts'
import { warningTexts } from '../../../src/kube/warnings.ts'

test('lines arrive whole however the bytes are cut, also in the middle of a character', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }, { noNullPrototype: true })),
      fc.array(fc.nat(200)),
      (values, cuts) => {
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
        const borders = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]
        const lines = new JsonLines()
        const seen = borders.flatMap((border, index) =>
          lines.push(bytes.subarray(border, borders[index + 1] ?? border)),
        )
        assert.deepEqual(seen, values)
      },
    ),
  )
})

test('a line that is no JSON is an error, a half line at the end is not', () => {
  assert.throws(() => new JsonLines().push(Buffer.from('{"a":\n')), BrokenLine)
  assert.deepEqual(new JsonLines().push(Buffer.from('{"a":1}\n{"a":')), [{ a: 1 }])
})

const headers: Record<string, { header: string | string[] | undefined; want: string[] }> = {
  none: { header: undefined, want: [] },
  one: { header: '299 - "unknown field \\"spec.a\\""', want: ['unknown field "spec.a"'] },
  'two, joined by a comma': { header: '299 - "one, two", 299 - "three"', want: ['one, two', 'three'] },
  'two headers': { header: ['299 - "one"', '299 - "two"'], want: ['one', 'two'] },
}
for (const [name, { header, want }] of Object.entries(headers))
  test(`warnings: ${name}`, () => assert.deepEqual(warningTexts(header), want))

test('a note is cut to its bytes, and never in the middle of a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(80), (text, limit) => {
      const piece = cutBytes(text, limit)
      assert.ok(Buffer.byteLength(piece) <= limit)
      assert.ok(text.startsWith(piece))
      assert.ok(piece === text || limit - Buffer.byteLength(piece) < 4)
    }),
  )
})

test('a sentence is cut to its characters, and never in the middle of one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(80), (text, longest) => {
      const piece = cut(text, longest)
      assert.ok(piece.length <= longest && piece.isWellFormed())
      assert.ok(text.startsWith(piece))
      assert.ok(piece === text || longest - piece.length < 2)
    }),
  )
})
