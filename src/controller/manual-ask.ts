import { type Job, manualJobName } from '../api/job.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'

/** One run that the run-now annotation asks for. The name of its Job is a function of token and `before`. */
export interface Ask {
  readonly token: string
  /** How many tokens were served before this one. */
  readonly before: number
  /** Of the resource that the Job is made of. */
  readonly generation: number
}

/** The token is empty when there is none. */
export function askOf({ runNow, generation, status }: SecondCronJob): Ask {
  return { token: runNow ?? '', before: status.manualRunCount ?? 0, generation }
}

/** Whether this Job is the only proof, so far, that the token was served. */
export function isProof(object: SecondCronJob, job: Job): boolean {
  const ask = askOf(object)
  return ask.token !== '' && ask.token !== object.status.lastManualRun && job.name === manualJobName(object.name, ask)
}
