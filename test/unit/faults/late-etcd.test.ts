import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Stream, connect, createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { LateEtcd } from '../../control-plane/late-etcd.ts'

/** Answers in gRPC's way: the status comes in the trailers. */
function answer(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200 }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  stream.on('data', (asked: Buffer) => stream.write(`about ${asked.toString()}`))
  stream.on('end', () => stream.end())
}

test('late etcd: what watches tell is held back, all else passes; later it comes, in its order and to its end', async () => {
  const real = createServer().on('stream', answer).listen(0, '127.0.0.1')
  await once(real, 'listening')
  const late = await LateEtcd.start(`http://127.0.0.1:${(real.address() as AddressInfo).port}`)
  const session = connect(`http://127.0.0.1:${late.port}`)
  const opened = (method: string) => session.request({ ':method': 'POST', ':path': `/etcdserverpb.${method}` })

  const watch = opened('Watch/Watch')
  watch.write('one')
  assert.equal(await told(watch), 'about one')

  late.hold()
  const heard: string[] = []
  watch.on('data', (chunk: Buffer) => heard.push(chunk.toString()))
  watch.write('two')
  for (const what of ['a', 'b']) {
    const range = opened('KV/Range')
    range.end(what)
    const [text, [trailers]] = await Promise.all([told(range), once(range, 'trailers')])
    assert.equal(text, `about ${what}`)
    assert.equal((trailers as Record<string, string>)['grpc-status'], '0')
  }
  assert.deepEqual(heard, [])

  late.release()
  await once(watch, 'data')
  assert.deepEqual(heard, ['about two'])
  watch.end()
  await once(watch, 'end')

  session.close()
  await late[Symbol.asyncDispose]()
  real.close()
})

async function told(stream: ClientHttp2Stream): Promise<string> {
  const [chunk] = (await once(stream, 'data')) as [Buffer]
  return chunk.toString()
}
