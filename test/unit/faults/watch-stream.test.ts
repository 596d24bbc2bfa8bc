import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventFault } from '../../faults/proxy/rules.ts'
import { WatchStream } from '../../faults/proxy/watch-stream.ts'

const lineOf = (name: string) => Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`)

/** What is handed on of events with these names, where some of them have a fault. */
function handed(names: readonly string[], faults: Readonly<Record<string, EventFault>>): readonly Buffer[] {
  const written: Buffer[] = []
  const stream = new WatchStream({
    write: (bytes) => written.push(Buffer.from(bytes)),
    end: () => written.push(Buffer.from('end')),
    cut: () => written.push(Buffer.from('cut')),
    faultOf: (event) => faults[event().name] ?? null,
  })
  for (const name of names) stream.push(lineOf(name))
  return written
}

const swap: EventFault = { do: 'swap' }

test('fault proxy, watch: of several in a row that are swapped none is lost', () => {
  assert.deepEqual(handed(['a', 'b', 'c', 'd'], { a: swap, b: swap, c: swap }), ['b', 'a', 'd', 'c'].map(lineOf))
})

test('fault proxy, watch: a doubled event is the same to the byte', () => {
  assert.deepEqual(handed(['ä€'], { 'ä€': { do: 'double' } }), [lineOf('ä€'), lineOf('ä€')])
})

test('fault proxy, watch: a truncated event is cut within its object, whatever is written in it', () => {
  const name = '€'.repeat(200)
  const [cut = Buffer.of()] = handed([name], { [name]: { do: 'truncate' } })
  assert.equal(cut.length, Math.floor(lineOf(name).length / 2) + 1)
  assert.throws(() => JSON.parse(cut.toString('utf8')) as unknown, SyntaxError)
})

test('fault proxy, watch: what is not delayed stays behind what is, however busy the process is, and so does the end', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  const names: string[] = []
  const delays: Record<string, EventFault> = { a: { do: 'delay', ms: 50 }, c: { do: 'close' } }
  const stream = new WatchStream({
    write: (bytes) => names.push(String(bytes).includes('"a"') ? 'a' : 'b'),
    end: () => names.push('end'),
    cut: () => undefined,
    faultOf: (event) => delays[event().name] ?? null,
  })
  stream.push(lineOf('a'))
  // The time of `a` has come, and nobody has had a moment to look at a timer.
  now += 50
  for (const name of ['b', 'c']) stream.push(lineOf(name))
  t.mock.timers.tick(60)
  assert.deepEqual(names, ['a', 'b', 'end'])
})
