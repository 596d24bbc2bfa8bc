import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { Pool } from 'undici'
import { FaultProxy } from '../faults/proxy/fault-proxy.ts'

const jobs = '/apis/batch/v1/namespaces/default/jobs'
const creates = { verb: 'create', resource: 'jobs' }
const job = JSON.stringify({ kind: 'Job', metadata: { name: 'a' } })

test('fault proxy: sever forwards so many bytes of the body, and cuts both connections', async () => {
  const got = Promise.withResolvers<string>()
  const bare = createServer((socket) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (more: string) => (text += more))
    socket.on('close', () => got.resolve(text)).on('error', () => {})
  })
  await once(bare.listen(0, '127.0.0.1'), 'listening')
  await using severing = await FaultProxy.start({
    upstream: { url: `http://127.0.0.1:${(bare.address() as AddressInfo).port}` },
  })
  const moments: string[] = []
  const on = { received: () => moments.push('received'), severed: () => moments.push('severed') }
  severing.add({ id: 'r', match: creates, fault: { do: 'sever', atByte: 10 }, on })
  const client = new Pool(severing.url)
  await assert.rejects(client.request({ method: 'POST', path: jobs, body: job }))
  const [head = '', body] = (await got.promise).split('\r\n\r\n')
  assert.match(head, new RegExp(`content-length: ${job.length}`, 'i'))
  assert.deepEqual([body, moments], [job.slice(0, 10), ['received', 'severed']])
  await client.destroy()
  bare.close()
})
