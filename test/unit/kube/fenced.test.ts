import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fenced } from '../../../src/kube/fenced.ts'
import type { ApiAnswer, ApiRequest } from '../../../src/kube/transport.ts'

/** A fence, and what reached the transport behind it; requests wait until they are aborted, or let through. */
function aFence() {
  const expired = new AbortController()
  const sent: ApiRequest[] = []
  const state = { holds: true }
  const through = Promise.withResolvers<void>()
  const transport = {
    request: async (request: ApiRequest): Promise<ApiAnswer> => {
      sent.push(request)
      const { promise, reject } = Promise.withResolvers<never>()
      request.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      if (request.signal?.aborted === true) throw new Error('aborted')
      await Promise.race([through.promise, promise])
      return { body: null, warnings: [] }
    },
  }
  const requester = fenced(transport, { holds: () => state.holds, expired: expired.signal })
  return { requester, sent, state, expired, let: () => through.resolve() }
}

const post: ApiRequest = { method: 'POST', path: '/a', lane: 'launch' }

test('a read passes as it is, whoever leads', async () => {
  const { requester, sent, state, expired, let: letThrough } = aFence()
  state.holds = false
  expired.abort()
  letThrough()
  const get: ApiRequest = { method: 'GET', path: '/a', lane: 'control' }
  await requester.request(get)
  assert.equal(sent[0], get)
})

for (const method of ['POST', 'PATCH', 'DELETE', 'PUT'] as const)
  test(`a ${method} is asked in its turn whether the term holds, and whether it is wanted`, async () => {
    const { requester, sent, state, let: letThrough } = aFence()
    let wanted = true
    const asked = requester.request({ ...post, method, isWanted: () => wanted })
    const isWanted = () => sent[0]?.isWanted?.()
    assert.equal(isWanted(), true)
    wanted = false
    assert.equal(isWanted(), false)
    wanted = true
    state.holds = false
    assert.equal(isWanted(), false)
    letThrough()
    await asked
  })

test('what is on its way is aborted when the term expires, and what comes later at once', async () => {
  const { requester, expired } = aFence()
  const underway = requester.request(post)
  expired.abort()
  await assert.rejects(underway, /aborted/)
  await assert.rejects(requester.request(post), /aborted/)
})

test('the signal of whoever asks still counts', async () => {
  const { requester } = aFence()
  const own = new AbortController()
  const underway = requester.request({ ...post, signal: own.signal })
  own.abort()
  await assert.rejects(underway, /aborted/)
})
