import PQueue from 'p-queue'
import type { Clock, Monotonic } from '../clock.ts'
import { HangWatch } from './hang-watch.ts'
import type { Instant } from '../schedule/state.ts'
import { NamespaceLanes } from './namespace-lanes.ts'
import { type Answer, type End, type Resource, type Standing, Standings } from './standing.ts'

/** One create that waits for a connection: at most one of each resource. */
export interface Turn extends Resource {
  /** Whose time comes sooner goes first among those that stand alike. */
  readonly dueBy: Instant
  /** Sends it in this very turn; the API server is to give up after `limitMs`. Never rejects. */
  readonly send: (limitMs: number) => Promise<Answered>
}

export interface Answered {
  readonly answer: Answer
  /** Called when what the answer says about the resource is known here. */
  readonly conclude: () => void
}

interface Sent {
  readonly turn: Turn
  readonly standing: Standing
  readonly sentAt: Monotonic
  readonly answered: Promise<void>
  /** Its place is for the next one. */
  readonly giveWay: () => void
}

/** Places for those that are refused at once, and as many for those that are late, and for those that hang: half of them each. */
const troubleLane = 4
/** A namespace begins a burst with so many on their way. */
const firstOfNamespace = 8
/** Places for those that may hang. */
const suspectLane = 16

/** Of all that were sent in one moment it is known whether they hang before others take their places. */
const sameMomentMs = 50

/** How many creates there may be beside those in the usual lanes: those that hang, or may, are held there. */
export function overflowConnections(connections: number): number {
  const wide = wideLane(connections)
  return heldHanging(wide) + Math.min(suspectLane, wide) + troubleLane
}

/** As many as can go through the two lanes, so that suspects are found out at the same pace when the other lane is full of what hangs. */
function heldHanging(wide: number): number {
  return wide + Math.min(suspectLane, wide)
}

function wideLane(connections: number): number {
  return Math.max(1, connections - troubleLane)
}

/**
 * Which create may be sent now, so that resources in trouble delay no other (ADR 4).
 *
 * Guarantees: never more at once than `connections`, and `overflowConnections` beside them while some hang; at most four of resources
 * that are known to hang, and four of those known to be refused; among those that stand alike the soonest `dueBy` goes first, but
 * of those that may hang, or have hung once, who was answered last; a create that hangs gives its place to the next one; who is answered again goes with the others again.
 */
export class Lanes {
  readonly #clock: Clock
  readonly #watch: HangWatch
  readonly #wide: PQueue
  readonly #namespaces: NamespaceLanes
  readonly #suspects: PQueue
  /** Those that were sent before it was known that they hang. */
  readonly #hanging: PQueue
  readonly #slow = new PQueue({ concurrency: troubleLane / 2 })
  readonly #stuck = new PQueue({ concurrency: troubleLane / 2 })
  readonly #tardy = new PQueue({ concurrency: troubleLane })
  readonly #refused = new PQueue({ concurrency: troubleLane })
  readonly #standings = new Standings()
  /** By uid; a turn that waits in a lane and is not in here is over. */
  readonly #waiting = new Map<string, Turn>()
  readonly #underway = new Set<Promise<void>>()

  constructor(clock: Clock, connections: number) {
    const wide = wideLane(connections)
    this.#clock = clock
    this.#watch = new HangWatch(clock)
    this.#wide = new PQueue({ concurrency: wide })
    this.#namespaces = new NamespaceLanes({ first: firstOfNamespace, most: wide })
    this.#hanging = new PQueue({ concurrency: heldHanging(wide) })
    this.#suspects = new PQueue({ concurrency: Math.min(suspectLane, wide) })
  }

  /** Creates of resources without trouble that wait. */
  get backlog(): number {
    return this.#namespaces.size + this.#wide.size
  }

  get inFlight(): number {
    return this.#underway.size
  }

  /** Sent in this turn if there is a place. */
  enter(turn: Turn): void {
    this.#waiting.set(turn.uid, turn)
    const standing = this.#standings.of(turn)
    void this.#pass(turn, standing, this.#lanesOf(standing, turn.namespace))
  }

  /** The API server was asked about the resource by other means: whether it answered. */
  tried(uid: string, isAnswered: boolean): void {
    this.#standings.tried(uid, isAnswered, this.#clock.monotonic())
    this.#reorder(uid)
  }

  /** What waits is dropped. */
  forget(uid: string): void {
    this.#waiting.delete(uid)
    this.#standings.forget(uid)
  }

  /** Nothing more is sent: resolves when all that is under way is answered. */
  async ended(): Promise<void> {
    await Promise.all(this.#underway)
    this.#watch.stop()
  }

  /** One after the other, holding a place in each. */
  #lanesOf(standing: Standing, namespace: string): readonly PQueue[] {
    switch (standing) {
      case 'well':
        return [this.#namespaces.of(namespace), this.#wide]
      case 'refused':
        return [this.#refused, this.#wide]
      case 'suspect':
        return [this.#suspects]
      case 'refusedSuspect':
        return [this.#refused, this.#suspects]
      case 'tardy':
        return [this.#tardy]
      case 'slow':
        return [this.#slow]
      case 'stuck':
        return [this.#stuck]
    }
  }

  /** Whoever stands otherwise than when it began to wait goes another way. */
  #pass(turn: Turn, standing: Standing, [lane, ...further]: readonly PQueue[]): Promise<void> {
    if (this.#waiting.get(turn.uid) !== turn) return Promise.resolve()
    if (this.#standings.of(turn) !== standing) {
      this.enter(turn)
      return Promise.resolve()
    }
    if (lane === undefined) return this.#send(turn, standing)
    const isUrgent = standing === 'suspect' || standing === 'slow'
    const priority = isUrgent ? this.#standings.lastAnswered(turn.uid) : -turn.dueBy
    return lane.add(() => this.#pass(turn, standing, further), { priority })
  }

  /** What is known of a resource has changed: it need not wait among those that it belongs to no more. */
  #reorder(uid: string): void {
    const turn = this.#waiting.get(uid)
    if (turn !== undefined) this.enter(turn)
  }

  /** Resolves when its place is free for the next one. */
  #send(turn: Turn, standing: Standing): Promise<void> {
    this.#waiting.delete(turn.uid)
    const sentAt = this.#clock.monotonic()
    const { promise: isFree, resolve: giveWay } = Promise.withResolvers<void>()
    const answered = turn.send(this.#standings.limitMs(standing)).then(({ answer, conclude }) => {
      hangsNot()
      this.#underway.delete(answered)
      this.#learn(turn, { answer, before: standing, sentAt, tookMs: this.#clock.monotonic() - sentAt })
      conclude()
      giveWay()
    })
    const hangsNot = this.#watch.begin(
      this.#standings.hangsAfterMs,
      () => void this.#hangs({ turn, standing, sentAt, answered, giveWay }),
    )
    this.#underway.add(answered)
    return isFree
  }

  #learn(turn: Turn, end: End): void {
    this.#standings.answered(turn.uid, end)
    if (end.answer === 'taken' && end.tookMs < this.#standings.hangsAfterMs) this.#namespaces.widen(turn.namespace)
    const next = this.#waiting.get(turn.uid)
    if (next !== undefined && this.#standings.of(next) !== end.before) this.#reorder(turn.uid)
  }

  async #hangs({ turn, standing, sentAt, answered, giveWay }: Sent): Promise<void> {
    const hungNoMore = this.#standings.hangs(turn, sentAt, standing)
    void answered.then(hungNoMore)
    if (standing === 'tardy' || standing === 'slow' || standing === 'stuck') return
    await this.#clock.sleep(sameMomentMs)
    await this.#hanging.add(() => {
      giveWay()
      return answered
    })
  }
}
