import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkQueue } from '../../../src/controller/work-queue.ts'

/** A queue of one place for urgent keys and one for all, whose work ends when it is told to, and what was begun. */
class Story {
  readonly urgent = new Set<string>()
  readonly begun: string[] = []
  readonly #ends = new Map<string, () => void>()
  readonly queue = new WorkQueue(
    [
      { concurrency: 1, holds: (key) => this.urgent.has(key) },
      { concurrency: 1, holds: () => true },
    ],
    (key) => {
      this.begun.push(key)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#ends.set(key, resolve)
      return promise
    },
  )

  async end(key: string): Promise<void> {
    this.#ends.get(key)?.()
    await settled()
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('work queue: what has become urgent overtakes those that it waited behind, and is not done twice', async () => {
  const story = new Story()
  for (const key of ['a', 'b', 'c']) story.queue.add(key)
  await settled()
  story.urgent.add('c')
  story.queue.add('c')
  await settled()
  assert.deepEqual(story.begun, ['a', 'c'])
  for (const key of ['c', 'a', 'b']) await story.end(key)
  assert.deepEqual(story.begun, ['a', 'c', 'b'])
})

test('work queue: a key never runs twice at a time, though it waited in two lanes; added meanwhile, it runs once more', async () => {
  const story = new Story()
  for (const key of ['a', 'b']) story.queue.add(key)
  await settled()
  story.urgent.add('b')
  story.queue.add('b')
  await settled()
  story.urgent.delete('b')
  story.queue.add('b')
  await story.end('a')
  assert.deepEqual(story.begun, ['a', 'b'])
  await story.end('b')
  assert.deepEqual(story.begun, ['a', 'b', 'b'])
  await story.end('b')
  assert.deepEqual(story.begun, ['a', 'b', 'b'])
})

test('work queue: what is urgent no more goes where it stood', async () => {
  const story = new Story()
  story.urgent.add('a').add('b')
  for (const key of ['a', 'b']) story.queue.add(key)
  await settled()
  story.urgent.clear()
  story.queue.add('b')
  await settled()
  assert.deepEqual(story.begun, ['a'])
  await story.end('a')
  assert.deepEqual(story.begun, ['a', 'b'])
})
