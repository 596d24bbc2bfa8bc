import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import pino from 'pino'
import type { Credentials } from '../../src/kube/credentials.ts'
import { Transport } from '../../src/kube/transport.ts'
import { plainCredentials } from '../support/a-transport.ts'
import { certificate } from '../support/certificate.ts'
import { garbage } from '../support/garbage-credentials.ts'
import { ManualClock, settle } from '../support/manual-clock.ts'
import { type Answer, failure, json, OpenStream, ScriptedApiServer } from '../support/scripted-api-server.ts'

const get = { method: 'GET', path: '/version', lane: 'launch' } as const
const unauthorized = failure(401, 'Unauthorized')
const fine = json(200, { fine: true })
const byToken: Answer = (request, response) =>
  (request.headers.authorization === 'Bearer two' ? fine : unauthorized)(request, response)

let server: ScriptedApiServer
let transport: Transport
let clock: ManualClock
let stop: AbortController
/** What the next readings find; a test changes it. */
let source: () => Promise<Partial<Credentials>>
let readings: boolean[]

beforeEach(async () => {
  server = await ScriptedApiServer.start()
  clock = new ManualClock('2026-01-01T12:00:00Z')
  stop = new AbortController()
  source = async () => ({})
  readings = []
  transport = await Transport.open({
    source: {
      server: server.url,
      read: async (force) => {
        readings.push(force)
        return { ...plainCredentials, ...(await source()) }
      },
    },
    clock,
    log: pino({ level: 'silent' }),
    connections: 4,
    userAgent: 'test/1',
  })
})
afterEach(async () => {
  stop.abort()
  await transport.close()
  await server.end()
})

const tokens = () => server.received.map(({ headers }) => headers.authorization)

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) assert.fail(`nothing was to come, but ${chunk.toString('utf8')}`)
}
const never = () => new Promise<never>(() => undefined)

test('a token is read again every 30 seconds, and one that can’t be read is kept', async () => {
  const running = transport.keepFresh(stop.signal)
  source = async () => ({ authorization: 'Bearer two' })
  server.expect(fine, fine, fine)
  await clock.advance(29_999)
  await transport.request(get)
  await clock.advance(1)
  await transport.request(get)
  source = () => Promise.reject(new Error('no such file'))
  await clock.advance(30_000)
  await transport.request(get)
  assert.deepEqual(tokens(), ['Bearer one', 'Bearer two', 'Bearer two'])
  stop.abort()
  await running
})

test('a new CA: new connections, and what is on its way ends on the old one', async () => {
  void transport.keepFresh(stop.signal)
  const held: (() => void)[] = []
  const hold: Answer = (request, response) => void held.push(() => fine(request, response))
  server.expect(hold, hold, hold, hold, fine)
  const early = Promise.all([1, 2, 3, 4].map(() => transport.request(get)))
  await server.after(4)
  source = async () => ({ ca: certificate })
  await clock.advance(30_000)
  // All the old connections are taken.
  await transport.request(get)
  for (const answer of held) answer()
  await early
})

test('many requests refused at once: the credentials are read once, and every request is sent again', async () => {
  source = async () => ({ authorization: 'Bearer two' })
  server.expect(...Array.from({ length: 8 }, () => byToken))
  const answers = await Promise.all([1, 2, 3, 4].map(() => transport.request(get)))
  assert.deepEqual(
    answers.map(({ body }) => body),
    Array.from({ length: 4 }, () => ({ fine: true })),
  )
  assert.deepEqual(readings, [false, true])
})

test('a client certificate that is refused and has been renewed: sent again with the new one', async () => {
  source = async () => ({ cert: certificate })
  server.expect(unauthorized, fine)
  await transport.request(get)
})

test('refused for good: no reading for each request, but at most one a second', async () => {
  server.expect(unauthorized, unauthorized, unauthorized)
  await assert.rejects(transport.request(get), { kind: 'Unauthorized' })
  await assert.rejects(transport.request(get), { kind: 'Unauthorized' })
  assert.deepEqual(readings, [false, true])
  await clock.advance(1_000)
  await assert.rejects(transport.request(get), { kind: 'Unauthorized' })
  assert.deepEqual(readings, [false, true, true])
})

test('a reading that hangs holds up neither a request longer than its time, nor the stop', async () => {
  source = never
  server.expect(unauthorized)
  await assert.rejects(transport.request({ ...get, timeoutMs: 50 }), { kind: 'Unauthorized' })
  const running = transport.keepFresh(stop.signal)
  await clock.advance(30_000)
  stop.abort()
  await running
})

/**
 * Such a token went into every request, which our own client then refused: no 401 ever came that would have had the file
 * read again.
 */
for (const [name, found] of Object.entries(garbage))
  test(`${name}: the last credentials are kept; mended, the next refusal has it read`, async () => {
    const running = transport.keepFresh(stop.signal)
    source = async () => found
    await clock.advance(30_000)
    server.expect(fine)
    await transport.request(get)
    // What was kept has ended, too.
    await clock.advance(2_000)
    server.expect(byToken)
    await assert.rejects(transport.request(get), { kind: 'Unauthorized' })
    await clock.advance(1_000)
    source = async () => ({ authorization: 'Bearer two' })
    server.expect(byToken, byToken)
    await transport.request(get)
    assert.deepEqual(tokens().slice(-2), ['Bearer one', 'Bearer two'])
    stop.abort()
    await running
  })

test('a watch that is refused has the credentials read again', async () => {
  source = async () => ({ authorization: 'Bearer two' })
  const watch = new OpenStream()
  server.expect(unauthorized, watch.answer)
  await assert.rejects(drain(transport.stream('/things', stop.signal, assert.fail)), { kind: 'Unauthorized' })
  const opened = Promise.withResolvers<void>()
  const reading = drain(transport.stream('/things', stop.signal, opened.resolve))
  await opened.promise
  watch.end()
  await reading
  assert.deepEqual(tokens(), ['Bearer one', 'Bearer two'])
})

test('in somebody’s name: said with every request', async () => {
  void transport.keepFresh(stop.signal)
  source = async () => ({ impersonate: 'somebody' })
  await clock.advance(30_000)
  server.expect(fine)
  await transport.request(get)
  assert.equal(server.received[0]?.headers['impersonate-user'], 'somebody')
})

test('warmed up: every connection of the launch lane is open, and the launches use them', async () => {
  const held: (() => void)[] = []
  const hold: Answer = (request, response) => void held.push(() => fine(request, response))
  server.expect(...Array.from({ length: 8 }, () => hold))
  const warm = transport.warmUp()
  while (held.length < 4) await settle()
  for (const answer of held.splice(0)) answer()
  await warm
  const launches = Promise.all([1, 2, 3, 4].map(() => transport.request(get)))
  while (held.length < 4) await settle()
  for (const answer of held.splice(0)) answer()
  await launches
  assert.equal(new Set(server.received.map(({ port }) => port)).size, 4)
})
