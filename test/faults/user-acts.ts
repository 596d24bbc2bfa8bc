import { setTimeout as delay } from 'node:timers/promises'
import { manifests } from '../support/manifests.ts'
import { type KubeObject, waitFor } from '../support/admin.ts'
import type { Act } from './acts.ts'
import { specOf } from './churn.ts'
import { writes } from './kinds.ts'
import type { Stage } from './stage.ts'

const goneMs = 10_000
const strictMs = 10_000
const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/secondcronjobs.myyrakle.com'

/** One name, deleted and created anew as soon as it is free. */
export const recreate: Act = async (stage, until) => {
  const { cluster, namespace } = stage
  for (let round = 0; Date.now() < until; round += 1) {
    await cluster.create('again', specOf(1 + (round % 2)), namespace)
    await delay(2_200)
    await cluster.delete('again', 'Background', namespace)
    await cluster.isGone('again', goneMs, namespace)
    stage.runs += 1
  }
}

/** No watch at all, while resources come and go between two scans. */
export const unseen: Act = async (stage, until) => {
  const { proxy, cluster, namespace } = stage
  proxy.add({ id: 'no watch', match: { verb: 'watch' }, fault: { do: 'refuse' } })
  proxy.cut({ verb: 'watch' })
  while (Date.now() < until) {
    const name = `u${stage.runs}`
    await cluster.create(name, specOf(1), namespace)
    await delay(500)
    await cluster.delete(name, 'Background', namespace)
    stage.runs += 1
    await delay(1_000)
  }
  proxy.remove('no watch')
}

/** Watches end again and again. */
export function cutWatches(everyMs: number): Act {
  return async (stage, until) => {
    while (Date.now() < until) {
      stage.runs += stage.proxy.cut({ verb: 'watch' })
      await delay(everyMs)
    }
  }
}

/** Twice a second one of the resources is told to run now, each time with a word of its own. */
export const runByHand: Act = async (stage, until) => {
  const { cluster, namespace, names } = stage
  for (let n = 0; Date.now() < until; n += 1) {
    await cluster.annotate(`${names[n % names.length]}`, { 'myyrakle.com/run-now': `${n}` }, namespace)
    await delay(500)
  }
}

/** Somebody else writes one object all the time, and three in ten of our writes to any come too late. */
export const otherWriter: Act = async (stage, until) => {
  const { cluster, namespace, proxy, names } = stage
  const fault = { do: 'answer', code: 409, reason: 'Conflict' } as const
  const both = ['status-patch', 'finalizer-add', 'finalizer-remove'] as const
  let refused = 0
  const received = () => {
    refused += 1
  }
  for (const kind of both) proxy.add({ id: 'conflict', match: writes[kind], fault, share: 0.3, on: { received } })
  for (let n = 0; Date.now() < until; n += 1) {
    await cluster.annotate(`${names[0]}`, { by: `somebody ${n}` }, namespace)
    stage.runs += 1
    await delay(50)
  }
  proxy.remove('conflict')
  if (refused === 0) stage.unplayed.push('never done: a write of ours that is a 409')
}

/** The CRD is deleted, and with it every resource; later there is one again, and new resources. */
export const crdRecreated: Act = async (stage) => {
  const { admin } = stage.cluster
  stage.runs += 1
  await stage.outage(async () => {
    await admin.delete(crdPath)
    for (let waited = 0; (await admin.get(crdPath)) !== null; waited += 1) {
      if (waited > 60) throw new Error('the CRD is not gone after 30 s')
      await delay(500)
    }
    await delay(5_000)
    await applyCrd(stage, (crd) => crd)
    await admin.establishedCrds()
    await stage.fill()
    await stage.ready()
  })
}

/** The schema gets stricter than what is stored: no interval above four seconds. */
export const crdTightened: Act = async (stage, until) => {
  await applyCrd(stage, (crd) => {
    const text = JSON.stringify(crd)
    return JSON.parse(text.replaceAll('"maximum":31536000', '"maximum":4')) as KubeObject
  })
  await waitFor('the stricter schema', strictMs, () => isRefused(stage, specOf(5)))
  stage.runs += 1
  await delay(until - Date.now())
  await applyCrd(stage, (crd) => crd)
}

async function isRefused({ cluster, namespace }: Stage, spec: Readonly<Record<string, unknown>>): Promise<boolean> {
  const path = `/apis/myyrakle.com/v1/namespaces/${namespace}/secondcronjobs?dryRun=All`
  const object = { apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob', metadata: { name: 'strict' }, spec }
  return cluster.admin.request('POST', path, object).then(
    () => false,
    () => true,
  )
}

async function applyCrd({ cluster }: Stage, change: (crd: KubeObject) => KubeObject): Promise<void> {
  for (const crd of await manifests('deploy/crd.yaml')) await cluster.admin.apply(change(crd))
}

/** Resources come, change and go by the dozen. */
export function crowd(aSecond: number): Act {
  return async (stage, until) => {
    const { cluster, namespace } = stage
    for (let second = 0; Date.now() < until; second += 1) {
      const began = Date.now()
      const of = (round: number) => Array.from({ length: aSecond }, (_, n) => `m${round}-${n}`)
      await Promise.all(of(second).map((name) => cluster.create(name, specOf(30), namespace)))
      if (second >= 2)
        await Promise.all(of(second - 2).map((name) => cluster.edit(name, { intervalSeconds: 60 }, namespace)))
      if (second >= 4) await Promise.all(of(second - 4).map((name) => cluster.delete(name, 'Background', namespace)))
      stage.runs += aSecond
      await delay(Math.max(0, began + 1_000 - Date.now()))
    }
  }
}
