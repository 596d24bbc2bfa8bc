import { decodeSecondCronJob } from './api/decode.ts'
import { decodeJob, type Job } from './api/job.ts'
import type { SecondCronJob } from './api/secondcronjob.ts'
import type { Stores } from './controller/stores.ts'
import type { Requester } from './kube/fenced.ts'
import { KubeJobControl } from './kube/job-control.ts'
import { jobsPath, ownerSelector, secondCronJobsPath } from './kube/paths.ts'
import { KubeSecondCronJobControl } from './kube/secondcronjob-control.ts'
import type { Collection } from './mirror.ts'

/** The two collections of the API server that are mirrored, each with its store. */
export class Collections {
  readonly #transport: Requester
  readonly #stores: Stores

  constructor(transport: Requester, stores: Stores) {
    this.#transport = transport
    this.#stores = stores
  }

  objects(): Collection<SecondCronJob> {
    const control = new KubeSecondCronJobControl(this.#transport)
    const store = this.#stores.objects
    return {
      what: 'secondcronjobs',
      path: secondCronJobsPath,
      decode: decodeSecondCronJob,
      store,
      get: (namespace, name) => control.get(namespace, name),
      remove: (uid) => store.bury(uid),
      absence: 'looked up',
      isServed: (namespace) => this.#isServed(namespace),
    }
  }

  /** A Job that leaves the label selector looks deleted and may come back: it is removed, not buried. */
  jobs(): Collection<Job> {
    const control = new KubeJobControl(this.#transport)
    const store = this.#stores.jobs
    return {
      what: 'jobs',
      path: jobsPath,
      labelSelector: ownerSelector(),
      decode: decodeJob,
      store,
      get: (namespace, name) => control.get(namespace, name),
      remove: (uid) => store.remove(uid),
      absence: 'believed',
      isServed: (namespace) => this.#isServed(namespace),
    }
  }

  #isServed(namespace: string): boolean {
    return this.#stores.objects.values().some((object) => object.namespace === namespace)
  }
}
