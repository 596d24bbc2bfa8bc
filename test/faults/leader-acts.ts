import { setTimeout as delay } from 'node:timers/promises'
import { createdAt, untilTime } from '../support/cluster.ts'
import { type Act, pause, succeed, tooManyRequests } from './acts.ts'
import { specOf } from './churn.ts'
import { writes } from './kinds.ts'
import { namedAsHolder, renewals } from './lease-acts.ts'

const burstIntervalMs = 5_000
/** Longer than a Job is kept for its own sake. */
const slowSeconds = 18

/** SIGTERM of the leader of two just when very many Jobs are due, again and again. */
export function terminateInBurst(count: number): Act {
  return async (stage, until) => {
    const { cluster, namespace } = stage
    const names = Array.from({ length: count }, (_, n) => `b${n}`)
    const spec = specOf(burstIntervalMs / 1_000)
    const created = await Promise.all(names.map((name) => cluster.create(name, spec, namespace)))
    // Nearly all of them were created in that second, or in the one before it.
    const anchor = Math.max(...created.map(createdAt))
    await delay(2_000)
    while (Date.now() < until) {
      const leader = await stage.leader()
      await untilTime(anchor + Math.ceil((Date.now() - anchor) / burstIntervalMs) * burstIntervalMs + 20)
      stage.runs += 1
      await stage.outage(async () => {
        const [code] = await Promise.all([leader.terminate(), stage.leader(leader)])
        if (code !== 0) stage.wrongs.push(`SIGTERM ended in the exit code ${code}`)
      })
      await stage.idle(() => leader.start('standby'))
      await delay(1_000)
    }
  }
}

/** SIGSTOP of the only one for a while, again and again. */
export function stopAtTimes(stopMs: number, goMs: number): Act {
  return async (stage, until) => {
    while (Date.now() < until) {
      stage.runs += 1
      await stage.outage(async () => {
        await pause(stage.operator, stopMs)
        await stage.ready()
      })
      await delay(goMs)
    }
  }
}

/** Its wall clock is set, and some seconds later set right again. */
export function stepClock(ms: number): Act {
  return async (stage) => {
    stage.runs += 1
    await stage.outage(async () => {
      stage.operator.signal('SIGUSR2')
      await delay(ms)
      stage.operator.signal('SIGUSR2')
      await stage.ready()
    })
  }
}

/** The status cannot be stored, while leaders die one after the other. */
export function dieUnstored(everyMs: number): Act {
  return async (stage, until) => {
    const { cluster, namespace } = stage
    await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        cluster.create(`slow${n}`, specOf(slowSeconds, { successfulJobsHistoryLimit: 0 }), namespace),
      ),
    )
    await delay(2_000)
    let refused = 0
    const received = () => {
      refused += 1
    }
    stage.proxy.add({ id: 'unstored', match: writes['status-patch'], fault: tooManyRequests, on: { received } })
    while (Date.now() < until) {
      await delay(everyMs)
      stage.runs += 1
      await succeed(stage, await stage.leader())
    }
    stage.proxy.remove('unstored')
    if (refused === 0) stage.unplayed.push('never done: a status that is not stored')
  }
}

/**
 * The standby is told nothing of what users do; then the leader is killed. From the moment at which the other one has the
 * Lease the watches tell of all that is new: only its list can tell of the time before.
 */
export const blindStandby: Act = async (stage, until) => {
  while (Date.now() < until) {
    const leader = await stage.leader()
    const standby = stage.operators.find((operator) => operator !== leader)
    const proxy = stage.proxyOf(standby)
    proxy.addForEvents({ id: 'blind', match: { verb: 'watch' }, event: {}, fault: { do: 'drop' } })
    await delay(6_000)
    const committed = () => {
      stage.runs += 1
      proxy.remove('blind', 'takeover')
    }
    const match = { ...renewals, ...(standby !== undefined && { body: namedAsHolder(standby) }) }
    proxy.add({ id: 'takeover', match, fault: { do: 'pass' }, on: { committed } })
    await succeed(stage, leader)
    await delay(4_000)
  }
}
