import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import pino from 'pino'
import { ApiError } from '../../src/api/api-error.ts'
import { systemClock } from '../../src/clock.ts'
import { Transport } from '../../src/kube/transport.ts'
import { waitFor } from '../support/admin.ts'
import { aTransport, plainCredentials } from '../support/a-transport.ts'
import { settle } from '../support/manual-clock.ts'
import { type Answer, failure, json, ScriptedApiServer } from '../support/scripted-api-server.ts'

const get = { method: 'GET', path: '/version', lane: 'launch' } as const

async function withServer(use: (server: ScriptedApiServer) => Promise<void>): Promise<void> {
  const server = await ScriptedApiServer.start()
  await use(server)
  await server.end()
}

test('a token that is refused is read again, and the request is sent once more', () =>
  withServer(async (server) => {
    const transport = await aTransport(server, { clock: systemClock, tokens: ['old', 'new'] })
    server.expect(failure(401, 'Unauthorized'), json(200, { fine: true }))
    assert.deepEqual((await transport.request(get)).body, { fine: true })
    assert.deepEqual(
      server.received.map(({ headers }) => headers.authorization),
      ['Bearer old', 'Bearer new'],
    )
    await transport.close()
  }))

test('a token that is refused and still the same: the answer stands, without a loop', () =>
  withServer(async (server) => {
    const transport = await aTransport(server, { clock: systemClock })
    server.expect(failure(401, 'Unauthorized'))
    await assert.rejects(transport.request(get), { kind: 'Unauthorized' })
    await transport.close()
  }))

test('never more requests at once than the lane has connections, and they are kept for the next ones', () =>
  withServer(async (server) => {
    const transport = await aTransport(server, { clock: systemClock, connections: 3 })
    const held: (() => void)[] = []
    const hold: Answer = (request, response) => void held.push(() => json(200, {})(request, response))
    server.expect(...Array.from({ length: 8 }, () => hold))
    const all = Promise.all(Array.from({ length: 8 }, () => transport.request(get)))
    const most: number[] = []
    while (most.length < 8) {
      while (held.length === 0) await settle()
      await settle()
      most.push(held.length)
      held.shift()?.()
    }
    await all
    assert.ok(Math.max(...most) <= 3, `${Math.max(...most)} at once`)
    assert.ok(new Set(server.received.map(({ port }) => port)).size <= 3, 'connections are made anew')
    await transport.close()
  }))

test('all connections of the launch lane are held: so many more are opened, and none of them in an ordinary burst', () =>
  withServer(async (server) => {
    const transport = await aTransport(server, { clock: systemClock, connections: 3, overflowConnections: 2 })
    const create = { ...get, lane: 'launch' } as const
    const burst = async () => {
      for (let n = 0; n < 40; n += 1) await transport.request(create)
    }
    server.expect(...Array.from({ length: 120 }, () => json(200, {})))
    await Promise.all([burst(), burst(), burst()])
    assert.equal(new Set(server.received.map(({ port }) => port)).size, 3)
    const held: (() => void)[] = []
    const hold: Answer = (request, response) => void held.push(() => json(200, {})(request, response))
    server.expect(...Array.from({ length: 5 }, () => hold))
    const all = Promise.all(Array.from({ length: 5 }, () => transport.request(create)))
    await waitFor('five at once', 5_000, async () => held.length === 5)
    assert.equal(new Set(server.received.map(({ port }) => port)).size, 5)
    for (const answer of held) answer()
    await all
    await transport.close()
  }))

/** A server in a thread of its own, which answers with the time at which the request arrived. */
const threadedServer = `
  const { createServer } = require('node:http')
  const { parentPort } = require('node:worker_threads')
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ arrived: Date.now() }))
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('whether it is wanted is asked in the turn in which it is written', async () => {
  const worker = new Worker(threadedServer, { eval: true })
  const [port] = (await once(worker, 'message')) as [number]
  const source = { server: new URL(`http://127.0.0.1:${port}`), read: async () => plainCredentials }
  const log = pino({ level: 'silent' })
  const transport = await Transport.open({ source, clock: systemClock, connections: 1, log, userAgent: 'test/1' })
  await transport.request(get)
  const blockedMs = 300
  let askedAt = Number.NaN
  const isWanted = () => {
    askedAt = Date.now()
    // Comes right after this turn: nothing else can be written before it is over.
    process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs))
    return true
  }
  const { arrived } = (await transport.request({ ...get, isWanted })).body as { arrived: number }
  assert.ok(arrived - askedAt < blockedMs / 2, `it arrived ${arrived - askedAt} ms after the question`)
  await transport.close()
  await worker.terminate()
})

test('what is no longer wanted when its connection is free is never sent', () =>
  withServer(async (server) => {
    const transport = await aTransport(server, { clock: systemClock, connections: 1 })
    let wanted = true
    server.expect(
      (request, response) => {
        wanted = false
        json(200, {})(request, response)
      },
      json(200, {}),
    )
    const first = transport.request(get)
    await assert.rejects(transport.request({ ...get, path: '/second', isWanted: () => wanted }), { kind: 'NotSent' })
    await first
    await transport.request({ ...get, path: '/third', isWanted: () => true })
    assert.deepEqual(
      server.received.map(({ path }) => path),
      ['/version', '/third'],
    )
    await transport.close()
  }))

test('no answer: given up after its time, as unanswered; the connection is not used again', () =>
  withServer(async (server) => {
    const transport = await aTransport(server, { clock: systemClock, connections: 1 })
    server.expect(() => undefined, json(200, { fine: true }))
    await assert.rejects(transport.request({ ...get, timeoutMs: 50 }), (error: ApiError) => {
      return error.kind === 'Unanswered' && /no answer within 50 ms/.test(error.message)
    })
    assert.deepEqual((await transport.request(get)).body, { fine: true })
    await transport.close()
  }))

test('a cut body is unanswered, not a crash', () =>
  withServer(async (server) => {
    const transport = await aTransport(server, { clock: systemClock })
    server.expect((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"half":')
      setImmediate(() => response.destroy())
    })
    await assert.rejects(transport.request(get), (error) => error instanceof ApiError && error.kind === 'Unanswered')
    await transport.close()
  }))

test('there is one undici in the tree, so that one pool serves all', () => {
  const found = execFileSync('find', [
    '-H',
    'node_modules',
    '-type',
    'd',
    '-name',
    'undici',
    '-path',
    '*node_modules/undici',
  ]).toString()
  assert.deepEqual(found.trim().split('\n'), ['node_modules/undici'])
})
