import type { Api } from './api.ts'
import { type Fields, listOf } from './objects.ts'
import { pods } from './types.ts'

/** How many milliseconds a Pod runs, by an annotation of it. */
export const runMsAnnotation = 'test/run-ms'
/** `succeed`, `fail` or `never`. */
export const outcomeAnnotation = 'test/outcome'

const failed = { phase: 'Failed', end: { exitCode: 1, reason: 'Error' } }
const succeeded = { phase: 'Succeeded', end: { exitCode: 0, reason: 'Completed' } }

/** Plays scheduler and kubelet: a Pod runs at once, and ends after its time, by its status alone. */
export function runPods(api: Api, usualMs: number): void {
  const report = (uid: string, [phase, startTime]: readonly [string, string], state: Fields) => {
    const place = api.store.byUid(uid)
    if (place === undefined) return
    const ready = phase === 'Running'
    const containerStatuses = listOf(place.object.spec?.['containers']).map(({ name, image }) => {
      return { name, image, imageID: image, restartCount: 0, ready, started: ready, state }
    })
    api.replace(place, { ...place.object, status: { phase, startTime, containerStatuses } })
  }
  const run = api.queue(({ object: { metadata } }) => {
    const startedAt = api.timestamp()
    report(metadata.uid, ['Running', startedAt], { running: { startedAt } })
    const { [runMsAnnotation]: runMs = usualMs, [outcomeAnnotation]: outcome } = metadata.annotations ?? {}
    if (outcome === 'never') return
    const { phase, end } = outcome === 'fail' ? failed : succeeded
    api.later(Number(runMs), () => {
      report(metadata.uid, [phase, startedAt], { terminated: { ...end, startedAt, finishedAt: api.timestamp() } })
    })
  })
  api.store.subscribe(({ type, event, object }) => {
    if (type === pods && event === 'ADDED') run(object.metadata.uid)
  })
}
