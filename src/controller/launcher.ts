import type { Instant } from '../schedule/state.ts'
import { type Answered, Lanes } from './lanes.ts'
import { type Attempt, type AttemptParts, attemptLaunch, givenUp } from './launch-attempt.ts'
import { noWork, type Waiting, type Work } from './launch-work.ts'
import type { Outcome } from './outcome.ts'
import { pauseAfter, type Refusal } from './refusal.ts'
import type { Answer, Resource } from './standing.ts'

export interface LauncherParts extends AttemptParts {
  /** How many creates may be on their way at once while none hangs; `overflowConnections` more otherwise. */
  readonly connections: number
  /** In how many milliseconds of the wall clock a slot is too late to be launched. */
  readonly leftMs: (uid: string, slot: Instant, now: Instant) => number
  /** When the next slot of the resource after this one is due, and replaces it if it still waits; null when none is to come. */
  readonly nextSlot: (uid: string, slot: Instant) => Instant | null
  readonly settle: (uid: string, slot: Instant, outcome: Outcome, now: Instant) => void
}

/** A create that is of no slot: at most one of each resource. */
export interface UnslottedTurn extends Resource {
  /** Sends it in this very turn; the API server is to give up after `limitMs`. Never rejects. */
  readonly send: (limitMs: number, signal: AbortSignal) => Promise<Answered>
}

/** Whose next slot is further away waits no longer for those that have one each second. */
const longestBehindMs = 2_000

/** An answer that takes longer than an interval must not hold up the next slots, nor may they pile up. */
const mostInFlight = 3

/**
 * Sends the creates.
 *
 * Guarantees: those of the `Lanes`, where the slot that would be overtaken first goes first; a newer slot of a resource replaces an older one that still waits; every dispatched slot
 * is settled exactly once (`retrying` apart); whether a slot is still wanted is asked again in the very turn in which its
 * create is written; a create without a clear answer is looked up by name before anything else is said of it.
 */
export class Launcher {
  readonly #parts: LauncherParts
  readonly #work = new Map<string, Work>()
  readonly #lanes: Lanes
  #isStopping = false
  readonly #stop = new AbortController()

  constructor(parts: LauncherParts) {
    this.#parts = parts
    this.#lanes = new Lanes(parts.clock, parts.connections)
  }

  /** Creates that wait for a connection, those in trouble apart; while there are any, nothing less urgent should ask the API server. */
  get backlog(): number {
    return this.#lanes.backlog
  }

  get inFlight(): number {
    return this.#lanes.inFlight
  }

  isIdle(uid: string): boolean {
    return (this.#work.get(uid)?.inFlight.size ?? 0) === 0
  }

  /** The slots of which it is not known whether they have a Job. */
  unsettled(uid: string): readonly Instant[] {
    const work = this.#work.get(uid)
    if (work === undefined) return []
    const { waiting, inFlight } = work
    return waiting?.refusal?.unknown === true ? [...inFlight, waiting.slot] : [...inFlight]
  }

  /** The resource is gone: what still waits is dropped. */
  forget(uid: string): void {
    for (const each of [uid, unslotted(uid)]) this.#lanes.forget(each)
    const work = this.#work.get(uid)
    if (work === undefined) return
    work.waiting = null
    work.forgotten = true
    work.pause?.abort()
    this.#work.delete(uid)
  }

  /** A trial of the template was answered, or hung: what holds for it holds for the next create. */
  tried(uid: string, isAnswered: boolean): void {
    this.#lanes.tried(uid, isAnswered)
  }

  /** The same guarantees for a create of no slot; nothing of it is sent after `stop`. */
  enter({ uid, namespace, send }: UnslottedTurn): void {
    const turn = (limitMs: number) => (this.#isStopping ? unsent : send(limitMs, this.#stop.signal))
    const dueBy = this.#parts.clock.now() + longestBehindMs
    this.#lanes.enter({ uid: unslotted(uid), namespace, dueBy, send: turn })
  }

  /** Only queues: never waits, never throws. */
  launch(uid: string, slot: Instant): void {
    if (this.#isStopping) return
    const work = this.#workOf(uid)
    if (work.waiting !== null) this.#giveUp(uid, work.waiting)
    work.pause?.abort()
    work.waiting = { slot, failures: 0, refusal: null }
    work.newest = slot
    this.#enqueue(uid, work)
  }

  /**
   * No further create starts; those on their way get `graceMs` to be answered, then they are aborted (which is not a
   * cancel: the Job may be there all the same, and is found by its name after the next start).
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    for (const work of this.#work.values()) work.pause?.abort()
    const grace = new AbortController()
    const answered = this.#lanes.ended().then(() => grace.abort())
    await this.#parts.clock.sleep(graceMs, grace.signal)
    this.#stop.abort()
    await answered
  }

  #workOf(uid: string): Work {
    const known = this.#work.get(uid)
    if (known !== undefined) return known
    const work = noWork()
    this.#work.set(uid, work)
    return work
  }

  #enqueue(uid: string, work: Work): void {
    if (work.queued || work.waiting === null || work.pause?.signal.aborted === false) return
    if (work.inFlight.size >= mostInFlight) return
    work.queued = true
    const { slot } = work.waiting
    const namespace = this.#parts.jobOf(uid, slot)?.namespace ?? ''
    const dueBy = Math.min(slot + longestBehindMs, this.#parts.nextSlot(uid, slot) ?? Infinity)
    this.#lanes.enter({ uid, namespace, dueBy, send: (limitMs) => this.#turn(uid, work, limitMs) })
  }

  async #turn(uid: string, work: Work, limitMs: number): Promise<Answered> {
    work.queued = false
    const { waiting } = work
    if (waiting === null || this.#isStopping) return unsent
    work.waiting = null
    work.inFlight.add(waiting.slot)
    const attempt = await attemptLaunch(this.#parts, { uid, ...waiting, limitMs, signal: this.#stop.signal })
    work.inFlight.delete(waiting.slot)
    const answer = work.forgotten ? 'gone' : answerOf(attempt)
    return { answer, conclude: () => this.#finish(uid, work, waiting, attempt) }
  }

  #finish(uid: string, work: Work, waiting: Waiting, attempt: Attempt): void {
    if (attempt.kind === 'done') this.#settle(uid, waiting.slot, attempt.outcome)
    else {
      const failed = { slot: waiting.slot, failures: waiting.failures + 1, refusal: attempt.refusal }
      if (waiting.slot === work.newest && !work.forgotten) this.#retry(uid, work, failed)
      else this.#giveUp(uid, failed)
    }
    // The same uid may have come back, with work of its own.
    if (work.forgotten) return
    this.#enqueue(uid, work)
    if (work.waiting === null && work.inFlight.size === 0) this.#work.delete(uid)
  }

  /** The slot waits out its pause; a newer slot ends that. */
  #retry(uid: string, work: Work, failed: Waiting & { refusal: Refusal }): void {
    work.waiting = failed
    const { reason, message } = failed.refusal
    this.#settle(uid, failed.slot, { kind: 'retrying', failure: { reason, message } })
    const pause = new AbortController()
    work.pause = pause
    const leftMs = this.#parts.leftMs(uid, failed.slot, this.#parts.clock.now())
    const pauseMs = pauseAfter(failed.refusal, failed.failures, leftMs)
    void this.#parts.clock.sleep(pauseMs, pause.signal).then(() => {
      pause.abort()
      if (work.pause === pause) this.#enqueue(uid, work)
    })
  }

  #giveUp(uid: string, { slot, refusal }: Waiting): void {
    this.#settle(uid, slot, givenUp(refusal, 'Overloaded'))
  }

  #settle(uid: string, slot: Instant, outcome: Outcome): void {
    this.#parts.settle(uid, slot, outcome, this.#parts.clock.now())
  }
}

const unsent = Promise.resolve<Answered>({ answer: 'unasked', conclude: () => {} })

/** Under a name of its own, or it would take the place of a slot that waits. */
function unslotted(uid: string): string {
  return `${uid}/run-now`
}

function answerOf(attempt: Attempt): Answer {
  if (!attempt.asked) return 'unasked'
  if (attempt.kind === 'done') return 'taken'
  return attempt.refusal.refused ? 'refused' : 'failed'
}
