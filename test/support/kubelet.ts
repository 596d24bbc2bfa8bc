import type { Admin, KubeObject } from './admin.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { outcomeAnnotation, runMsAnnotation } from '../../sandbox/server/pod-runner.ts'

const pollMs = 100
/** The operator's own Pods are for the `TestNode`. */
const served = '/api/v1/pods?fieldSelector=status.phase=Pending,metadata.namespace!=myyrakle'
const atOnce = 16

/**
 * Plays scheduler and kubelet: there are none, and none are needed. A Pod ends `runMs` after it was first seen, by its
 * status alone, as its annotations say; one that is being deleted goes at once.
 */
export class Kubelet {
  readonly #admin: Admin
  readonly #runMs: number
  readonly #seen = new Map<string, number>()
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor(admin: Admin, runMs = 200) {
    this.#admin = admin
    this.#runMs = runMs
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // The API server may be away: then its Pods wait.
      const pods = await this.#admin.list(served).catch(() => [])
      for (let at = 0; at < pods.length; at += atOnce)
        await Promise.all(pods.slice(at, at + atOnce).map((pod) => this.#serve(pod).catch(() => undefined)))
      await delay(pollMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  async #serve(pod: KubeObject): Promise<void> {
    const { namespace, name, annotations = {}, deletionTimestamp } = pod.metadata as PodMetadata
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`
    if (deletionTimestamp !== undefined) return this.#admin.delete(path, { gracePeriodSeconds: 0 })
    const outcome = annotations[outcomeAnnotation] ?? 'succeed'
    const since = this.#seen.get(path) ?? performance.now()
    this.#seen.set(path, since)
    if (outcome === 'never' || performance.now() - since < Number(annotations[runMsAnnotation] ?? this.#runMs)) return
    this.#seen.delete(path)
    await this.#admin.patch(`${path}/status`, 'merge', endedStatus(pod, outcome === 'fail' ? 1 : 0))
  }
}

interface PodMetadata {
  readonly namespace: string
  readonly name: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly deletionTimestamp?: string
}

function endedStatus(pod: KubeObject, exitCode: number): object {
  const now = `${new Date().toISOString().slice(0, 19)}Z`
  const { containers } = pod['spec'] as { containers: { name: string; image: string }[] }
  const containerStatuses = containers.map(({ name, image }) => ({
    name,
    image,
    imageID: image,
    ready: false,
    restartCount: 0,
    state: {
      terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: now, finishedAt: now },
    },
  }))
  return { status: { phase: exitCode === 0 ? 'Succeeded' : 'Failed', startTime: now, containerStatuses } }
}
