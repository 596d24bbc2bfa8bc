import { access, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Component } from '../control-plane/component.ts'
import { waitFor } from '../support/admin.ts'
import type { Act } from './acts.ts'
import type { Stage } from './stage.ts'

/** What strace makes of a call: `delay_exit=` microseconds, or `error=` a name of errno(3). */
type Injection = `delay_exit=${number}` | 'error=EIO'

const tracer = '/usr/bin/strace'
const attachLimitMs = 10_000
const failLimitMs = 30_000

/** Whatever etcd wants to be sure of takes so much longer: a disk that is slow to write. */
export function slowDisk(moreMs: number): Act {
  return async (stage, until) => {
    const trace = await inject(stage, `delay_exit=${moreMs * 1_000}`)
    await delay(until - Date.now())
    await trace.end('SIGINT')
    stage.runs += (await readFile(trace.logFile, 'utf8')).split('(DELAYED)').length - 1
  }
}

/** No write of etcd reaches the disk any more: it ends by itself. After `ms` it is started anew, on a disk that is well. */
export function failingDisk(ms: number): Act {
  return async (stage) => {
    const { etcd } = stage.cluster.plane.parts
    await stage.outage(async () => {
      const trace = await inject(stage, 'error=EIO')
      await waitFor('the end of etcd', failLimitMs, () => Promise.resolve(!etcd.isRunning))
      stage.runs += 1
      await trace.end('SIGINT')
      await delay(ms)
      etcd.start()
      await stage.ready()
    })
  }
}

async function inject({ cluster }: Stage, injection: Injection): Promise<Component> {
  const { folder, parts } = cluster.plane
  await access(tracer).catch(() => {
    throw new Error(`the faults of a disk are made with strace, and there is no ${tracer}: install it`)
  })
  const pid = Number(parts.etcd.pid)
  const options = ['-f', '-p', `${pid}`, '-e', 'trace=fdatasync,fsync', '-e', `inject=fdatasync,fsync:${injection}`]
  const trace = new Component('strace', folder, [tracer, ...options])
  trace.start()
  // Who can write no more may have ended before it is seen to be traced.
  const isTraced = async () => !/^TracerPid:\s+0$/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))
  await waitFor('strace', attachLimitMs, async () => !parts.etcd.isRunning || (await isTraced()))
  return trace
}
