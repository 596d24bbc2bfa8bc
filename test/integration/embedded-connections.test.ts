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

/** A request is noted when it is over. */
function isCut(): boolean {
  return api.server.requests().some(({ verb }) => verb === 'watch')
}

/** Changes a large Job again and again; whether a watch has ended by then. */
async function isCutAfter(changes: number): Promise<boolean> {
  for (let n = 0; n < changes && !isCut(); n += 1)
    await api.patch(`${jobs}/large`, { metadata: { labels: { n: `${n}-of-${changes}` } } })
  return isCut()
}

test('a watcher that does not read is not cut off for a burst, but for 64 MiB', async () => {
  await api.post(jobs, { ...aJob('large'), metadata: { name: 'large', annotations: { a: 'x'.repeat(250_000) } } })
  const socket = await connected([`GET ${jobs}?watch=true&resourceVersion=0 HTTP/1.1`])
  await once(socket, 'readable')
  assert.equal(await isCutAfter(100), false)
  assert.equal(await isCutAfter(300), true)
  const closed = once(socket, 'close')
  socket.resume()
  await closed
})
