import { setTimeout as delay } from 'node:timers/promises'
import type { KubeObject } from '../test/support/admin.ts'
import type { AuditRecord } from '../test/support/audit.ts'
import { type Ground, resourcesOf } from './ground.ts'
import { Sample } from './samples.ts'

/** What there is to be seen at one moment. */
export interface Look {
  readonly resources: readonly KubeObject[]
  readonly samples: readonly Sample[]
  readonly records: readonly AuditRecord[]
}

const pollMs = 200

/** Looks again and again until `signal` aborts; answers every resource that was ever seen. */
export async function follow(
  ground: Ground,
  signal: AbortSignal,
  show: (look: Look) => void,
): Promise<readonly Sample[]> {
  const samples = new Map<unknown, Sample>()
  while (!signal.aborted) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined)
    const now = Date.now()
    // No answer says nothing about anybody.
    const resources = await resourcesOf(ground).catch(() => null)
    if (resources === null) continue
    const found = new Map(resources.map((resource) => [resource.metadata['uid'], resource]))
    for (const [uid, resource] of found) if (!samples.has(uid)) samples.set(uid, new Sample(resource))
    for (const [uid, sample] of samples) sample.observe(found.get(uid) ?? null, now)
    show({ resources, samples: [...samples.values()], records: await ground.requests() })
  }
  return [...samples.values()]
}
