import { dueSlots, slackMs } from './due-slots.ts'
import { optionsAt } from './options.ts'
import type { Chapter, Timeline } from './timeline.ts'
import type { Kind, Violation } from './violation.ts'

/** A Job that the API server has taken. */
export interface Launch {
  readonly job: string
  readonly slot: number
  /** When its create was received; NaN when only its later life is known. */
  readonly received: number
  /** When somebody else than the operator deleted it; absent when nobody did. */
  readonly takenAt?: number
  /** When it was complete, failed or deleted; absent when it never was, or nobody looked. */
  readonly endedAt?: number
}

export interface Outage {
  readonly start: number
  readonly end: number
  /** Until then all that was due before is sent: nothing is lost any more, but it may be a second later than ever. */
  readonly settled?: number
}

/** What is looked at, and by which measure. */
export interface Look {
  /** Slots from here (inclusive) to `until` (exclusive) have to be launched. */
  readonly from: number
  readonly until: number
  /** Times in which nobody could launch: slots in them may be missing, and one of them may come late. */
  readonly outages: readonly Outage[]
  /** When a server that stood still went on: only then it reads what was sent long before. */
  readonly resumed?: readonly number[]
  /** After a change of the spec either schedule is right for so long. */
  readonly noticeMs: number
  /** After a delete or a suspend was acknowledged, a create may be received for so long. */
  readonly stopMs: number
  /** How far the clock of a replica may be behind: an edit counts from the time that it is there. */
  readonly clocksApartMs?: number
  /** How late a launch may be; so an edit may come before it, and the next slot be due. */
  readonly lateMs: number
}

export interface LaunchCheck {
  /** Slots that had to be launched. */
  readonly due: readonly number[]
  /** Those that would have been due if nobody had ever been away. */
  readonly wanted: readonly number[]
  /** Launches of slots between `from` and `until`, due or not. */
  readonly looked: readonly Launch[]
  readonly violations: readonly Violation[]
}

/** How much later a launch may be while those before it are sent. */
const settlingMs = 1_000
/** In which a server that goes on has read all that was waiting in its connections. */
const readingMs = 1_000
type Found = (kind: Kind, job: string, detail: string) => Violation

/** Compares the launches of one resource with the slots that its specs had, by this file's own arithmetic. */
export function checkLaunches(timeline: Timeline, launches: readonly Launch[], look: Look): LaunchCheck {
  const found: Found = (kind, job, detail) => ({
    kind,
    resource: `${timeline.namespace}/${timeline.name}`,
    job,
    detail,
  })
  const wanted = dueSlots(timeline, launches, look)
  const due = wanted.filter((slot) => !isWithin(slot, look.outages))
  const looked = launches.filter(({ slot }) => slot >= look.from && slot < look.until)
  const slots = new Set(launches.map(({ slot }) => slot))
  const jobAt = (slot: number) => `${timeline.name}-${slot / 1_000}`
  const lost = due.filter((slot) => !slots.has(slot))
  const violations = [
    ...repeated(launches).map(({ job, received }) => found('duplicate', job, `again at ${text(received)}`)),
    ...lost.map((slot) => found('lost', jobAt(slot), `due at ${text(slot)}`)),
    ...launches.flatMap((launch) => ofOne(timeline, launch, look, found)),
    ...lateOnes(looked, new Set(due), look, found),
    ...looked
      .filter(({ slot }) => !due.includes(slot))
      .filter((launch) => isBackRun(timeline, launch, look))
      .map((launch) => lateness('backRun', launch, found)),
  ]
  return { due, wanted, looked, violations }
}

export function isWithin(instant: number, outages: readonly Outage[]): boolean {
  return outages.some(({ start, end }) => instant >= start && instant < end)
}

/** It was received by a server that had stood still, and may have been sent long before. */
export function isReadLate({ received }: Pick<Launch, 'received'>, resumed: readonly number[]): boolean {
  return resumed.some((at) => received >= at && received < at + readingMs)
}

/** When its create was received; where only its later life is known, its second. */
export function receivedAt({ slot, received }: Pick<Launch, 'slot' | 'received'>): number {
  return Number.isNaN(received) ? slot : received
}

export function text(instant: number): string {
  return Number.isFinite(instant) ? new Date(instant).toISOString().slice(11, 23) : 'an unknown time'
}

/** What is wrong with a launch by itself. */
function ofOne(timeline: Timeline, launch: Launch, look: Look, found: Found): readonly Violation[] {
  const { job, slot, received } = launch
  const early = received < slot ? [lateness('early', launch, found)] : []
  const seen = chaptersInForce(timeline, launch, look)
  if (seen.length > 0 && seen.every(({ launches }) => !launches)) {
    const last = seen.at(-1)
    const what = last?.deleting === true ? 'deleted' : 'suspended'
    return [...early, found('stopped', job, `${text(received)}, ${what} at ${text(last?.acknowledged ?? Number.NaN)}`)]
  }
  const isOnGrid = seen.some((chapter) => chapter.launches && isSlotOf(timeline, chapter, slot, look))
  return isOnGrid ? early : [...early, found('offGrid', job, `slot ${text(slot)} at ${text(received)}`)]
}

/**
 * What the operator may have seen when it sent the create: the last chapter, and those before it that were only just over. A
 * stop ends all that were before it: that one of them had been edited shortly before is no reason to go on longer.
 */
function chaptersInForce(timeline: Timeline, launch: Launch, look: Look): readonly Chapter[] {
  const at = receivedAt(launch)
  return timeline.chapters.filter((chapter, index) => {
    const later = timeline.chapters.slice(index + 1)
    const isOver = later.some((next) => next.acknowledged + (next.launches ? look.noticeMs : look.stopMs) < at)
    return chapter.asked <= Math.max(at, launch.slot) && !isOver
  })
}

/** A schedule never runs what was due before it, but for the first one, which counts from the creation. */
function isSlotOf({ createdAt, chapters }: Timeline, chapter: Chapter, slot: number, look: Look): boolean {
  const since = chapter === chapters[0] ? createdAt : chapter.asked - (look.clocksApartMs ?? 0)
  return slot >= since && (slot - createdAt) % chapter.intervalMs === 0
}

function lateOnes(looked: readonly Launch[], due: ReadonlySet<number>, look: Look, found: Found): readonly Violation[] {
  return looked
    .filter(({ slot, received }) => due.has(slot) && received - slot > lateMsOf(slot, look))
    .map((launch) => lateness('late', launch, found))
}

function lateMsOf(slot: number, { lateMs, outages }: Look): number {
  const isSettling = outages.some(({ end, settled = end }) => slot >= end && slot < settled)
  return isSettling ? lateMs + settlingMs : lateMs
}

/** Not due for certain, and run although a newer one was due long since, or after its deadline. */
function isBackRun({ chapters, options }: Timeline, { slot, received }: Launch, look: Look): boolean {
  const { resumed = [] } = look
  const since = resumed.filter((at) => slot < at)
  if (isReadLate({ received }, since)) return false
  const chapter = chapters.findLast(({ asked }) => asked <= slot) ?? chapters[0]
  const deadlines = optionsAt(options, received, look.noticeMs).map(({ deadlineMs }) => deadlineMs)
  return received - slot > Math.min(chapter?.intervalMs ?? 0, Math.max(...deadlines)) + slackMs(look)
}

function lateness(kind: Kind, { job, slot, received }: Launch, found: Found): Violation {
  return found(kind, job, `${(received - slot).toFixed(0)} ms after its slot`)
}

function repeated(launches: readonly Launch[]): readonly Launch[] {
  const seen = new Set<number>()
  return launches.filter(({ slot }) => seen.size === seen.add(slot).size)
}
