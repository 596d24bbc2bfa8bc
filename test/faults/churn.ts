import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from '../support/cluster.ts'

const everyMs = 1_000
/** So many seconds old they are deleted. */
const lifeSeconds = 4

/** A resource that runs often and loads the machine little: its Jobs have nothing to do, and no Pods. */
export function specOf(intervalSeconds: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const pod = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] }
  return { intervalSeconds, jobTemplate: { spec: { completions: 0, template: { spec: pod } } }, ...more }
}

/**
 * What users do meanwhile: each second one resource is created, the one of four seconds ago deleted, and one of `edited`
 * changed: its interval, or whether it is suspended. All by itself until `signal` aborts; the audit log says what of it was done.
 */
export async function churn(
  cluster: Cluster,
  namespace: string,
  edited: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let second = 0; !signal.aborted; second += 1) {
    await Promise.all(
      [
        cluster.create(`c${second}`, specOf(1 + (second % 3)), namespace),
        second < lifeSeconds || cluster.delete(`c${second - lifeSeconds}`, 'Background', namespace),
        edit(cluster, namespace, edited[second % edited.length], second),
        // The API server may be away: then nothing is done.
      ].map((one) => Promise.resolve(one).catch(() => undefined)),
    )
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

async function edit(cluster: Cluster, namespace: string, name: string | undefined, second: number): Promise<void> {
  if (name === undefined) return
  const change = second % 2 === 0 ? { intervalSeconds: 2 + (second % 3) } : { suspend: second % 4 === 1 }
  await cluster.edit(name, change, namespace)
}
