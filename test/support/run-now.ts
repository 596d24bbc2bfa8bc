import { manualJobName } from '../../src/api/job.ts'
import type { SecondCronJob } from '../../src/api/secondcronjob.ts'
import { aSecondCronJob, everySeconds } from './builders.ts'
import type { OperatorStory } from './operator-story.ts'

/** A resource that nearly never runs by itself, and what run-now makes of it. */

const hourly = everySeconds(3_600)
/** Of the tokens `first`, and `second` after it. */
export const first = manualJobName('beat', { token: 'first', before: 0 })
export const second = manualJobName('beat', { token: 'second', before: 1 })

/** The creates of run-now Jobs since the last time this was asked. */
export function manualCreates(story: OperatorStory): string[] {
  return story.created().filter((call) => call.includes('beat-m'))
}

/** With this token. */
export function asking(runNow: string | null, change: Partial<SecondCronJob> = {}, spec = {}): SecondCronJob {
  return aSecondCronJob({ runNow, ...change }, { ...hourly, ...spec })
}

/** The token that the status has. */
export function stored(story: OperatorStory): string | undefined {
  return story.objects.objects.get('beat')?.status.lastManualRun
}
