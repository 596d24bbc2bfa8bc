import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { Pool } from 'undici'
import { FaultProxy } from '../faults/proxy/fault-proxy.ts'
import type { EventFault, EventMatch } from '../faults/proxy/rules.ts'
import { OpenStream, ScriptedApiServer } from '../support/scripted-api-server.ts'

const path = '/apis/batch/v1/jobs?watch=true'

let server: ScriptedApiServer
let proxy: FaultProxy
let pool: Pool
let upstream: OpenStream
beforeEach(async () => {
  server = await ScriptedApiServer.start()
  proxy = await FaultProxy.start({ upstream: { url: server.url.href } })
  pool = new Pool(proxy.url)
  upstream = new OpenStream()
})
afterEach(async () => {
  await pool.destroy()
  await proxy[Symbol.asyncDispose]()
  await server.end()
})

interface Line {
  readonly type: string
  readonly object: { readonly metadata?: { readonly name: string }; readonly code?: number }
}

/** What arrived of a watch, in its order: `ADDED a`, `410`, `broken`; `end` and `cut` for how it ended. */
class Arrived {
  readonly seen: string[] = []
  #wake: () => void = () => undefined

  static async open(): Promise<Arrived> {
    const arrived = new Arrived()
    server.expect(upstream.answer)
    const { body } = await pool.request({ method: 'GET', path })
    void arrived.#read(body)
    return arrived
  }

  /** Resolves when so much has arrived. */
  async count(count: number): Promise<readonly string[]> {
    while (this.seen.length < count) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.seen
  }

  async #read(body: AsyncIterable<Buffer>): Promise<void> {
    let rest = ''
    try {
      for await (const chunk of body) {
        const lines = (rest + chunk.toString('utf8')).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.#note(told(line))
      }
      this.#note('end')
    } catch {
      this.#note('cut')
    }
  }

  #note(what: string): void {
    this.seen.push(what)
    this.#wake()
  }
}

function told(line: string): string {
  try {
    const { type, object } = JSON.parse(line) as Line
    return object.code === undefined ? `${type} ${object.metadata?.name}` : String(object.code)
  } catch {
    return 'broken'
  }
}

const say = (...names: string[]) => {
  for (const name of names) upstream.event('ADDED', { metadata: { name } })
}
const rule = (fault: EventFault, event: EventMatch = { name: 'b' }) =>
  proxy.addForEvents({ id: fault.do, match: { resource: 'jobs' }, event, fault, to: 1 })

const cases: Record<string, { fault: EventFault; want: readonly string[] }> = {
  'drop: it never comes': { fault: { do: 'drop' }, want: ['ADDED a', 'ADDED c'] },
  'double: it comes twice': { fault: { do: 'double' }, want: ['ADDED a', 'ADDED b', 'ADDED b', 'ADDED c'] },
  'swap: it comes after the next one': { fault: { do: 'swap' }, want: ['ADDED a', 'ADDED c', 'ADDED b'] },
  'delay: it comes later, and what follows it as well': {
    fault: { do: 'delay', ms: 40 },
    want: ['ADDED a', 'ADDED b', 'ADDED c'],
  },
  'truncate: half of its line comes': { fault: { do: 'truncate' }, want: ['ADDED a', 'broken', 'ADDED c'] },
  'gone: an ERROR event of 410 and the end': { fault: { do: 'gone' }, want: ['ADDED a', '410', 'end'] },
  'close: the end in its place': { fault: { do: 'close' }, want: ['ADDED a', 'end'] },
}

for (const [name, { fault, want }] of Object.entries(cases))
  test(`fault proxy, an event of a watch: ${name}`, async () => {
    const arrived = await Arrived.open()
    rule(fault)
    say('a', 'b', 'c')
    assert.deepEqual(await arrived.count(want.length), want)
    assert.deepEqual(
      proxy.log.map(({ rule: id, done, event, verb }) => [id, done, event, verb]),
      [[fault.do, fault.do, 'ADDED b', 'watch']],
    )
  })

test('fault proxy, a watch: a delay is one, and changes no order', async () => {
  const arrived = await Arrived.open()
  rule({ do: 'delay', ms: 60 })
  say('b', 'c')
  const startedAt = performance.now()
  assert.deepEqual(await arrived.count(2), ['ADDED b', 'ADDED c'])
  assert.ok(performance.now() - startedAt >= 59)
})

test('fault proxy, an event of a watch: swapped with the end, it still comes', async () => {
  const arrived = await Arrived.open()
  rule({ do: 'swap' })
  say('a', 'b')
  upstream.end()
  assert.deepEqual(await arrived.count(3), ['ADDED a', 'ADDED b', 'end'])
})

test('fault proxy, a watch: silenced, it says nothing any more, not even that it has ended; the next one is well', async () => {
  const silent = await Arrived.open()
  say('a')
  await silent.count(1)
  assert.equal(proxy.silence({ resource: 'jobs' }), 1)
  assert.equal(proxy.silence({ resource: 'pods' }), 0)
  say('b')
  upstream.end()
  upstream = new OpenStream()
  const next = await Arrived.open()
  say('c')
  assert.deepEqual(await next.count(1), ['ADDED c'])
  assert.deepEqual(silent.seen, ['ADDED a'])
})

test('fault proxy, an event of a watch: silence from it on', async () => {
  const silent = await Arrived.open()
  rule({ do: 'silence' })
  say('a', 'b', 'c')
  upstream.end()
  upstream = new OpenStream()
  const next = await Arrived.open()
  say('d')
  await next.count(1)
  assert.deepEqual(silent.seen, ['ADDED a'])
})

test('fault proxy, a watch: a connection that breaks, breaks for the client', async () => {
  const arrived = await Arrived.open()
  say('a')
  await arrived.count(1)
  upstream.cut()
  assert.deepEqual(await arrived.count(2), ['ADDED a', 'cut'])
})

test('fault proxy, a watch: it ends upstream when its client goes', async () => {
  const arrived = await Arrived.open()
  say('a')
  await arrived.count(1)
  await pool.destroy()
  while (upstream.isOpen) await new Promise((resolve) => setImmediate(resolve))
})

test('fault proxy, a watch: a line in many chunks, with a character that is cut in two', async () => {
  const arrived = await Arrived.open()
  rule({ do: 'drop' }, { type: 'MODIFIED' })
  const bytes = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'ä€' } } })}\n`)
  for (const byte of bytes) {
    upstream.write(Buffer.from([byte]))
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual(await arrived.count(1), ['ADDED ä€'])
})
