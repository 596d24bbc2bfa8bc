import type { Check } from './http/health.ts'
import type { WatchHealth } from './kube/reflector.ts'

const longestTickGapMs = 5_000
/** The server ends each watch at 45 s: one that has been silent for longer than this is dead, or soon found to be. */
const longestSilenceMs = 50_000
/** A watch that ended as it should is open again within this time. */
const longestDisconnectMs = 3_000

/** A loop that does not turn is mended by a restart only. */
export function tickCheck(sinceTickMs: number): Check {
  return { ok: sinceTickMs < longestTickGapMs, reason: `the tick loop last turned ${Math.round(sinceTickMs)} ms ago` }
}

/** Never fails: who stands by is as well as who leads. It is there to be asked for by name. */
export function leaderCheck(leads: boolean, holder: string): Check {
  const standby = holder === '' ? 'standby: nobody is known to lead' : `standby: ${holder} leads`
  return { ok: true, reason: '', text: leads ? 'leader' : standby }
}

export function watchCheck({ synced, silentMs, disconnectedMs }: WatchHealth): Check {
  if (!synced) return { ok: false, reason: 'the first list has not arrived yet' }
  if (disconnectedMs > longestDisconnectMs)
    return { ok: false, reason: `no watch for ${Math.round(disconnectedMs)} ms` }
  return { ok: silentMs < longestSilenceMs, reason: `the watch has been silent for ${Math.round(silentMs)} ms` }
}
