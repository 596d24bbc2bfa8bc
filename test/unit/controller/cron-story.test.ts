import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, aSecondCronJob, everySeconds } from '../../support/builders.ts'
import { OperatorStory } from '../../support/operator-story.ts'
import { seconds } from '../../support/times.ts'

test('a cron schedule: nothing at its creation, then to the second, and an edit of it never runs back', async () => {
  const nightly = { schedule: { kind: 'cron', text: '*/10 * * * * *', timeZone: 'America/New_York' } } as const
  await using story = await new OperatorStory('12:00:00.400').start(aSecondCronJob({}, nightly))
  await story.until('12:00:20.500')
  assert.deepEqual(story.created(), [`00:10.000 beat-${seconds('12:00:10')}`, `00:20.000 beat-${seconds('12:00:20')}`])
  assert.equal(story.objects.objects.get('beat')?.status.observedSchedule, '*/10 * * * * * (America/New_York)')
  const often = { schedule: { ...nightly.schedule, text: '*/4 * * * * *' } }
  await story.until('12:00:21.500')
  story.apply(aSecondCronJob({ generation: 2, status: accepted(1) }, often))
  await story.until('12:00:25')
  assert.deepEqual(story.created(), [`00:24.000 beat-${seconds('12:00:24')}`])
})

test('a schedule that is wrong, then mended: the reason is shown, and goes', async () => {
  const problem = 'spec.timeZone: "Mars/Base" is not known; write the name of a time zone'
  const spec = { valid: false as const, reason: 'UnknownTimeZone' as const, problems: [problem] }
  await using story = await new OperatorStory().start({ ...aSecondCronJob({ status: {} }), spec })
  await story.until('12:00:05')
  const condition = () => story.objects.objects.get('beat')?.status.conditions?.[0]
  assert.deepEqual([condition()?.status, condition()?.reason, condition()?.message], ['False', spec.reason, problem])
  const status = story.objects.objects.get('beat')?.status ?? {}
  story.apply(aSecondCronJob({ generation: 2, status }, everySeconds(10)))
  await story.until('12:00:20')
  assert.deepEqual([condition()?.status, condition()?.reason], ['True', 'Accepted'])
  assert.deepEqual(story.created(), [`00:10.000 beat-${seconds('12:00:10')}`, `00:20.000 beat-${seconds('12:00:20')}`])
})
