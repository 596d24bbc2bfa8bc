import { setTimeout as delay } from 'node:timers/promises'
import type { OperatorProcess } from '../support/operator-process.ts'
import { killedAt } from './kill-at.ts'
import { writes, type WriteKind } from './kinds.ts'
import type { Fault, Match, Moment } from './proxy/rules.ts'
import { recoveryMs, type Stage } from './stage.ts'

/** What is done during the fault period, which is over at `until`. */
export type Act = (stage: Stage, until: number) => Promise<void>

const mostSkipped = 4

/** As a crowded API server answers. */
export const tooManyRequests: Fault = { do: 'answer', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 }

/** SIGKILL of the leader at this moment of a write of this kind, and a restart, again and again. */
export function crash(moment: Moment, kind: WriteKind): Act {
  return async (stage, until) => {
    while (Date.now() < until) {
      const nth = 1 + Math.floor(stage.random() * mostSkipped)
      const leader = await stage.leader()
      if (!(await killedAt(stage.proxy, { leader, moment, match: writes[kind], nth, until }))) return
      stage.runs += 1
      await succeed(stage, leader)
      // A life of some length: what is told of it has to be right as well.
      await delay(1_000)
    }
  }
}

/**
 * It was killed: until another one leads, or, where there is none, until it leads again. It is started as the kubelet does.
 * Where another one leads it starts a moment later: here, unlike on two nodes, it takes the processors that the other needs.
 */
export async function succeed(stage: Stage, killed: OperatorProcess): Promise<void> {
  const hasOthers = stage.operators.length > 1
  await stage.takeover(async () => {
    await killed.kill()
    await (hasOthers ? stage.leader(killed) : killed.start())
  })
  if (!hasOthers) return
  await stage.idle(async () => {
    await delay(recoveryMs)
    await killed.start('standby')
  })
}

/** SIGKILL every few seconds, whatever it is at. */
export function crashLoop(everyMs: number): Act {
  return async (stage, until) => {
    while (Date.now() < until) {
      await delay(everyMs)
      stage.operator.signal('SIGKILL')
      stage.runs += 1
      await succeed(stage, stage.operator)
    }
  }
}

/** SIGKILL so soon after each start that it never leads. */
export function crashLoopUnled(everyMs: number): Act {
  return (stage, until) =>
    stage.outage(async () => {
      while (Date.now() < until) {
        await stage.operator.kill()
        stage.operator.begin()
        stage.runs += 1
        await delay(everyMs)
      }
      await stage.operator.kill()
      await stage.operator.start()
    })
}

/**
 * A fault of requests for the whole period, or of a share of them; it counts how many there were. One that was never done is
 * a wrong by itself: beside others nobody would notice.
 */
export function withFault(match: Match, fault: Fault, share = 1): Act {
  return counted(`${fault.do} ${JSON.stringify(match)}`, async (stage, until, count) => {
    // A list that nobody remembers is not replayed.
    const on = { [fault.do === 'replay' ? 'replayed' : 'received']: count }
    stage.proxy.add({ id: 'fault', match, fault, share, on })
    await delay(until - Date.now())
    stage.proxy.remove('fault')
  })
}

type CountingAct = (...args: [...Parameters<Act>, count: () => void]) => Promise<void>

/** One of the faults of a row: it has to be done at least once. */
export function counted(what: string, act: CountingAct): Act {
  return async (stage, until) => {
    let runs = 0
    await act(stage, until, () => {
      runs += 1
      stage.runs += 1
    })
    if (runs === 0) stage.unplayed.push(`never done: ${what}`)
  }
}

/** The same, where no slot of the period has to be launched. */
export function withoutLaunches(act: Act): Act {
  return (stage, until) => stage.outage(() => act(stage, until))
}

/** The process stands still for so long. */
export async function pause(process: { signal: (signal: NodeJS.Signals) => void }, ms: number): Promise<void> {
  process.signal('SIGSTOP')
  await delay(ms)
  process.signal('SIGCONT')
}

/** The leader stands still, and goes on when another one has led for long. */
export function stopLeader(ms: number): Act {
  return async (stage) => {
    const leader = await stage.leader()
    stage.runs += 1
    const stoppedAt = Date.now()
    await stage.takeover(async () => {
      leader.signal('SIGSTOP')
      await stage.leader(leader)
    })
    await delay(ms - (Date.now() - stoppedAt))
    leader.signal('SIGCONT')
  }
}

/** Several of them at once. */
export function together(...acts: readonly Act[]): Act {
  return async (stage, until) => {
    await Promise.all(acts.map((act) => act(stage, until)))
  }
}
