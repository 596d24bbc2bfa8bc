import type { Api } from './api.ts'
import { type Fields, listOf } from './objects.ts'
import { pods } from './types.ts'

/** How many milliseconds a Pod runs, by an annotation of it. */
export const runMsAnnotation = 'test/run-ms'
/** `succeed`, `fail` or `never`. */
export const outcomeAnnotation = 'test/outcome'

/** The phase of a Pod at its end, its exit code and the reason of that. */
const failed = ['Failed', 1, 'Error'] as const
const succeeded = ['Succeeded', 0, 'Completed'] as const

/** Plays scheduler and kubelet: a Pod runs at once, and ends after its time, by its status alone. */
export function runPods(api: Api, usualMs: number): void {
  const run = api.queue(({ object: { metadata } }) => {
    const startTime = api.timestamp()
    const report = (phase: string, state: Fields) => {
      const pod = api.store.byUid(metadata.uid)
      const containerStatuses = listOf(pod?.object.spec?.['containers']).map(({ name, image }) => {
        const isRunning = phase === 'Running'
        return { name, image, imageID: image, restartCount: 0, ready: isRunning, started: isRunning, state }
      })
      if (pod !== undefined) api.replace(pod, { ...pod.object, status: { phase, startTime, containerStatuses } })
    }
    report('Running', { running: { startedAt: startTime } })
    const { [runMsAnnotation]: runMs = usualMs, [outcomeAnnotation]: outcome } = metadata.annotations ?? {}
    if (outcome === 'never') return
    const [phase, exitCode, reason] = outcome === 'fail' ? failed : succeeded
    api.later(Number(runMs), () => {
      report(phase, { terminated: { exitCode, reason, startedAt: startTime, finishedAt: api.timestamp() } })
    })
  })
  api.store.subscribe(({ type, event, object }) => {
    if (type === pods && event === 'ADDED') run(object.metadata.uid)
  })
}
