import { finalizer } from '../api/names.ts'
import type { Job } from '../api/job.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import { decide, review } from '../schedule/decide.ts'
import { nextSlot } from '../schedule/slots.ts'
import type { Action, Activity, Grid, Instant, Pause, ScheduleState } from '../schedule/state.ts'
import type { Verdict } from './acceptance.ts'
import { beginTrack } from './begin-track.ts'
import type { MadeManifest } from './manifests.ts'
import { Narrator } from './narrator.ts'
import { applyAction, applyOutcome, asSeen, heldReason, type Outcome, type Prepared, seeLaunched } from './outcome.ts'
import type { EventRecorder, Tally, View } from './ports.ts'
import { gridOf, holdBack, isShown, observe, scheduleState, type Track } from './track.ts'

export interface SchedulerParts {
  readonly objects: View<SecondCronJob>
  /** The slots of the owned Jobs of this uid, the newest one ever seen among them. */
  readonly jobSlots: (uid: string) => readonly Instant[]
  /** What is known of the template of this object; null while nothing is. */
  readonly verdict: (object: SecondCronJob) => Verdict | null
  /** The Jobs of this uid that are active, as known. */
  readonly active: (uid: string) => readonly Job[]
  /** The Jobs that are active, and the creates of other slots than this one that may have made one. */
  readonly activity: (uid: string, besides: Instant | null) => Activity
  /** Of the Job of this slot; null when the object has become another one, or gone. Rejects with ApiError. */
  readonly manifest: (object: SecondCronJob, slot: Instant) => MadeManifest
  readonly dispatch: (uid: string, slot: Instant) => void
  /** Something that the status shows has changed. */
  readonly touched: (uid: string) => void
  readonly events: EventRecorder
  readonly tally: Tally
}

/**
 * Decides what is due, and remembers what was decided: the one writer of every Track.
 * Every method is synchronous and takes the time as an argument: the API can be slow, a decision can't.
 */
export class Scheduler {
  readonly #parts: SchedulerParts
  readonly #narrator: Narrator
  readonly #tracks = new Map<string, Track>()
  /** False until all stores are complete: nothing is decided on half a list. */
  #running = false

  constructor(parts: SchedulerParts) {
    this.#parts = parts
    this.#narrator = new Narrator(parts.events)
  }

  track(uid: string): Track | undefined {
    return this.#tracks.get(uid)
  }

  /** The stores are complete: from here on what is seen is decided. */
  start(): void {
    this.#running = true
  }

  /** No further decision; what was prepared is no longer wanted. */
  stop(): void {
    this.#running = false
  }

  tick(now: Instant): void {
    for (const object of this.#parts.objects.values()) this.#decide(object, now)
  }

  /** An object was seen, new or changed: it is decided at once, not at the next tick. */
  see(before: SecondCronJob | undefined, after: SecondCronJob | undefined, now: Instant): void {
    if (after !== undefined) this.#look(after, now)
    else if (before !== undefined) this.#tracks.delete(before.uid)
  }

  /** Something else than the object itself has changed that decides about it, such as the verdict. */
  consider(uid: string, now: Instant): void {
    const object = this.#parts.objects.get(uid)
    if (object !== undefined) this.#decide(object, now)
  }

  /** An owned Job was seen. */
  seeJob(uid: string, slot: Instant, now: Instant): void {
    this.#update(uid, now, (track) => seeLaunched(track, slot))
  }

  /**
   * The last look before a create is sent, in the same synchronous turn: the object as it is now, not as it was when
   * the slot was decided.
   */
  prepare(uid: string, slot: Instant, now: Instant): Prepared {
    const object = this.#parts.objects.get(uid)
    const track = this.#tracks.get(uid)
    if (object === undefined || track === undefined || !object.spec.valid) return { kind: 'unwanted' }
    const state = this.#stateOf(object, track, slot)
    if (state === null || !this.#running) return { kind: 'unwanted' }
    const reviewed = review(now, slot, state)
    if (reviewed.kind !== 'go') return reviewed
    const { concurrencyPolicy } = object.spec
    return {
      kind: 'go',
      generation: object.generation,
      manifest: () => this.#parts.manifest(object, slot),
      replaces: concurrencyPolicy === 'Replace' ? this.#parts.active(uid) : [],
      alone: concurrencyPolicy !== 'Allow',
    }
  }

  /** In how many milliseconds the slot is too late to be launched; Infinity without a deadline. */
  leftMs(uid: string, slot: Instant, now: Instant): number {
    const spec = this.#parts.objects.get(uid)?.spec
    const seconds = spec?.valid === true ? spec.startingDeadlineSeconds : null
    return seconds === null ? Infinity : slot + seconds * 1_000 - now
  }

  /** The slot after this one; null when none is to come. */
  nextSlot(uid: string, slot: Instant): Instant | null {
    const object = this.#parts.objects.get(uid)
    return object?.spec.valid === true ? nextSlot(gridOf(object), slot) : null
  }

  /** What became of a dispatched slot, or of one attempt at it. */
  settle(uid: string, slot: Instant, given: Outcome, now: Instant): void {
    const outcome = asSeen(given, () => this.#parts.jobSlots(uid).includes(slot))
    // Aborted, or not sent, because this process ends: nobody tries again here, and whoever leads next counts the slot.
    if ((outcome.kind === 'retrying' || outcome.kind === 'unwanted') && !this.#running) return
    if (outcome.kind === 'missed') this.#parts.tally.missed(outcome.reason, 1)
    if (outcome.kind === 'refused') this.#parts.tally.missed(outcome.failure.reason, 1)
    if (outcome.kind === 'skipped') this.#parts.tally.skipped(outcome.reason)
    this.#update(uid, now, (track) => applyOutcome(track, slot, outcome))
    if (outcome.kind === 'unwanted') this.#giveBack(uid, slot)
    // A slot may have waited for what became of this one.
    if (outcome.kind !== 'retrying') this.consider(uid, now)
  }

  /** The template became unacceptable before the slot was launched: mended, the slot is as due as it was. */
  #giveBack(uid: string, slot: Instant): void {
    const object = this.#parts.objects.get(uid)
    const track = this.#tracks.get(uid)
    if (object === undefined || track?.decided !== slot) return
    const pause = this.#pause(object)
    if (pause === 'NotAccepted' || pause === 'NotReady') this.#tracks.set(uid, { ...track, decided: slot - 1 })
  }

  #look(object: SecondCronJob, now: Instant): void {
    if (!this.#running) return
    if (this.#tracks.has(object.uid)) this.#update(object.uid, now, (track) => observe(now, track, object))
    else this.#tracks.set(object.uid, beginTrack(now, object, this.#parts.jobSlots(object.uid)))
    this.#decide(object, now)
  }

  #decide(object: SecondCronJob, now: Instant): void {
    const track = this.#tracks.get(object.uid)
    if (!this.#running || track === undefined) return
    const state = this.#stateOf(object, track, null)
    const action = state === null ? null : decide(now, state)
    if (state !== null && action !== null) this.#do(object.uid, state.grid, action, now)
    else if (state !== null) this.#tracks.set(object.uid, holdBack(track, state))
  }

  #do(uid: string, grid: Grid, action: Action, now: Instant): void {
    const { slot, missed } = action
    const track = this.#tracks.get(uid)
    if (missed > 0 && track !== undefined) this.#parts.tally.missed(heldReason(track), missed)
    this.#update(uid, now, (before) => applyAction(before, grid, action))
    if (action.kind === 'launch') this.#parts.dispatch(uid, slot)
    else if (action.kind === 'skip') this.settle(uid, slot, { kind: 'skipped', reason: action.reason }, now)
    else this.settle(uid, slot, { kind: 'missed', reason: action.reason, failure: null }, now)
  }

  #stateOf(object: SecondCronJob, track: Track, besides: Instant | null): ScheduleState | null {
    const activity = this.#parts.activity(object.uid, besides)
    return scheduleState(object, track, { pause: this.#pause(object), activity })
  }

  #pause(object: SecondCronJob): Pause | null {
    if (object.deletingSince !== null) return 'Deleting'
    if (!object.spec.valid) return 'NotAccepted'
    if (object.spec.suspend) return 'Suspended'
    if (!object.finalizers.includes(finalizer)) return 'NotReady'
    const verdict = this.#parts.verdict(object)
    if (verdict === null) return 'NotReady'
    return verdict.status === 'False' ? 'NotAccepted' : null
  }

  #update(uid: string, now: Instant, change: (track: Track) => Track): void {
    const object = this.#parts.objects.get(uid)
    const before = this.#tracks.get(uid)
    if (object === undefined || before === undefined) return
    const after = change(before)
    if (after === before) return
    this.#tracks.set(uid, after)
    this.#narrator.changed(object, before, after, now)
    if (isShown(before, after)) this.#parts.touched(uid)
  }
}
