import type { Api } from './api.ts'
import { type Fields, type KubeObject, listOf, timestamp } from './objects.ts'
import { pods } from './types.ts'

/** How many milliseconds a Pod runs, by an annotation of it. */
export const runMsAnnotation = 'test/run-ms'
/** `succeed`, `fail` or `never`. */
export const outcomeAnnotation = 'test/outcome'

/** Plays scheduler and kubelet: a Pod runs at once, and ends after its time, by its status alone. */
export class PodRunner {
  readonly #api: Api
  readonly #runMs: number

  constructor(api: Api, runMs: number) {
    this.#api = api
    this.#runMs = runMs
    api.store.subscribe(({ collection, type, object }) => {
      if (collection === pods.collection && type === 'ADDED') setImmediate(() => this.#run(object.metadata))
    })
  }

  #run({ uid, annotations = {} }: KubeObject['metadata']): void {
    const startedAt = timestamp(this.#api.clock.now())
    this.#report(uid, 'Running', { running: { startedAt } }, startedAt)
    const { [runMsAnnotation]: runMs = this.#runMs, [outcomeAnnotation]: outcome = 'succeed' } = annotations
    if (outcome === 'never') return
    const [phase, end] =
      outcome === 'fail'
        ? (['Failed', { exitCode: 1, reason: 'Error' }] as const)
        : (['Succeeded', { exitCode: 0, reason: 'Completed' }] as const)
    this.#api.later(Number(runMs), () => {
      const terminated = { ...end, startedAt, finishedAt: timestamp(this.#api.clock.now()) }
      this.#report(uid, phase, { terminated }, startedAt)
    })
  }

  #report(uid: string, phase: string, state: Fields, startTime: string): void {
    const pod = this.#api.store.byUid(uid)?.object
    if (pod === undefined) return
    const ready = phase === 'Running'
    const containerStatuses = listOf(pod.spec?.['containers']).map(({ name, image }) => {
      return { name, image, imageID: image, restartCount: 0, ready, started: ready, state }
    })
    this.#api.replace(pods, pod, { ...pod, status: { phase, startTime, containerStatuses } })
  }
}
