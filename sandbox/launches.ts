import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from '../test/support/cluster.ts'

const pollMs = 200

/** Prints a line for each Job that the API server has taken, until `signal` aborts. */
export async function printLaunches(cluster: Cluster, signal: AbortSignal, say: (line: string) => void): Promise<void> {
  let printed = 0
  while (!signal.aborted) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined)
    const launches = (await cluster.audit()).filter(
      ({ verb, resource, code, dryRun }) => verb === 'create' && resource === 'jobs' && code === 201 && !dryRun,
    )
    for (const { name, received } of launches.slice(printed)) {
      const slot = Number(name.split('-').at(-1)) * 1_000
      say(`${new Date(slot).toISOString().slice(11, 19)}  ${name.padEnd(32)}  ${lateness(received - slot)}`)
    }
    printed = launches.length
  }
}

/** The first run is in the past by construction: a creation is noted in whole seconds. */
function lateness(ms: number): string {
  return `${ms.toFixed(1).padStart(8)} ms late`
}
