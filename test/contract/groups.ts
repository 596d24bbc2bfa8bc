import type { Group } from './row.ts'
import { answers } from './rows/answers.ts'
import { definitions } from './rows/definitions.ts'
import { byHand } from './rows/by-hand.ts'
import { deletes } from './rows/deletes.ts'
import { editing } from './rows/editing.ts'
import { edits } from './rows/edits.ts'
import { editsInTime } from './rows/edits-in-time.ts'
import { fitting } from './rows/fitting.ts'
import { jobChecks } from './rows/job-checks.ts'
import { jobs } from './rows/jobs.ts'
import { launching } from './rows/launching.ts'
import { leaving } from './rows/leaving.ts'
import { likeCronJob } from './rows/like-cronjob.ts'
import { likeCronJobInTime } from './rows/like-cronjob-in-time.ts'
import { lists } from './rows/lists.ts'
import { naming } from './rows/naming.ts'
import { namespaces } from './rows/namespaces.ts'
import { ownKinds } from './rows/own-kinds.ts'
import { patches } from './rows/patches.ts'
import { records } from './rows/records.ts'
import { refusing } from './rows/refusing.ts'
import { schemas } from './rows/schemas.ts'
import { shapes } from './rows/shapes.ts'
import { together } from './rows/together.ts'
import { watches } from './rows/watches.ts'
import { writes } from './rows/writes.ts'

/** All rows of the contract. */
export const groups: readonly Group[] = [
  lists,
  watches,
  writes,
  patches,
  deletes,
  namespaces,
  shapes,
  schemas,
  definitions,
  jobs,
  jobChecks,
  records,
  answers,
  ownKinds,
  refusing,
  launching,
  editing,
  edits,
  editsInTime,
  together,
  byHand,
  leaving,
  likeCronJob,
  likeCronJobInTime,
  fitting,
  naming,
]
