import { observedScheduleOf } from '../api/observed-schedule.ts'
import { conditionOf, type RecentSlot, type SecondCronJob } from '../api/secondcronjob.ts'
import { formatTime, parseTime } from '../api/time.ts'
import { countBetween, latestSlot } from '../schedule/slots.ts'
import type { Instant } from '../schedule/state.ts'
import { type Books, forgive, type Passed, recentOf } from './books.ts'
import { type Failure, gridOf, hasChanged, latest, scheduleText, type Track, wholeSecondFrom } from './track.ts'

/** Of an object that was created, and of which no spec was changed. */
const firstGeneration = 1

/** The first look of this process at an object. `slots` are those of its Jobs, the newest one ever seen among them. */
export function beginTrack(now: Instant, object: SecondCronJob, slots: readonly Instant[]): Track {
  const { status, generation } = object
  const schedule = scheduleText(object)
  const launched = slots.reduce(latest, parseTime(status.lastScheduleTime))
  const known = latest(parseTime(status.handledUntil), launched)
  // What nobody has seen before has the slots since its creation, unless it may have been suspended and resumed since then.
  const { observedSchedule = schedule, observedGeneration = firstGeneration } = status
  const changed = hasChanged(schedule, generation, { schedule: observedSchedule, generation: observedGeneration })
  const since = parseTime(status.scheduleSince) ?? object.createdAt
  const isOfGrid = !changed || isOnlySuspended(object, observedSchedule)
  const track: Track = {
    ...booksOf(object, known, isOfGrid && launched !== null ? untold(object, since, [...slots, launched]) : nothing),
    generation,
    schedule,
    since: changed ? wholeSecondFrom(now) : since,
    decided: known,
    launched,
    first: known === null,
    failing: storedFailure(object),
    skipping: null,
    held: null,
    // Where nothing was launched since the schedule was edited, nothing was told of it.
    announced: status.observedGeneration === generation && launched !== null && launched >= since,
  }
  return slots.reduce(forgive, track)
}

function booksOf({ status }: SecondCronJob, settled: Instant | null, missed: Untold): Books {
  const { missedCount = 0, skippedCount: skipped = 0, recent = [] } = status
  return {
    settled,
    missed: missedCount + missed.count,
    skipped,
    recent: recentOf([...missed.recent, ...recent]),
    lines: [],
    passed: missed.passed,
  }
}

interface Untold {
  readonly count: number
  readonly recent: readonly RecentSlot[]
  readonly passed: readonly Passed[]
}

const nothing: Untold = { count: 0, recent: [], passed: [] }

/**
 * Slots without a Job between what the status says and the newest one launched: whoever launched that was gone before it
 * could tell. Before anything was ever decided nothing counts. `slots` are those launched.
 */
function untold(object: SecondCronJob, since: Instant, slots: readonly Instant[]): Untold {
  if (!object.spec.valid || slots.length === 0) return nothing
  const grid = gridOf(object)
  const from = Math.max(parseTime(object.status.handledUntil) ?? Math.min(...slots), since - 1)
  const newest = Math.max(...slots)
  const launched = new Set(slots.filter((slot) => slot > from && slot < newest))
  const count = countBetween(grid, from, newest) - launched.size
  if (count <= 0) return nothing
  let slot = latestSlot(grid, newest - 1)
  while (slot !== null && launched.has(slot)) slot = latestSlot(grid, slot - 1)
  const recent = slot === null ? [] : [{ slot: formatTime(slot), outcome: 'Missed', reason: 'Unknown' } as const]
  return { count, recent, passed: [{ after: from, until: newest - 1, launched: [...launched] }] }
}

/** By one edit, which has left the grid: what was launched before it is of the grid that the spec still has. */
function isOnlySuspended({ spec, generation, status }: SecondCronJob, observedSchedule: string): boolean {
  const isOneEdit = generation - (status.observedGeneration ?? generation) === 1
  return isOneEdit && spec.valid && spec.suspend && observedScheduleOf({ ...spec, suspend: false }) === observedSchedule
}

/** null when it was that of an earlier spec. */
function storedFailure({ status, generation }: SecondCronJob): Failure | null {
  const condition = conditionOf(status, 'Failing')
  if (condition?.status !== 'True' || condition.observedGeneration !== generation) return null
  return { reason: condition.reason as Failure['reason'], message: condition.message }
}
