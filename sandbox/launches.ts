import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from '../test/support/cluster.ts'
import { isLaunch } from '../test/support/verdict.ts'
import { clockTime, type Sample, slotOf } from './samples.ts'

const pollMs = 200

/** Follows what happens, until `signal` aborts: prints a line for each Job that the API server has taken, and looks at the samples. */
export async function follow(
  cluster: Cluster,
  samples: readonly Sample[],
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  let printed = 0
  while (!signal.aborted) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined)
    await Promise.all(samples.map((sample) => look(cluster, sample)))
    const launches = (await cluster.audit()).filter(isLaunch)
    for (const { name, received } of launches.slice(printed)) {
      const slot = slotOf(name)
      say(`${clockTime(slot)}  ${name.padEnd(32)}  ${lateness(received - slot)}`)
    }
    printed = launches.length
  }
}

async function look(cluster: Cluster, sample: Sample): Promise<void> {
  const now = Date.now()
  const object = await cluster.get(sample.name).catch(() => undefined)
  // No answer says nothing about the sample.
  if (object !== undefined) sample.observe(object, now)
}

/** The first run is in the past by construction: a creation is noted in whole seconds. */
function lateness(ms: number): string {
  return `${ms.toFixed(1).padStart(8)} ms late`
}
