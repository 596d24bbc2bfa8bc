import { cut, longestSentence } from '../api/cut.ts'
import { isActive, type Job } from '../api/job.ts'
import { conditionOf, type Condition, type SecondCronJob, type Status } from '../api/secondcronjob.ts'
import { formatTime, parseTime } from '../api/time.ts'
import { nextSlot } from '../schedule/slots.ts'
import type { Instant } from '../schedule/state.ts'
import type { Verdict } from './acceptance.ts'
import type { ServedTokens } from './manual-runs.ts'
import { gridOf, latest, type Track } from './track.ts'

export interface StatusFacts {
  readonly object: SecondCronJob
  /** undefined before the first decision. */
  readonly track: Track
  readonly verdict: Verdict | null
  readonly jobs: readonly Job[]
  readonly manualRuns: ServedTokens
}

const mostListed = 10

/** The status as it should be now. Pure; times never go back behind what is stored. */
export function statusOf(now: Instant, facts: StatusFacts): Status {
  const { track, jobs, manualRuns } = facts
  const active = jobs.filter(isActive).sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    observedGeneration: track.generation,
    observedSchedule: track.schedule,
    scheduleSince: formatTime(track.since),
    ...timesOf(now, facts),
    active: active.slice(0, mostListed).map(({ namespace, name, uid }) => ({ kind: 'Job', namespace, name, uid })),
    activeCount: active.length,
    missedCount: track.missed,
    skippedCount: track.skipped,
    ...(track.recent.length === 0 ? {} : { recent: track.recent }),
    ...manualRuns,
    conditions: conditionsOf(now, facts),
  }
}

/** One text for statuses that say the same, whatever the order of their keys. */
export function canonical(status: Status): string {
  return JSON.stringify(sorted(status))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

function timesOf(now: Instant, { object, track, jobs, verdict }: StatusFacts): Status {
  const { status } = object
  const newest = (result: 'Complete' | 'Failed') =>
    jobs.reduce<Instant | null>(
      (found, { finished }) => (finished?.result === result ? latest(found, finished.at) : found),
      null,
    )
  const times = {
    handledUntil: latest(track.settled, parseTime(status.handledUntil)),
    lastScheduleTime: latest(track.launched, parseTime(status.lastScheduleTime)),
    lastSuccessfulTime: latest(newest('Complete'), parseTime(status.lastSuccessfulTime)),
    lastFailedTime: latest(newest('Failed'), parseTime(status.lastFailedTime)),
    nextScheduleTime: isServed(object, verdict)
      ? nextSlot(gridOf(object), Math.max(now, track.since - 1, track.decided ?? now))
      : null,
  }
  const present = Object.entries(times).filter((entry): entry is [string, Instant] => entry[1] !== null)
  return Object.fromEntries(present.map(([name, instant]) => [name, formatTime(instant)]))
}

function isServed(object: SecondCronJob, verdict: Verdict | null): boolean {
  return object.spec.valid && !object.spec.suspend && verdict?.status !== 'False'
}

type Claim = Pick<Condition, 'type' | 'status' | 'reason' | 'message' | 'observedGeneration'>

function conditionsOf(now: Instant, facts: StatusFacts): readonly Condition[] {
  return [acceptedClaim(facts), readyClaim(facts), failingClaim(facts)].map((claim) => {
    const before = conditionOf(facts.object.status, claim.type)
    const lastTransitionTime = before?.status === claim.status ? before.lastTransitionTime : formatTime(now)
    return { ...claim, lastTransitionTime }
  })
}

function acceptedClaim({ object, verdict }: StatusFacts): Claim {
  const known = verdict ?? { status: 'Unknown', reason: 'Pending', message: 'The template is being tried' }
  const { status, reason, message } = known
  const observedGeneration = verdict?.generation ?? object.generation
  return { type: 'Accepted', status, reason, message: cut(message, longestSentence), observedGeneration }
}

function readyClaim({ object, track, verdict }: StatusFacts): Claim {
  const claim = (status: Claim['status'], reason: string, message: string): Claim => {
    return { type: 'Ready', status, reason, message, observedGeneration: track.generation }
  }
  if (!object.spec.valid || verdict?.status === 'False')
    return claim('False', 'NotAccepted', 'Nothing is launched: the condition Accepted says what to mend')
  if (object.spec.suspend)
    return claim('True', 'Suspended', 'Suspended: nothing is launched until spec.suspend is false')
  if (verdict === null) return claim('Unknown', 'Pending', 'The template is being tried')
  if (track.failing !== null)
    return claim('False', track.failing.reason, 'The last launch was refused; the condition Failing has the words')
  return claim('True', 'Scheduled', `Runs ${track.schedule}`)
}

function failingClaim({ track }: StatusFacts): Claim {
  const { failing, generation: observedGeneration } = track
  if (failing === null)
    return {
      type: 'Failing',
      status: 'False',
      reason: 'NoFailure',
      message: 'No launch of the present spec was refused',
      observedGeneration,
    }
  const { reason, message } = failing
  return { type: 'Failing', status: 'True', reason, message: cut(message, longestSentence), observedGeneration }
}
