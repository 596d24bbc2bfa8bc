import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../support/admin.ts'
import { leasePath } from '../support/service-account.ts'
import type { Act } from './acts.ts'
import { specOf } from './churn.ts'
import { writes } from './kinds.ts'
import type { Match } from './proxy/rules.ts'
import type { Stage } from './stage.ts'

const leadMs = 30_000

interface Term {
  readonly holderIdentity?: string
  readonly leaseTransitions?: number
  readonly acquireTime?: string
}

/** Somebody does this to the Lease, again and again; each time somebody has to lead by it again before the next one. */
function withLease(act: (stage: Stage) => Promise<unknown>): Act {
  return async (stage, until) => {
    while (Date.now() < until) {
      stage.runs += 1
      await stage.takeover(async () => {
        await act(stage)
        await waitFor('a holder of the Lease that leads', leadMs, () => isHeld(stage))
      })
      await delay(5_000)
    }
  }
}

/** By an operator that says so itself. */
async function isHeld(stage: Stage): Promise<boolean> {
  const { holderIdentity = '' } = await termOf(stage)
  const holder = stage.operators.find(({ name }) => holderIdentity.startsWith(`${name}_`))
  return (await holder?.leads()) === true
}

/** After which the Lease must be of the same term. */
export function keepingLease(act: Act): Act {
  return async (stage, until) => {
    const before = wordsFor(await termOf(stage))
    await act(stage, until)
    const after = wordsFor(await termOf(stage))
    if (after !== before) stage.wrongs.push(`the Lease was lost: ${before} before, ${after} after it`)
  }
}

async function termOf({ cluster }: Stage): Promise<Term> {
  return (await cluster.admin.get(leasePath))?.['spec'] ?? {}
}

function wordsFor({ holderIdentity, leaseTransitions, acquireTime }: Term): string {
  return `${holderIdentity} since ${acquireTime}, number ${leaseTransitions}`
}

export const deleteLease = withLease(({ cluster }) => cluster.admin.delete(leasePath))

export const overwriteHolder = withLease(({ cluster }) =>
  cluster.admin.patch(leasePath, 'merge', { spec: { holderIdentity: 'somebody', renewTime: microTime() } }),
)

function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z')
}

/** What the leader asks of the Lease is never answered, and all else is. */
export const cutOffLease: Act = async (stage, until) => {
  const leader = await stage.leader()
  const match = { resource: 'leases', body: namedAsHolder(leader) }
  stage.runs += 1
  await stage.takeover(async () => {
    stage.proxy.add({ id: 'lease', match, fault: { do: 'hang' } })
    await stage.leader(leader)
  })
  await delay(Math.max(0, until - Date.now()))
  stage.proxy.remove('lease')
}

export const renewals = { verb: 'update', resource: 'leases' }

/** In a Lease that this one writes. */
export function namedAsHolder({ name }: { readonly name: string }): RegExp {
  return new RegExp(`"holderIdentity":"${name}_`)
}

/** Not what a status or the end of a Job takes. */
const keptWaiting: readonly Match[] = [{ verb: ['get', 'list'] }, { dryRun: true }, writes.event]
/** Of the time since the last renewal: nothing is written any more, and what is on its way is not given up yet. */
const afterTermMs = 5_200

/**
 * The leader cannot renew. The answers to its creates are lost, so that it looks them up, and what it reads, tries or tells
 * is answered when its term is over: until then all of its connections are taken, and what else it writes waits for one.
 */
export const queueWrites: Act = async (stage, until) => {
  while (Date.now() < until) {
    const leader = await stage.leader()
    const proxy = stage.proxyOf(leader)
    const renewed = Promise.withResolvers<number>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const on = { received: () => renewed.resolve(Date.now()) }
    proxy.add({ id: 'last', match: renewals, to: 1, fault: { do: 'pass' }, on })
    proxy.add({ id: 'later', match: renewals, fault: { do: 'hang' } })
    await stage.takeover(async () => {
      const lastAt = await renewed.promise
      proxy.add({ id: 'lost', match: writes['job-create'], fault: { do: 'lose' } })
      for (const match of keptWaiting) proxy.add({ id: 'kept', match, fault: { do: 'keep', until: over } })
      await createSome(stage)
      await delay(lastAt + afterTermMs - Date.now())
      end()
      await stage.leader(leader)
    })
    stage.runs += 1
    proxy.remove('last', 'later', 'lost', 'kept')
    await delay(2_000)
  }
}

/** New ones, whose templates are tried. */
async function createSome({ cluster, namespace, runs }: Stage): Promise<void> {
  const names = Array.from({ length: 12 }, (_, n) => `n${runs}-${n}`)
  await Promise.all(names.map((name) => cluster.create(name, specOf(5), namespace)))
}

/** The renewals of the leader are stored, and answered very late; then they are not answered any more. */
export function holdLease(ms: number): Act {
  return async (stage, until) => {
    while (Date.now() < until) {
      const leader = await stage.leader()
      const match = { ...renewals, body: namedAsHolder(leader) }
      let held = 0
      const committed = () => {
        held += 1
      }
      stage.proxy.add({ id: 'hold', match, to: 1, fault: { do: 'hold', ms }, on: { committed } })
      stage.proxy.add({ id: 'hang', match, fault: { do: 'hang' } })
      await stage.takeover(() => stage.leader(leader))
      stage.runs += held
      stage.proxy.remove('hold', 'hang')
      await delay(2_000)
    }
  }
}
