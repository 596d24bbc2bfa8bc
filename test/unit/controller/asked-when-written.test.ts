import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CreateOptions } from '../../../src/controller/ports.ts'
import { aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { at } from '../../support/times.ts'

/** What may have changed between the decision of a create and the turn in which its bytes are written. */
const changes: Record<string, (story: OperatorStory) => void> = {
  'it was suspended': (story) => story.apply(aSecondCronJob({ generation: 2 }, { ...everySeconds(1), suspend: true })),
  'it is being deleted': (story) => story.apply(aSecondCronJob({ deletingSince: at('12:00:01') }, everySeconds(1))),
  'it is gone': (story) => story.controller.objects.bury('uid-beat'),
  'its schedule was edited': (story) => story.apply(aSecondCronJob({ generation: 2 }, everySeconds(7))),
  'the controller has stopped': (story) => story.controller.scheduler.stop(),
}

for (const [what, change] of Object.entries(changes))
  test(`a create that waits for its connection is withdrawn when ${what}`, async () => {
    const story = new OperatorStory()
    let options: CreateOptions | null = null
    story.jobs.onCreate = (_manifest, given) => {
      options = given
      return undefined
    }
    await using running = await story.start(aSecondCronJob({}, everySeconds(1)))
    await running.until('12:00:01')
    const isWanted = (options as CreateOptions | null)?.isWanted
    assert.equal(isWanted?.(), true)
    change(running)
    assert.equal(isWanted?.(), false)
  })
