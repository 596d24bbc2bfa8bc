import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'

/** Started with twenty resources, on a machine so slow that each look at the clock finds two milliseconds gone. */
function aSlowStart(t: TestContext) {
  const story = new OperatorStory()
  const names = Array.from({ length: 20 }, (_, n) => `beat-${n}`)
  for (const name of names) story.apply(aSecondCronJob({ name }, everySeconds(10)))
  let now = story.clock.monotonic()
  const slow = t.mock.method(story.clock, 'monotonic', () => (now += 2))
  story.controller.start()
  slow.mock.restore()
  const looked = () => names.filter((name) => story.controller.scheduler.track(`uid-${name}`) !== undefined).length
  return { story, looked }
}

test('a start with many resources: the first at once, all others in the turns after it', async (t) => {
  const { story, looked } = aSlowStart(t)
  assert.ok(looked() > 0 && looked() < 20, `${looked()} of 20`)
  await story.clock.advance(1)
  assert.equal(looked(), 20)
  assert.equal(story.created().length, 20)
  await story[Symbol.asyncDispose]()
})

test('told to stop in the midst of its start: no further resource is looked at', async (t) => {
  const { story, looked } = aSlowStart(t)
  const before = looked()
  await story[Symbol.asyncDispose]()
  assert.ok(before > 0 && before < 20, `${before} of 20`)
  assert.equal(looked(), before)
})
