import { isActive, type Job } from '../api/job.ts'
import type { Activity, Instant } from '../schedule/state.ts'

interface Owned {
  readonly jobs: Map<string, Job>
  /** The uids of those that have not finished. */
  readonly active: Set<string>
  /** The newest slot ever seen in a Job's name; it stays when the Job goes. */
  newestSlot: Instant | null
  /** When the newest end of a Job was; it stays when the Job goes. */
  busyUntil: Instant | null
  /** The resource is gone; the entry goes with its last Job. */
  orphaned: boolean
}

/** The Jobs by the uid of the resource that controls them. Fed by the store's changes, read by everybody. */
export class OwnedJobs {
  readonly #owners = new Map<string, Owned>()

  change(before: Job | undefined, after: Job | undefined): void {
    if (before !== undefined && before.ownerUid !== after?.ownerUid) this.#drop(before)
    if (after !== undefined) this.#keep(after)
  }

  of(ownerUid: string): readonly Job[] {
    return [...(this.#owners.get(ownerUid)?.jobs.values() ?? [])]
  }

  activeCount(ownerUid: string): number {
    return this.#owners.get(ownerUid)?.active.size ?? 0
  }

  /** A create counts until its Job is here, or it is known that there is none; that of the slot `besides` never does. */
  activity(ownerUid: string, creates: readonly Instant[], besides: Instant | null): Activity {
    const active = this.activeCount(ownerUid)
    const others = creates.filter((slot) => slot !== besides)
    const busyUntil = this.#owners.get(ownerUid)?.busyUntil ?? null
    if (others.length === 0) return { active, unsettled: 0, busyUntil }
    const slots = new Set(this.of(ownerUid).map((job) => job.slot))
    return { active, unsettled: others.filter((slot) => !slots.has(slot)).length, busyUntil }
  }

  /** Of the Jobs that are here, and the newest one ever seen. */
  slots(ownerUid: string): readonly Instant[] {
    const newest = this.#owners.get(ownerUid)?.newestSlot ?? null
    return [...this.of(ownerUid).map(({ slot }) => slot), newest].filter((slot) => slot !== null)
  }

  /** The resource is gone. Its Jobs that still arrive are kept until they go as well. */
  forget(ownerUid: string): void {
    const owned = this.#owners.get(ownerUid)
    if (owned === undefined) return
    owned.orphaned = true
    if (owned.jobs.size === 0) this.#owners.delete(ownerUid)
  }

  #keep(job: Job): void {
    const { ownerUid, slot } = job
    if (ownerUid === null) return
    const owned = this.#owners.get(ownerUid) ?? nothing()
    owned.jobs.set(job.uid, job)
    if (isActive(job)) owned.active.add(job.uid)
    else owned.active.delete(job.uid)
    if (job.finished !== null) owned.busyUntil = Math.max(job.finished.at, owned.busyUntil ?? job.finished.at)
    if (slot !== null) owned.newestSlot = Math.max(slot, owned.newestSlot ?? slot)
    this.#owners.set(ownerUid, owned)
  }

  #drop({ ownerUid, uid }: Job): void {
    const owned = ownerUid === null ? undefined : this.#owners.get(ownerUid)
    if (ownerUid === null || owned === undefined) return
    owned.jobs.delete(uid)
    owned.active.delete(uid)
    if (owned.orphaned && owned.jobs.size === 0) this.#owners.delete(ownerUid)
  }
}

function nothing(): Owned {
  return { jobs: new Map(), active: new Set(), newestSlot: null, busyUntil: null, orphaned: false }
}
