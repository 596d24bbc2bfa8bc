import { Launcher } from '../../src/controller/launcher.ts'
import type { Prepared } from '../../src/controller/outcome.ts'
import type { JobManifest } from '../../src/controller/ports.ts'
import type { Instant } from '../../src/schedule/state.ts'
import { FakeJobControl, FakeTally } from './fake-controls.ts'
import { ManualClock } from './manual-clock.ts'
import { at } from './times.ts'

/** A launcher whose prepare always says go, with the log of what became of each slot. */
export function aLauncher(
  options: {
    connections?: number
    prepare?: (slot: Instant, now: Instant) => Prepared
    nextSlot?: (uid: string, slot: Instant) => Instant
    /** Of a resource; `default` when absent. */
    namespaceOf?: (uid: string) => string
  } = {},
) {
  const clock = new ManualClock('2026-01-01T12:00:00Z')
  const jobs = new FakeJobControl(clock)
  const tally = new FakeTally()
  const outcomes: string[] = []
  const launcher = new Launcher({
    clock,
    jobs,
    connections: options.connections ?? 32,
    createTimeoutMs: 10_000,
    leaseLeftMs: () => 5_500,
    jobOf: (uid, slot) => ({
      name: manifestOf(uid, slot).metadata.name,
      namespace: options.namespaceOf?.(uid) ?? 'default',
    }),
    leftMs: () => Infinity,
    nextSlot: (uid, slot) => options.nextSlot?.(uid, slot) ?? null,
    seen: () => {},
    buryJob: () => {},
    tally,
    prepare: (uid, slot, now) => options.prepare?.(slot, now) ?? go(uid, slot),
    settle: (uid, slot, outcome) => {
      const why =
        'failure' in outcome && outcome.failure !== null
          ? outcome.failure.reason
          : 'reason' in outcome
            ? outcome.reason
            : ''
      outcomes.push(`${uid}-${slot / 1_000 - at('12:00:00') / 1_000} ${outcome.kind} ${why}`.trim())
    },
  })
  return { clock, jobs, launcher, tally, outcomes: () => outcomes.splice(0) }
}

export function go(uid: string, slot: Instant): Prepared {
  return {
    kind: 'go',
    generation: 1,
    manifest: () => manifestOf(uid, slot),
    replaces: [],
    alone: false,
  }
}

export function manifestOf(uid: string, slot: Instant): JobManifest {
  const name = `${uid}-${(slot - at('12:00:00')) / 1_000}`
  const metadata = { name, namespace: 'default', ownerReferences: [{ uid }] }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: {} }
}
