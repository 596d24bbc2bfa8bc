import type { Job } from '../api/job.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import { type Changed, Store } from '../store.ts'
import { OwnedJobs } from './owned-jobs.ts'

/** Told of every change of a store, while it listens. */
export interface StoresListener {
  readonly objectChanged: Changed<SecondCronJob>
  readonly jobChanged: Changed<Job>
}

/**
 * What is known of the cluster, whether or not this process leads: filled by the mirrors, and by the answers to what the
 * leader writes. At most one controller listens at a time.
 */
export class Stores {
  readonly objects = new Store<SecondCronJob>((before, after) => this.#objectChanged(before, after))
  readonly jobs = new Store<Job>((before, after) => this.#jobChanged(before, after))
  readonly owned = new OwnedJobs()
  #listener: StoresListener | null = null

  /** Until somebody else does, or `listen(null)`. */
  listen(listener: StoresListener | null): void {
    this.#listener = listener
  }

  #objectChanged(before: SecondCronJob | undefined, after: SecondCronJob | undefined): void {
    if (before !== undefined && after === undefined) this.owned.forget(before.uid)
    this.#listener?.objectChanged(before, after)
  }

  #jobChanged(before: Job | undefined, after: Job | undefined): void {
    this.owned.change(before, after)
    this.#listener?.jobChanged(before, after)
  }
}
