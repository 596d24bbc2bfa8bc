import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MirrorsStory, thing } from '../support/mirrors-story.ts'

/** One thing in each namespace, and both in the store. */
async function both(absence: 'believed' | 'looked up' = 'looked up'): Promise<MirrorsStory> {
  const story = new MirrorsStory(absence)
  story.places.a.items.push(thing('a', 'x'))
  story.places.b.items.push(thing('b', 'y'))
  await story.run()
  assert.deepEqual(story.held, ['a/x', 'b/y'])
  story.asked.length = 0
  return story
}

describe('two namespaces in one store', () => {
  for (const [absence, questions] of [
    ['believed', ['a']],
    ['looked up', ['a', 'a/x']],
  ] as const)
    test(`a relist of one takes out what is gone from it, not what the other has put in (absence is ${absence})`, async () => {
      await using story = await both(absence)
      story.places.a.items.length = 0
      story.places.a.expire()
      await story.clock.advance(250)
      assert.deepEqual(story.held, ['b/y'])
      assert.deepEqual(story.asked, questions)
    })

  test('the scan of one looks up nothing of the other: what is missing is asked for once', async () => {
    await using story = await both()
    story.places.b.items.length = 0
    await story.scan()
    assert.deepEqual(story.asked, ['a', 'b', 'b/y'])
    assert.deepEqual(story.held, ['a/x'])
  })

  test('the health is that of the worst', async () => {
    await using story = await both()
    assert.deepEqual(story.health, { synced: true, connected: true, silentMs: 0, disconnectedMs: 0 })
    await story.clock.advance(10_000)
    story.places.b.refuses = true
    story.places.b.expire()
    await story.clock.advance(4_000)
    assert.deepEqual(story.health, { synced: true, connected: false, silentMs: 14_000, disconnectedMs: 4_000 })
    story.places.b.refuses = false
    await story.clock.advance(5_000)
    assert.equal(story.health.connected, true)
  })
})

describe('a namespace that the API server refuses', () => {
  test('nothing is served in it: nobody waits for it, and it comes in when it is readable', async () => {
    await using story = new MirrorsStory('looked up')
    story.places.a.items.push(thing('a', 'x'))
    story.places.b.refuses = true
    await story.run()
    assert.equal(await story.isSynced(), true)
    assert.equal(story.health.connected, true)
    story.places.b.items.push(thing('b', 'y'))
    story.places.b.refuses = false
    await story.clock.advance(250)
    assert.deepEqual(story.held, ['a/x', 'b/y'])
  })

  test('all are refused: they are waited for, until the first is readable', async () => {
    await using story = new MirrorsStory('looked up')
    for (const place of Object.values(story.places)) place.refuses = true
    await story.run()
    assert.equal(await story.isSynced(), false)
    assert.equal(story.health.synced, false)
    story.places.a.refuses = false
    await story.clock.advance(5_000)
    assert.equal(await story.isSynced(), true)
    assert.equal(story.health.synced, true)
  })

  test('what is held of it is looked up by the scan; when all of it is gone, the namespace counts no more', async () => {
    await using story = await both()
    story.places.b.refuses = true
    story.places.b.expire()
    await story.clock.advance(4_000)
    story.asked.length = 0
    story.places.b.items.length = 0
    await story.scan()
    assert.ok(story.asked.includes('b/y'))
    assert.deepEqual(story.held, ['a/x'])
    assert.equal(story.health.connected, true)
  })

  test('where absence is believed it is not asked one by one', async () => {
    await using story = await both('believed')
    story.places.b.refuses = true
    story.places.b.expire()
    await story.clock.advance(4_000)
    await story.scan()
    assert.deepEqual(story.held, ['a/x', 'b/y'])
    assert.ok(!story.asked.includes('b/y'))
  })
})

describe('a new leader catches up', () => {
  test('with what it can read: a refused namespace holds up none of the others', async () => {
    await using first = new MirrorsStory('believed')
    first.places.b.refuses = true
    await using second = new MirrorsStory('looked up', first)
    second.places.a.items.push(thing('a', 'x'))
    second.places.b.refuses = true
    await second.run()
    await first.run()
    await first.clock.advance(0)
    second.asked.length = 0
    await first.catchUp()
    await second.catchUp()
    assert.deepEqual(second.asked, ['a'])
    await second.scan()
    assert.deepEqual(second.asked, ['a', 'a'])
  })

  test('the right to read a namespace is gone and its watch still open: what is held of it is looked up', async () => {
    await using story = await both()
    story.places.b.refuses = true
    story.places.b.items.length = 0
    assert.equal(story.health.connected, true)
    await story.catchUp()
    assert.deepEqual(story.held, ['a/x'])
    assert.deepEqual(story.asked, ['a', 'b', 'b/y'])
  })
})

test('of each namespace nothing is read before the one that goes first has it', async () => {
  await using first = new MirrorsStory('believed')
  first.places.b.refuses = true
  await using second = new MirrorsStory('looked up', first)
  second.places.a.items.push(thing('a', 'x'))
  second.places.b.items.push(thing('b', 'y'))
  await second.run()
  assert.deepEqual(second.asked, [])
  await first.run()
  assert.equal(await second.isSynced(), true)
  assert.equal(second.health.synced, true)
  assert.deepEqual(second.held, ['a/x'])
  first.places.b.refuses = false
  await first.clock.advance(250)
  assert.deepEqual(second.held, ['a/x', 'b/y'])
})
