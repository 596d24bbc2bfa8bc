import { finalizer } from '../api/names.ts'
import type { SecondCronJob, Status } from '../api/secondcronjob.ts'
import type { Monotonic } from '../clock.ts'
import type { Verdict } from './acceptance.ts'
import type { Answered } from './lanes.ts'
import type { UnslottedTurn } from './launcher.ts'
import { askOf } from './manual-ask.ts'
import { attemptManualRun, type ManualAttemptParts, type Tried } from './manual-attempt.ts'
import type { EventReason, EventRecorder } from './ports.ts'

export interface ManualRunsParts extends ManualAttemptParts {
  readonly events: EventRecorder
  readonly stored: (uid: string) => SecondCronJob | undefined
  /** What is known of the template of this object; null while nothing is. */
  readonly verdict: (object: SecondCronJob) => Verdict | null
  /** Waits for a place among the creates of the slots. */
  readonly enter: (turn: UnslottedTurn) => void
  readonly changed: (uid: string) => void
}

/** What the status says of the tokens that were served. */
export type ServedTokens = Pick<Status, 'lastManualRun' | 'manualRunCount'>

/**
 * The extra Jobs that the run-now annotation asks for: one for each new token, whatever the schedule, `suspend`, the
 * policy and the limit say.
 *
 * Guarantees: a token that is seen runs once, whatever crashes: the Job's name is a function of the token and of how many were
 * served before it, and both are stored in one write before the next one is served; so a token may come back later and is a
 * new one. Known is what the annotation says now: a token that is overwritten before it was served is not served. While
 * the template is not accepted the run waits, and an edit of the resource has it tried at once.
 */
export class ManualRuns {
  readonly #parts: ManualRunsParts
  readonly #tried = new Map<string, Tried>()
  /** A turn in a lane has been asked for and has not ended yet. */
  readonly #underway = new Set<string>()
  /** A create may be on its way. */
  readonly #sent = new Set<string>()

  constructor(parts: ManualRunsParts) {
    this.#parts = parts
  }

  /** What the status is to say. */
  served({ uid, status }: SecondCronJob): ServedTokens {
    const tried = this.#tried.get(uid)
    const { lastManualRun, manualRunCount = 0 } = status
    if (tried?.isServed === true && tried.before + 1 >= manualRunCount)
      return { lastManualRun: tried.token, manualRunCount: tried.before + 1 }
    return lastManualRun === undefined ? {} : { lastManualRun, manualRunCount }
  }

  /** No create of this uid is on its way. */
  isIdle(uid: string): boolean {
    return !this.#sent.has(uid)
  }

  /** Starts the run that is asked for, if there is one; answers when to ask again, or null. */
  request(object: SecondCronJob): Monotonic | null {
    const { uid, namespace } = object
    if (!this.#isWanted(object) || this.#underway.has(uid)) return null
    const again = this.#known(object)?.again ?? 0
    if (again > this.#parts.clock.monotonic()) return Number.isFinite(again) ? again : null
    this.#underway.add(uid)
    this.#parts.enter({ uid, namespace, send: (limitMs, signal) => this.#turn(uid, limitMs, signal) })
    return null
  }

  forget(uid: string): void {
    this.#tried.delete(uid)
    this.#underway.delete(uid)
  }

  #isWanted(object: SecondCronJob): boolean {
    const { lastManualRun, manualRunCount = 0 } = this.served(object)
    const { token, before } = askOf(object)
    if (token === '' || token === lastManualRun) return false
    // The name of the next Job goes by what is stored, so it waits until the last token is.
    return manualRunCount === before && this.#mayRun(object)
  }

  #mayRun(object: SecondCronJob): boolean {
    const { deletingSince, finalizers, spec } = object
    if (deletingSince !== null || !spec.valid || !finalizers.includes(finalizer)) return false
    const verdict = this.#parts.verdict(object)
    return verdict !== null && verdict.status !== 'False'
  }

  /** What became of this very run so far. */
  #known(object: SecondCronJob): Tried | undefined {
    const tried = this.#tried.get(object.uid)
    const ask = askOf(object)
    return tried?.token === ask.token && tried.generation === ask.generation ? tried : undefined
  }

  async #turn(uid: string, limitMs: number, signal: AbortSignal): Promise<Answered> {
    const object = this.#parts.stored(uid)
    if (object === undefined || !this.#isWanted(object)) return { answer: 'unasked', conclude: () => this.#end(uid) }
    this.#sent.add(uid)
    const failures = this.#known(object)?.failures ?? 0
    const isWanted = () => this.#isStillAsked(object)
    const { tried, answer } = await attemptManualRun(this.#parts, { object, failures, limitMs, signal, isWanted })
    this.#sent.delete(uid)
    const isGone = this.#parts.stored(uid) === undefined
    return { answer: isGone ? 'gone' : answer, conclude: () => this.#keep(object, tried) }
  }

  #isStillAsked(object: SecondCronJob): boolean {
    const now = this.#parts.stored(object.uid)
    if (now === undefined || !this.#isWanted(now)) return false
    const [asked, asks] = [askOf(object), askOf(now)]
    return asks.token === asked.token && asks.before === asked.before && asks.generation === asked.generation
  }

  #keep(object: SecondCronJob, tried: Tried): void {
    const before = this.#tried.get(object.uid)
    this.#tried.set(object.uid, tried)
    const isNews = before?.token !== tried.token || before.message !== tried.message
    if (isNews && tried.message !== '') this.#tell(object, tried)
    this.#end(object.uid)
  }

  #end(uid: string): void {
    this.#underway.delete(uid)
    this.#parts.changed(uid)
  }

  #tell(object: SecondCronJob, { isServed, message }: Tried): void {
    const reason: EventReason = isServed ? 'SuccessfulCreate' : 'FailedCreate'
    const type = isServed ? 'Normal' : 'Warning'
    this.#parts.events.record(object, { type, reason, action: 'RunNow', note: message }, this.#parts.clock.now())
  }
}
