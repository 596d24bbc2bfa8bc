import { setTimeout as delay } from 'node:timers/promises'
import type { Component } from '../control-plane/component.ts'
import { type Admin } from '../support/admin.ts'
import { objectPath } from '../support/object-path.ts'
import { rights } from '../support/cluster.ts'
import { type Act, pause } from './acts.ts'
import type { Stage } from './stage.ts'

/** Longer than the Lease of the one before. */
const staleMs = 10_000

/** The API server is killed and started anew; `meanwhile` is done before it starts. */
export function killApiServer(meanwhile: (stage: Stage) => Promise<unknown> = () => Promise.resolve()): Act {
  return async (stage) => {
    stage.runs += 1
    const { plane } = stage.cluster
    await stage.outage(async () => {
      await plane.killApiServer()
      await meanwhile(stage)
      await delay(5_000)
      await plane.startApiServer()
      await stage.ready()
    })
  }
}

/** It comes back before it knows any rights: for some seconds everything is forbidden. */
export function forbiddenAtFirst(ms: number): Act {
  return async (stage) => {
    stage.runs += 1
    const { plane } = stage.cluster
    await stage.outage(async () => {
      await plane.killApiServer()
      await delay(2_000)
      stage.proxy.add({ id: 'forbid', match: {}, fault: { do: 'answer', code: 403, reason: 'Forbidden' } })
      await plane.startApiServer()
      await delay(ms)
      stage.proxy.remove('forbid')
      await stage.ready()
    })
  }
}

/** The API server stands still. */
export function stopApiServer(ms: number): Act {
  return async (stage) => {
    await stop(stage, stage.cluster.plane.parts.apiServer, ms)
  }
}

/** etcd stands still, and whoever reads or writes waits. */
export function stopEtcd(ms: number): Act {
  return async (stage) => {
    await stop(stage, stage.cluster.plane.parts.etcd, ms)
  }
}

async function stop(stage: Stage, part: Component, ms: number): Promise<void> {
  stage.runs += 1
  await stage.outage(async () => {
    await pause(part, ms)
    stage.resumed.push(Date.now())
    await stage.ready()
  })
}

/** etcd stands still for a part of the time, again and again. */
export function slowEtcd(stopMs: number, goMs: number): Act {
  return async (stage, until) => {
    const { etcd } = stage.cluster.plane.parts
    while (Date.now() < until) {
      stage.runs += 1
      await pause(etcd, stopMs)
      await delay(goMs)
    }
  }
}

/** Nobody runs Jobs, nor tells of their ends. */
export function stopManager(ms: number): Act {
  return async (stage) => {
    stage.runs += 1
    await pause(stage.cluster.plane.parts.controllerManager, ms)
  }
}

/** No watch for some seconds in which objects go; then the API server forgets what was before. */
export const goneForGood: Act = async (stage) => {
  const { proxy } = stage
  proxy.add({ id: 'no watch', match: { verb: 'watch' }, fault: { do: 'refuse' } })
  proxy.cut({ verb: 'watch' })
  await delay(5_000)
  const forget = killApiServer(() => stage.cluster.plane.etcd.compact())
  const over = forget(stage, Date.now())
  await delay(4_000)
  proxy.remove('no watch')
  await over
}

/** etcd takes no writes any more, until somebody makes room. */
export function fullEtcd(ms: number): Act {
  return async (stage) => {
    const { admin, plane } = stage.cluster
    const data = { a: 'x'.repeat(900_000) }
    const fillers: string[] = []
    await stage.outage(async () => {
      for (let n = 0; n < 200; n += 1) {
        const metadata = { name: `filler-${n}`, namespace: 'default' }
        const isTaken = await admin.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }).then(
          () => true,
          () => false,
        )
        if (!isTaken) break
        fillers.push(`/api/v1/namespaces/default/configmaps/filler-${n}`)
      }
      const isFull = await stage.cluster.create('too-much', { intervalSeconds: 1 }).then(
        () => false,
        (error: Error) => /space/.test(error.message),
      )
      if (isFull) stage.runs += 1
      await delay(ms)
      for (const path of fillers) await admin.delete(path)
      await plane.etcd.makeRoom()
      await stage.ready()
    })
  }
}

/** Its rights are taken away, all of them, and given back. */
export function withoutRights(ms: number): Act {
  return async (stage) => {
    stage.runs += 1
    const { admin } = stage.cluster
    const bindings = (await rights()).filter(({ kind }) => String(kind).endsWith('Binding'))
    await stage.outage(async () => {
      for (const binding of bindings) await admin.delete(objectPath(binding))
      await delay(ms)
      for (const binding of bindings) await admin.apply(binding)
      await stage.ready()
    })
  }
}

/** For some seconds of each ten everything is answered so. */
export function refusedAtTimes(code: number, reason: string, ms: number): Act {
  return async (stage, until) => {
    while (Date.now() < until) {
      stage.runs += 1
      await stage.outage(async () => {
        stage.proxy.add({ id: 'refuse', match: {}, fault: { do: 'answer', code, reason } })
        await delay(ms)
        stage.proxy.remove('refuse')
        await stage.ready()
      })
      await delay(Math.max(0, Math.min(10_000 - ms, until - Date.now())))
    }
  }
}

/**
 * The caches of the second API server get no news for a while; then the operator is killed, and starts anew on that one. Who
 * asks it for a list that is not old gets none (504). Later it learns everything, and the operator goes back to the first one.
 */
export const startOnStale: Act = async (stage, until) => {
  const { proxy, operator } = stage
  const { admin, url, second } = stage.cluster.plane
  while (Date.now() < until) {
    second.hold()
    await delay(staleMs)
    // It is not taken for stale on trust.
    if ((await cachedVersion(second.admin)) < (await cachedVersion(admin))) stage.runs += 1
    proxy.moveTo(second.url)
    await stage.outage(async () => {
      await operator.kill()
      const begun = operator.start()
      await delay(staleMs)
      second.release()
      await begun
    })
    await delay(4_000)
    proxy.moveTo(url)
    proxy.cut({ verb: 'watch' })
    await delay(2_000)
  }
}

/** How new its cache of Jobs is. */
async function cachedVersion(admin: Admin): Promise<number> {
  const path = '/apis/batch/v1/jobs?limit=1&resourceVersion=0'
  const { metadata } = (await admin.request('GET', path)) as { metadata: { resourceVersion: string } }
  return Number(metadata.resourceVersion)
}
