import assert from 'node:assert/strict'
import { test } from 'node:test'
import { object, ReflectorStory } from '../support/reflector-story.ts'
import { OpenStream, page } from '../support/scripted-api-server.ts'

test('pages, then a watch from the version of the last one; the exact questions', async () => {
  await using story = await ReflectorStory.start()
  const watch = new OpenStream()
  story.server.expect(
    page([object('a', '1')], { resourceVersion: '7', continue: 'next' }),
    page([object('b', '2')], { resourceVersion: '7' }),
    watch.answer,
  )
  story.run()
  await story.server.after(3)
  await story.told(1)
  assert.deepEqual(story.seen, ['all a b'])
  assert.deepEqual(
    story.server.received.map(({ query }) => query),
    [
      { limit: '20', labelSelector: 'mine' },
      { limit: '40', continue: 'next', labelSelector: 'mine' },
      { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '45', resourceVersion: '7', labelSelector: 'mine' },
    ],
  )
})

test('events are told, bookmarks are not, and both move the version on; its time is up, it goes on from there', async () => {
  await using story = await ReflectorStory.start()
  const [first, second] = [new OpenStream(), new OpenStream()]
  story.server.expect(page([], { resourceVersion: '7' }), first.answer, second.answer)
  story.run()
  await story.server.after(2)
  first.event('ADDED', object('a', '8'))
  first.event('MODIFIED', object('a', '9'))
  first.event('DELETED', object('a', '10'))
  first.event('BOOKMARK', object('', '20'))
  await story.told(4)
  await story.clock.advance(45_000)
  first.end()
  await story.server.after(3)
  assert.deepEqual(story.seen, ['all ', 'put a', 'put a', 'remove a'])
  assert.equal(story.server.received[2]?.query['resourceVersion'], '20')
})

test('an object that can’t be read costs only itself', async () => {
  await using story = await ReflectorStory.start()
  const watch = new OpenStream()
  story.server.expect(page([object('broken', '1'), object('b', '2')], { resourceVersion: '7' }), watch.answer)
  story.run()
  await story.server.after(2)
  watch.event('ADDED', object('broken', '8'))
  watch.event('ADDED', object('c', '9'))
  await story.told(2)
  assert.deepEqual(story.seen, ['all b', 'put c'])
})
