import type { Check } from './http/health.ts'
import type { WatchHealth } from './kube/reflector.ts'

const longestTickGapMs = 5_000
/** The server ends each watch at 45 s: one that has been silent for longer than this is dead, or soon found to be. */
const longestSilenceMs = 50_000
/** A watch that ended as it should is open again within this time. */
const longestDisconnectMs = 3_000

const longestUnheardMs = 60_000

/** A loop that does not turn is mended by a restart only. */
export function tickCheck(sinceTickMs: number): Check {
  return { ok: sinceTickMs < longestTickGapMs, reason: `the tick loop last turned ${Math.round(sinceTickMs)} ms ago` }
}

export interface Leadership {
  readonly leads: boolean
  /** Who is known to lead; empty when nobody is. */
  readonly holder: string
  /** In one word, why nobody may be known to; empty when there is no reason. */
  readonly why: string
}

/** Never fails: who stands by is as well as who leads. It is there to be asked for by name. */
export function leaderCheck({ leads, holder, why }: Leadership): Check {
  const nobody = why === '' ? 'nobody leads' : `nobody leads (${why})`
  const standby = `standby: ${holder === '' ? nobody : `${holder} leads`}`
  return { ok: true, reason: '', text: leads ? 'leader' : standby }
}

/** Who has heard nothing of the Lease for so long neither leads nor stands by (ADR 12). */
export function leaseCheck(failingMs: number, why: string): Check {
  const seconds = Math.round(failingMs / 1_000)
  return { ok: failingMs < longestUnheardMs, reason: `nothing is heard of the lease for ${seconds} s: ${why}` }
}

export function watchCheck({ synced, silentMs, disconnectedMs }: WatchHealth): Check {
  if (!synced) return { ok: false, reason: 'the first list has not arrived yet' }
  if (disconnectedMs > longestDisconnectMs)
    return { ok: false, reason: `no watch for ${Math.round(disconnectedMs)} ms` }
  return { ok: silentMs < longestSilenceMs, reason: `the watch has been silent for ${Math.round(silentMs)} ms` }
}
