import type { Api } from './api.ts'
import { pods } from './types.ts'

/** How many milliseconds a Pod runs, by an annotation of it. */
export const runMsAnnotation = 'test/run-ms'
/** `succeed`, `fail` or `never`. */
export const outcomeAnnotation = 'test/outcome'

/** Plays scheduler and kubelet: a Pod runs at once, and ends after its time, by its status alone. */
export function runPods(api: Api, usualMs: number): void {
  const run = api.queue(({ object: { metadata } }) => {
    const startTime = api.timestamp()
    const report = (phase: string) => {
      const status = phase === 'Running' ? 'True' : 'False'
      const ready = { type: 'Ready', status, lastTransitionTime: api.timestamp() }
      const pod = api.store.byUid(metadata.uid)
      if (pod !== undefined) api.replace(pod, { ...pod.object, status: { phase, startTime, conditions: [ready] } })
    }
    report('Running')
    const { [runMsAnnotation]: runMs = usualMs, [outcomeAnnotation]: outcome } = metadata.annotations ?? {}
    if (outcome !== 'never') api.later(Number(runMs), () => report(outcome === 'fail' ? 'Failed' : 'Succeeded'))
  })
  api.store.subscribe(({ type, event, object }) => {
    if (type === pods && event === 'ADDED') run(object.metadata.uid)
  })
}
