import { setTimeout as delay } from 'node:timers/promises'
import type { OperatorProcess } from '../support/operator-process.ts'
import type { FaultProxy } from './proxy/fault-proxy.ts'
import type { Fault, Match, Moment } from './proxy/rules.ts'

/** A moment of a request at which a process is killed. */
export interface Point {
  readonly leader: Pick<OperatorProcess, 'signal'>
  readonly moment: Moment
  readonly match: Match
  /** Of those that match: the first is 1. */
  readonly nth: number
  /** Epoch milliseconds: later it is not done. */
  readonly until: number
}

/** At each of these moments the operator is no more, and the request or its answer goes the way of its connection. */
const faultAt: Readonly<Record<Moment, Fault>> = {
  received: { do: 'refuse' },
  severed: { do: 'sever', atByte: 40 },
  committed: { do: 'lose' },
  answered: { do: 'pass' },
}

/** SIGKILL at that point. Answers whether it came to that before the period was over: then, and only then, it is dead. */
export async function killedAt(proxy: Pick<FaultProxy, 'add' | 'remove'>, point: Point): Promise<boolean> {
  const { leader, moment, match, nth, until } = point
  const over = new AbortController()
  const killed = new Promise<true>((resolve) => {
    const kill = () => {
      // The request may have come before the end, and its answer after it.
      if (over.signal.aborted) return
      leader.signal('SIGKILL')
      resolve(true)
    }
    proxy.add({ id: 'crash', match, from: nth, to: nth, fault: faultAt[moment], on: { [moment]: kill } })
  })
  const limit = delay(until - Date.now(), false as const, { signal: over.signal }).catch(() => false as const)
  const isKilled = await Promise.race([killed, limit])
  over.abort()
  proxy.remove('crash')
  return isKilled
}
