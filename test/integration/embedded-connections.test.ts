import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { aJob, Embedded, jobs } from '../support/embedded.ts'

let api: Embedded
before(async () => {
  api = await Embedded.start()
})
after(() => api.server.stop())

async function connected(head: readonly string[], body = ''): Promise<Socket> {
  const socket = connect(Number(new URL(api.server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${head.join('\r\n')}\r\nHost: server\r\n\r\n${body}`)
  return socket
}

test('a DELETE whose body breaks off before its preconditions deletes nothing', async () => {
  await api.post(jobs, aJob('kept'))
  const body = JSON.stringify({ propagationPolicy: 'Background', preconditions: { uid: 'of another' } })
  const head = [`DELETE ${jobs}/kept HTTP/1.1`, 'Content-Type: application/json', `Content-Length: ${body.length}`]
  const socket = await connected(head, body.slice(0, 20))
  socket.end()
  socket.resume()
  await once(socket, 'close')
  assert.equal((await api.get(`${jobs}/kept`)).code, 200)
  assert.deepEqual(
    api.server.requests().filter(({ verb }) => verb === 'delete'),
    [],
  )
})

test('a watcher that does not read is cut off, and not kept for', async () => {
  const socket = await connected([`GET ${jobs}?watch=true HTTP/1.1`])
  await once(socket, 'readable')
  const closed = once(socket, 'close')
  await api.post(jobs, { ...aJob('large'), metadata: { name: 'large', annotations: { a: 'x'.repeat(250_000) } } })
  const isCut = () => api.server.requests().some(({ verb }) => verb === 'watch')
  for (let n = 0; n < 200 && !isCut(); n += 1)
    await fetch(`${api.server.url}${jobs}/large`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ metadata: { labels: { n: String(n) } } }),
    })
  assert.ok(isCut(), 'after 50 MB that nobody has read the watch is still there')
  socket.resume()
  await closed
})
