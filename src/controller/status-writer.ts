import type { Job } from '../api/job.ts'
import { conditionOf, type SecondCronJob, type Status } from '../api/secondcronjob.ts'
import { parseTime } from '../api/time.ts'
import type { Clock, Monotonic } from '../clock.ts'
import type { Acceptance } from './acceptance.ts'
import { hasTtl } from './job-manifest.ts'
import type { ServedTokens } from './manual-runs.ts'
import type { EventReason, EventRecorder, SecondCronJobControl } from './ports.ts'
import { canonical, statusOf } from './status.ts'
import type { Track } from './track.ts'

export interface StatusWriterParts {
  readonly clock: Clock
  readonly objects: SecondCronJobControl
  readonly events: EventRecorder
  readonly acceptance: Acceptance
  readonly track: (uid: string) => Track | undefined
  readonly jobs: (uid: string) => readonly Job[]
  readonly manualRuns: (object: SecondCronJob) => ServedTokens
  /** Creates that wait for a connection. */
  readonly backlog: () => number
}

export interface Written {
  /** The object after the write, or null when nothing was written. */
  readonly object: SecondCronJob | null
  /** When to look again, or null when the status is as it should be. */
  readonly again: Monotonic | null
}

/** Of the template as it is now. */
interface Trial {
  readonly isPending: boolean
  /** Nothing is known of any template of this resource, and nothing is launched. */
  readonly isFirst: boolean
}

const nothing: Written = { object: null, again: null }
/** Between two writes of one object, unless the user is waiting for the news. */
const spacingMs = 5_000
/** How long a write stands back behind launches, or the trial of a template, at most. */
const longestStandBackMs = 15_000

/** Brings the stored status to what it should be, as seldom as the contract allows. */
export class StatusWriter {
  readonly #parts: StatusWriterParts
  readonly #writtenAt = new Map<string, Monotonic>()

  constructor(parts: StatusWriterParts) {
    this.#parts = parts
  }

  async write(object: SecondCronJob): Promise<Written> {
    const track = this.#parts.track(object.uid)
    if (track === undefined) return nothing
    const { acceptance, clock } = this.#parts
    const jobs = this.#parts.jobs(object.uid)
    const manualRuns = this.#parts.manualRuns(object)
    const verdict = acceptance.verdict(object)
    const status = statusOf(clock.now(), { object, track, verdict, jobs, manualRuns })
    if (canonical(status) === canonical(object.status)) return nothing

    const trial = { isPending: acceptance.isPending(object), isFirst: verdict === null }
    const again = this.#notBefore(object, status, trial)
    if (again !== null) return { object: null, again }
    const sentAt = clock.monotonic()
    const written = await this.#parts.objects.patchStatus(object, status)
    // One that failed is no news to anybody: the next one waits for the pause of the failure only.
    this.#writtenAt.set(object.uid, sentAt)
    this.#tellRefusal(object, status)
    return { object: written, again: null }
  }

  /** That a spec or its template is not accepted, when that is news. */
  #tellRefusal(object: SecondCronJob, status: Status): void {
    const [before, now] = [object.status, status].map((each) => conditionOf(each, 'Accepted'))
    if (now?.status !== 'False' || (before?.status === 'False' && before.message === now.message)) return
    const event = { type: 'Warning', reason: now.reason as EventReason, action: 'Validate', note: now.message } as const
    this.#parts.events.record(object, event, this.#parts.clock.now())
  }

  forget(uid: string): void {
    this.#writtenAt.delete(uid)
  }

  /** null: now. */
  #notBefore(object: SecondCronJob, status: Status, trial: Trial): Monotonic | null {
    if (guardsSlot(object, status) || status.lastManualRun !== object.status.lastManualRun) return null
    const now = this.#parts.clock.monotonic()
    const last = this.#lastOf(object.uid, now)
    // Who edits oftener than a template can be tried must not keep the status from telling of the launches, if there are any.
    if (trial.isPending && (trial.isFirst || now - last < longestStandBackMs)) return now
    if (isNews(object.status, status)) return null
    if (now - last < spacingMs) return last + spacingMs
    return this.#parts.backlog() > 0 && now - last < longestStandBackMs ? now : null
  }

  /** One that was never written since this process began may be now, and counts its time from now. */
  #lastOf(uid: string, now: Monotonic): Monotonic {
    const known = this.#writtenAt.get(uid)
    if (known !== undefined) return known
    this.#writtenAt.set(uid, now - spacingMs)
    return now - spacingMs
  }
}

/** The Job goes by itself some time after its end, and with it the lock of the slot: the slot is stored at once. */
function guardsSlot(object: SecondCronJob, status: Status): boolean {
  if (!object.spec.valid || !hasTtl(object.spec)) return false
  return (parseTime(status.lastScheduleTime) ?? 0) > (parseTime(object.status.lastScheduleTime) ?? 0)
}

/** What a user who has just applied something is waiting for. */
function isNews(stored: Status, wanted: Status): boolean {
  return essence(stored) !== essence(wanted)
}

function essence({ observedGeneration, observedSchedule, conditions }: Status): string {
  const verdicts = conditions?.map(({ type, status, reason }) => [type, status, reason])
  return JSON.stringify([observedGeneration, observedSchedule, verdicts])
}
