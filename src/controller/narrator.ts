import type { SecondCronJob } from '../api/secondcronjob.ts'
import { formatTime } from '../api/time.ts'
import { jobName } from '../api/job.ts'
import type { Instant, SkipReason } from '../schedule/state.ts'
import type { EventReason, EventRecorder } from './ports.ts'
import { type Failure, invalid, type Track } from './track.ts'

/** Tells the user what has changed between two tracks of an object; a normal launch is no news. */
export class Narrator {
  readonly #events: EventRecorder

  constructor(events: EventRecorder) {
    this.#events = events
  }

  changed(object: SecondCronJob, before: Track, after: Track, now: Instant): void {
    const tell = (type: 'Normal' | 'Warning', reason: EventReason, note: string) =>
      this.#events.record(object, { type, reason, action: 'Schedule', note }, now)

    if (before.schedule !== after.schedule) tellSchedule(before, after, tell)
    if (!before.announced && after.announced && after.launched !== null)
      tell('Normal', 'SuccessfulCreate', createdNote(object, after.launched, after.schedule))
    if (after.missed > before.missed) tell('Warning', 'MissSchedule', missedNote(before, after))
    if (after.skipping !== null && after.skipping !== before.skipping)
      tell('Warning', after.skipping, skippedNotes[after.skipping])
    if (after.failing !== null && after.failing !== before.failing) tellFailure(after.failing, tell)
  }
}

function tellFailure(
  { reason, message }: Failure,
  tell: (type: 'Warning', reason: EventReason, note: string) => void,
): void {
  tell('Warning', reason === 'UnexpectedJob' ? reason : 'FailedCreate', `${reason}: ${message}`)
}

function tellSchedule(
  before: Track,
  after: Track,
  tell: (type: 'Normal', reason: EventReason, note: string) => void,
): void {
  if (after.schedule === 'suspended') tell('Normal', 'Suspended', 'No Job is launched while suspended')
  // What does not parse is told by the condition Accepted.
  else if (before.schedule === 'suspended' && after.schedule !== invalid)
    tell('Normal', 'Resumed', `Runs ${after.schedule} again; no slot before ${formatTime(after.since)} is run`)
}

const skippedNotes: Readonly<Record<SkipReason, string>> = {
  JobAlreadyActive:
    'A run was skipped: concurrencyPolicy is Forbid and a Job has not finished; status.skippedCount counts',
  TooManyActiveJobs:
    'A run was skipped: activeJobsLimit Jobs have not finished; raise it, or see why they last; status.skippedCount counts',
}

function createdNote({ name }: SecondCronJob, slot: Instant, schedule: string): string {
  const job = jobName(name, slot)
  return `Created Job ${job}, the first one since the resource was created or edited; runs ${schedule}`
}

function missedNote(before: Track, after: Track): string {
  const count = after.missed - before.missed
  const slots = count === 1 ? '1 slot was missed' : `${count} slots were missed`
  return `${slots} and will not be run later; ${after.missed} since the creation`
}
