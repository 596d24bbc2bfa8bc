import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settle } from '../support/manual-clock.ts'
import { object, ReflectorStory } from '../support/reflector-story.ts'
import { failure, json, OpenStream, page } from '../support/scripted-api-server.ts'

test('410 in the middle of a list: the list starts afresh, and no half of it was handed over', async () => {
  await using story = await ReflectorStory.start()
  const watch = new OpenStream()
  story.server.expect(
    page([object('a', '1')], { resourceVersion: '7', continue: 'next' }),
    failure(410, 'Expired'),
    page([object('b', '2')], { resourceVersion: '9' }),
    watch.answer,
  )
  story.run()
  await story.server.after(2)
  await story.clock.advance(250)
  await story.server.after(4)
  assert.deepEqual(story.seen, ['all b'])
})

test('410 as an event of the stream: listed anew', async () => {
  await using story = await ReflectorStory.start()
  const [first, second] = [new OpenStream(), new OpenStream()]
  story.server.expect(
    page([], { resourceVersion: '7' }),
    first.answer,
    page([object('a', '9')], { resourceVersion: '9' }),
    second.answer,
  )
  story.run()
  await story.server.after(2)
  first.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' })
  while (first.isOpen) await settle()
  await story.clock.advance(250)
  await story.server.after(4)
  assert.deepEqual(story.seen, ['all ', 'all a'])
})

test('a line that is no JSON: what was lost can’t be known, so all is listed anew', async () => {
  await using story = await ReflectorStory.start()
  const [first, second] = [new OpenStream(), new OpenStream()]
  story.server.expect(
    page([], { resourceVersion: '7' }),
    first.answer,
    page([], { resourceVersion: '9' }),
    second.answer,
  )
  story.run()
  await story.server.after(2)
  first.write('{"type":"ADDED","obj\n')
  while (first.isOpen) await settle()
  await story.clock.advance(250)
  await story.server.after(4)
  assert.equal(story.server.received[2]?.query['watch'], undefined)
})

test('cut off: it goes on from the last version after a pause; refused then, with a time to come back, not before that', async () => {
  await using story = await ReflectorStory.start()
  const [first, second] = [new OpenStream(), new OpenStream()]
  story.server.expect(
    page([], { resourceVersion: '7' }),
    first.answer,
    failure(429, 'TooManyRequests', { retryAfterSeconds: 3 }),
    second.answer,
  )
  story.run()
  await story.server.after(2)
  first.event('ADDED', object('a', '8'))
  await story.told(2)
  first.cut()
  while (story.reflector.health(story.clock.monotonic()).connected) await settle()
  await story.clock.advance(250)
  await story.server.after(3)
  await settle()
  await story.clock.advance(2_999)
  assert.equal(story.server.received.length, 3)
  await story.clock.advance(1)
  await story.server.after(4)
  assert.equal(story.server.received[3]?.query['resourceVersion'], '8')
})

test('silent for 55 seconds: dead, and opened anew; health tells of the silence before that', async () => {
  await using story = await ReflectorStory.start()
  const [first, second] = [new OpenStream(), new OpenStream()]
  story.server.expect(page([], { resourceVersion: '7' }), first.answer, second.answer)
  story.run()
  await story.server.after(2)
  while (!story.reflector.health(story.clock.monotonic()).connected) await settle()
  await story.clock.advance(54_999)
  assert.deepEqual(story.reflector.health(story.clock.monotonic()), {
    synced: true,
    connected: true,
    silentMs: 54_999,
    disconnectedMs: 0,
  })
  assert.ok(first.isOpen)
  await story.clock.advance(1)
  while (first.isOpen) await settle()
  await story.clock.advance(250)
  await story.server.after(3)
})

test('a watch that ends at once, again and again: it is not asked for again without a pause', async () => {
  await using story = await ReflectorStory.start()
  const atOnce = json(200, '')
  const watch = new OpenStream()
  story.server.expect(page([], { resourceVersion: '7' }), atOnce, atOnce, watch.answer)
  story.run()
  await story.server.after(2)
  await story.paused()
  await story.clock.advance(249)
  assert.equal(story.server.received.length, 2)
  await story.clock.advance(1)
  await story.server.after(3)
  await story.paused()
  await story.clock.advance(499)
  assert.equal(story.server.received.length, 3)
  await story.clock.advance(1)
  await story.server.after(4)
})

test('a sink that throws: that is logged, and the next events are told all the same', async () => {
  await using story = await ReflectorStory.start()
  const watch = new OpenStream()
  story.server.expect(page([], { resourceVersion: '7' }), watch.answer)
  story.run()
  await story.server.after(2)
  story.onPut = () => {
    throw new Error('a bug of the sink')
  }
  watch.event('ADDED', object('a', '8'))
  watch.event('ADDED', object('b', '9'))
  await story.told(3)
  assert.deepEqual(story.seen, ['all ', 'put a', 'put b'])
  assert.ok(watch.isOpen)
})

test('a character cut in two on its way arrives whole', async () => {
  await using story = await ReflectorStory.start()
  const watch = new OpenStream()
  story.server.expect(page([], { resourceVersion: '7' }), watch.answer)
  story.run()
  await story.server.after(2)
  const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: object('größe', '8') })}\n`)
  const middle = line.indexOf(0xc3) + 1
  const before = story.reflector.health(story.clock.monotonic()).silentMs
  await story.clock.advance(10)
  watch.write(line.subarray(0, middle))
  while (story.reflector.health(story.clock.monotonic()).silentMs > before) await settle()
  watch.write(line.subarray(middle))
  await story.told(2)
  assert.deepEqual(story.seen, ['all ', 'put größe'])
})

test('stopped before the watch has answered: nothing is told afterwards', async () => {
  await using story = await ReflectorStory.start()
  let answerLate: () => void = assert.fail
  story.server.expect(page([], { resourceVersion: '7' }), (_request, response) => {
    answerLate = () =>
      response.writeHead(200).end(`${JSON.stringify({ type: 'ADDED', object: object('late', '8') })}\n`)
  })
  story.run()
  await story.server.after(2)
  const stopped = story.stop()
  answerLate()
  await stopped
  assert.deepEqual(story.seen, ['all '])
})

test('stopped in the middle of a chunk: the rest of it is not told', async () => {
  await using story = await ReflectorStory.start()
  const watch = new OpenStream()
  story.server.expect(page([], { resourceVersion: '7' }), watch.answer)
  story.run()
  await story.server.after(2)
  const stopped = new Promise<void>((resolve) => {
    story.onPut = () => void story.stop().then(resolve)
  })
  const lines = ['8', '9'].map((version) => JSON.stringify({ type: 'ADDED', object: object(`a${version}`, version) }))
  watch.write(`${lines.join('\n')}\n`)
  await stopped
  assert.deepEqual(story.seen, ['all ', 'put a8'])
})
