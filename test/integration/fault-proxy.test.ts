import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { Pool } from 'undici'
import { FaultProxy } from '../faults/proxy/fault-proxy.ts'
import type { Moment, RequestRule } from '../faults/proxy/rules.ts'
import { failure, json, page, ScriptedApiServer } from '../support/scripted-api-server.ts'

const jobs = '/apis/batch/v1/namespaces/default/jobs'
const job = (name: string) => JSON.stringify({ kind: 'Job', metadata: { name } })
const creates = { verb: 'create', resource: 'jobs' }
const done = json(201, { kind: 'Job' })

let server: ScriptedApiServer
let proxy: FaultProxy
let pool: Pool
beforeEach(async () => {
  server = await ScriptedApiServer.start()
  proxy = await FaultProxy.start({ upstream: { url: server.url.href }, remembersLists: true })
  pool = new Pool(proxy.url)
})
afterEach(async () => {
  await pool.destroy()
  await proxy[Symbol.asyncDispose]()
  await server.end()
})

interface Answered {
  readonly code: number
  readonly headers: Record<string, unknown>
  readonly text: string
}

async function ask(method: 'GET' | 'POST', path: string, body?: string, signal?: AbortSignal): Promise<Answered> {
  const headers = { 'content-type': 'application/json' }
  const answer = await pool.request({ method, path, body: body ?? null, headers, ...(signal && { signal }) })
  return { code: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}

const create = (name: string) => ask('POST', jobs, job(name))
const list = (...names: string[]) => page(names, { resourceVersion: '1' })
const items = async (path = jobs) => (JSON.parse((await ask('GET', path)).text) as { items: string[] }).items

/** The rule, and when its moments came, with how many requests the server had seen by then. */
function watched(rule: Omit<RequestRule, 'id' | 'on'>): string[] {
  const moments: string[] = []
  const note = (moment: Moment) => () => moments.push(`${moment} ${server.received.length}`)
  const on = { received: note('received'), committed: note('committed'), answered: note('answered') }
  proxy.add({ id: 'r', ...rule, on })
  return moments
}

test('fault proxy: what no rule is about is forwarded as it stands', async () => {
  server.expect(done)
  proxy.add({ id: 'other', match: { resource: 'pods' }, fault: { do: 'refuse' } })
  assert.equal((await create('a')).code, 201)
  assert.deepEqual(server.received[0]?.body, { kind: 'Job', metadata: { name: 'a' } })
  assert.deepEqual(proxy.log, [])
})

test('fault proxy: refuse resets the connection, and nothing is forwarded', async () => {
  const moments = watched({ match: creates, fault: { do: 'refuse' } })
  await assert.rejects(create('a'), { code: 'ECONNRESET' })
  assert.deepEqual([server.received.length, moments], [0, ['received 0']])
})

test('fault proxy: lose forwards, and resets the connection when the answer is there', async () => {
  server.expect(done)
  const moments = watched({ match: creates, fault: { do: 'lose' } })
  await assert.rejects(create('a'), { code: 'ECONNRESET' })
  assert.deepEqual([server.received.length, moments], [1, ['received 0', 'committed 1']])
})

test('fault proxy: pass tells of all three moments', async () => {
  server.expect(done)
  const moments = watched({ match: creates, fault: { do: 'pass' } })
  assert.equal((await create('a')).code, 201)
  assert.deepEqual(moments, ['received 0', 'committed 1', 'answered 1'])
})

test('fault proxy: of hang nobody hears anything, forwarded or not', async () => {
  server.expect(done)
  proxy.add({ id: 'h', match: { name: 'a' }, fault: { do: 'hang' } })
  proxy.add({ id: 'f', match: { name: 'b' }, fault: { do: 'hang', isForwarded: true } })
  for (const [name, forwarded] of [
    ['a', 0],
    ['b', 1],
  ] as const) {
    await assert.rejects(ask('POST', jobs, job(name), AbortSignal.timeout(100)), { name: 'TimeoutError' })
    assert.equal(server.received.length, forwarded)
  }
})

test('fault proxy: delay forwards later', async () => {
  server.expect(done)
  proxy.add({ id: 'd', match: creates, fault: { do: 'delay', ms: 60 } })
  const startedAt = performance.now()
  assert.equal((await create('a')).code, 201)
  assert.ok(performance.now() - startedAt >= 59)
})

test('fault proxy: keep forwards at once, and hands the answer on when it may', async () => {
  server.expect(done)
  const { promise: until, resolve: open } = Promise.withResolvers<void>()
  const { promise: committed, resolve: commit } = Promise.withResolvers<string>()
  const on = { committed: () => commit('committed') }
  proxy.add({ id: 'k', match: creates, fault: { do: 'keep', until }, on })
  const answered = create('a').then(() => 'answered')
  assert.equal(await Promise.race([answered, committed]), 'committed')
  open()
  assert.equal(await answered, 'answered')
})

test('fault proxy: twice forwards it once more, and hands the second answer on', async () => {
  server.expect(done, failure(409, 'AlreadyExists'))
  const moments = watched({ match: creates, fault: { do: 'twice' } })
  assert.equal((await create('a')).code, 409)
  assert.deepEqual([server.received.length, moments], [2, ['received 0', 'committed 2', 'answered 2']])
})

test('fault proxy: answers in the API server’s place, with Retry-After', async () => {
  const fault = { do: 'answer', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 } as const
  proxy.add({ id: 'a', match: creates, fault })
  const { code, headers, text } = await create('a')
  assert.deepEqual([code, headers['retry-after']], [429, '1'])
  assert.equal((JSON.parse(text) as { reason: string }).reason, 'TooManyRequests')
})

test('fault proxy: from the second to the third one of those that match', async () => {
  server.expect(done, failure(404, 'NotFound'), done)
  proxy.add({ id: 'a', match: creates, from: 2, to: 3, fault: { do: 'answer', code: 500 } })
  const codes: number[] = []
  for (const name of ['a', 'b']) codes.push((await create(name)).code)
  codes.push((await ask('GET', `${jobs}/a`)).code)
  for (const name of ['c', 'd']) codes.push((await create(name)).code)
  assert.deepEqual(codes, [201, 500, 404, 500, 201])
})

/** The codes of 40 creates, of which a share is refused. */
async function codesOf(seed: number): Promise<readonly number[]> {
  await using other = await FaultProxy.start({ upstream: { url: server.url.href }, seed })
  other.add({ id: 'a', match: {}, share: 0.3, fault: { do: 'answer', code: 503 } })
  other.add({ id: 'b', match: {}, fault: { do: 'answer', code: 201 } })
  const all: number[] = []
  for (let n = 0; n < 40; n += 1) all.push((await fetch(`${other.url}${jobs}`, { method: 'POST' })).status)
  return all
}

test('fault proxy: a share of them, the same ones for the same seed', async () => {
  const first = await codesOf(7)
  assert.deepEqual(await codesOf(7), first)
  const failed = first.filter((code) => code === 503).length
  assert.ok(failed > 4 && failed < 20, `${failed} of 40`)
})

test('fault proxy: a LIST is answered as it was', async () => {
  server.expect(list('a'), list('a', 'b'), list('a', 'b', 'c'))
  await items()
  await items()
  let replayed = 0
  const on = { replayed: () => (replayed += 1) }
  proxy.add({ id: 'old', match: { verb: 'list' }, fault: { do: 'replay', ageMs: 0 }, to: 1, on })
  assert.deepEqual(await items(), ['a', 'b'])
  assert.deepEqual(await items(), ['a', 'b', 'c'])
  assert.deepEqual([server.received.length, replayed], [3, 1])
})

test('fault proxy: of another LIST nothing is known: it is forwarded', async () => {
  server.expect(page(['a'], { resourceVersion: '1' }), page(['b'], { resourceVersion: '1' }))
  let replayed = 0
  const on = { replayed: () => (replayed += 1) }
  proxy.add({ id: 'old', match: { verb: 'list' }, fault: { do: 'replay', ageMs: 0 }, on })
  await items()
  assert.deepEqual(await items(`${jobs}?labelSelector=x`), ['b'])
  assert.equal(replayed, 0)
})

test('fault proxy: the body of an answer is changed', async () => {
  server.expect(page(['a', 'b'], { resourceVersion: '1' }))
  proxy.add({ id: 'e', match: { verb: 'list' }, fault: { do: 'edit', edit: (body) => body.replace('"a",', '') } })
  assert.deepEqual(await items(), ['b'])
})

test('fault proxy: the record says what was done, when, by which rule, to which request', async () => {
  const before = Date.now()
  proxy.add({ id: 'A1', match: { ...creates, name: 'a' }, fault: { do: 'answer', code: 409 } })
  assert.equal((await create('a')).code, 409)
  const [entry] = proxy.log
  assert.ok(entry !== undefined && entry.at >= before && entry.at <= Date.now())
  const what = { verb: 'create', resource: 'jobs', subresource: '', namespace: 'default', name: 'a' }
  assert.deepEqual(proxy.log, [{ at: entry.at, rule: 'A1', done: 'answer', ...what }])
})

test('fault proxy: a rule that is removed is over', async () => {
  server.expect(done)
  proxy.add({ id: 'a', match: {}, fault: { do: 'refuse' } })
  proxy.remove('a')
  assert.equal((await create('a')).code, 201)
})
