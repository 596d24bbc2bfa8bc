import { isActive, decodeJob, type Job } from '../../src/api/job.ts'
import { JsonLines } from '../../src/kube/json-lines.ts'
import type { Cluster } from './cluster.ts'

/** What a watch of all Jobs shows: how many of each resource were active at once, ever. */
export class ActiveJobs {
  readonly #most = new Map<string, number>()
  readonly #active = new Map<string, Set<string>>()
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  static async watch(cluster: Cluster): Promise<ActiveJobs> {
    const watched = new ActiveJobs()
    const bytes = await cluster.admin.watch('/apis/batch/v1/jobs?watch=true&timeoutSeconds=600', watched.#stop.signal)
    watched.#running = watched.#read(bytes)
    return watched
  }

  /** The uids of the resources of which more than one was active at once, with how many. */
  get crowded(): ReadonlyMap<string, number> {
    return new Map([...this.#most].filter(([, most]) => most > 1))
  }

  /** How many resources had a Job. */
  get resources(): number {
    return this.#most.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #read(bytes: AsyncIterable<Buffer>): Promise<void> {
    const lines = new JsonLines()
    try {
      for await (const chunk of bytes) for (const line of lines.push(chunk)) this.#event(line as WatchEvent)
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error
    }
  }

  #event({ type, object }: WatchEvent): void {
    if (type === 'ERROR') throw new Error(`the watch ended: ${JSON.stringify(object)}`)
    if (type !== 'BOOKMARK') this.#see(decodeJob(object), type === 'DELETED')
  }

  #see(job: Job, isGone: boolean): void {
    if (job.ownerUid === null) return
    const active = this.#active.get(job.ownerUid) ?? new Set<string>()
    this.#active.set(job.ownerUid, active)
    if (isActive(job) && !isGone) active.add(job.uid)
    else active.delete(job.uid)
    this.#most.set(job.ownerUid, Math.max(active.size, this.#most.get(job.ownerUid) ?? 0))
  }
}

interface WatchEvent {
  readonly type: string
  readonly object: unknown
}
