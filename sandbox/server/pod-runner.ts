import { type Api, type Mutations, sleepAndDo } from './mutations.ts'
import { type Fields, type KubeObject, timestamp } from './objects.ts'
import { pods } from './types.ts'

/** How a Pod behaves, by its annotations. */
export const runMsAnnotation = 'test/run-ms'
/** `succeed`, `fail` or `never`. */
export const outcomeAnnotation = 'test/outcome'

/** Plays scheduler and kubelet: a Pod runs at once, and ends after its time, by its status alone. */
export class PodRunner {
  readonly #api: Api
  readonly #mutations: Mutations
  readonly #runMs: number

  constructor(api: Api, mutations: Mutations, runMs: number) {
    this.#api = api
    this.#mutations = mutations
    this.#runMs = runMs
  }

  start(): void {
    this.#api.store.subscribe(({ collection, type, object }) => {
      if (collection === pods.collection && type === 'ADDED') setImmediate(() => this.#run(object.metadata.uid))
    })
  }

  #run(uid: string): void {
    const startTime = timestamp(this.#api.clock.now())
    const pod = this.#report(uid, 'Running', { running: { startedAt: startTime } }, startTime)
    const { [runMsAnnotation]: runMs = this.#runMs, [outcomeAnnotation]: outcome = 'succeed' } =
      pod?.metadata.annotations ?? {}
    if (pod === undefined || outcome === 'never') return
    sleepAndDo(this.#api, Number(runMs), () => {
      const ended = { startedAt: startTime, finishedAt: timestamp(this.#api.clock.now()) }
      if (outcome === 'fail')
        this.#report(uid, 'Failed', { terminated: { exitCode: 1, reason: 'Error', ...ended } }, startTime)
      else this.#report(uid, 'Succeeded', { terminated: { exitCode: 0, reason: 'Completed', ...ended } }, startTime)
    })
  }

  #report(uid: string, phase: string, state: Fields, startTime: string): KubeObject | undefined {
    const pod = this.#api.store.byUid(uid)?.object
    if (pod === undefined) return undefined
    const containers = (pod.spec?.['containers'] ?? []) as { readonly name: string; readonly image: string }[]
    const ready = phase === 'Running'
    const containerStatuses = containers.map(({ name, image }) => ({
      name,
      image,
      imageID: image,
      restartCount: 0,
      ready,
      started: ready,
      state,
    }))
    return this.#mutations.replace(pods, pod, { ...pod, status: { phase, startTime, containerStatuses } })
  }
}
