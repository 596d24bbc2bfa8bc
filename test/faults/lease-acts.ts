import { setTimeout as delay } from 'node:timers/promises'
import { leasePath } from '../support/service-account.ts'
import type { Act } from './acts.ts'
import { specOf } from './churn.ts'
import { writes } from './kinds.ts'
import type { Match } from './proxy/rules.ts'
import type { Stage } from './stage.ts'

/** Somebody does this to the Lease, again and again; leaders may come and go. */
function withLease(act: (stage: Stage) => Promise<unknown>): Act {
  return (stage, until) =>
    stage.takeover(async () => {
      while (Date.now() < until) {
        await act(stage)
        stage.runs += 1
        await delay(5_000)
      }
      await stage.leader()
    })
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
  const match = { resource: 'leases', body: new RegExp(`"holderIdentity":"${leader.name}_`) }
  stage.runs += 1
  await stage.takeover(async () => {
    stage.proxy.add({ id: 'lease', match, fault: { do: 'hang' } })
    await stage.leader(leader)
  })
  await delay(Math.max(0, until - Date.now()))
  stage.proxy.remove('lease')
}

const renewals = { verb: 'update', resource: 'leases' }
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
      const match = { verb: 'update', resource: 'leases', body: new RegExp(`"holderIdentity":"${leader.name}_`) }
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
