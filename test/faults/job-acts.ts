import { setTimeout as delay } from 'node:timers/promises'
import type { KubeObject } from '../support/admin.ts'
import { waitFor } from '../support/admin.ts'
import type { Act } from './acts.ts'
import { specOf } from './churn.ts'
import type { Stage } from './stage.ts'

const label = 'myyrakle.com/second-cron-job'
const away = 'example.com/held'

type Meddling = (path: string, stage: Stage) => Promise<unknown>

/** What users do to Jobs that are not theirs. */
const meddlings: readonly Meddling[] = [
  (path, { cluster }) => cluster.admin.delete(path),
  (path, { cluster }) => cluster.admin.patch(path, 'merge', { metadata: { labels: { [label]: null } } }),
  (path, { cluster }) => cluster.admin.patch(path, 'merge', { metadata: { ownerReferences: null } }),
  (path, { cluster }) => cluster.admin.patch(path, 'merge', { metadata: { finalizers: [away] } }),
]

/** Three times a second a Job of ours is deleted, disowned, loses its label, or gets somebody's finalizer. */
export const meddle: Act = async (stage, until) => {
  const { admin } = stage.cluster
  const touched = new Set<string>()
  while (Date.now() < until) {
    const jobs = await jobsOf(stage)
    const job = jobs[Math.floor(stage.random() * jobs.length)]
    const meddling = meddlings[stage.runs % meddlings.length]
    stage.runs += 1
    if (job !== undefined && meddling !== undefined) {
      touched.add(pathOf(job))
      await meddling(pathOf(job), stage).catch(() => undefined)
    }
    await delay(300)
  }
  // Whose they are is anybody's guess: they go.
  for (const path of touched) {
    await admin.patch(path, 'merge', { metadata: { finalizers: null } }).catch(() => undefined)
    await admin.delete(path)
  }
}

function jobsOf({ cluster, namespace }: Stage): Promise<readonly KubeObject[]> {
  return cluster.admin.list(`/apis/batch/v1/namespaces/${namespace}/jobs`)
}

function pathOf({ metadata: { namespace, name } }: KubeObject): string {
  return `/apis/batch/v1/namespaces/${namespace}/jobs/${name}`
}

/** In another namespace a Job of somebody else has the name that a slot needs. */
export const foreignJob: Act = async (stage, until) => {
  const { cluster } = stage
  const namespace = `${stage.namespace}-taken`
  await cluster.createNamespace(namespace)
  const { metadata } = await cluster.create('taken', specOf(5), namespace)
  const first = Date.parse(String(metadata['creationTimestamp'])) / 1_000
  const name = `taken-${first + 10}`
  const { metadata: theirs } = await cluster.admin.create(foreignOf(namespace, name))
  stage.runs += 1
  await delay(Math.max(until - Date.now(), 12_000))
  const left = await cluster.admin.get(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`)
  if (left?.metadata['uid'] !== theirs['uid']) stage.wrongs.push('the foreign Job is not there any more')
  if (left?.metadata['ownerReferences'] !== undefined) stage.wrongs.push('the foreign Job was adopted')
  await isMissed(stage, namespace, name)
  await leave(stage, namespace)
}

/** The slot whose name was taken is told of and counted, once; the next ones have their Jobs. */
async function isMissed(stage: Stage, namespace: string, name: string): Promise<void> {
  const { cluster } = stage
  const { status } = (await cluster.get('taken', namespace)) as KubeObject & { status?: { missedCount?: number } }
  const isLater = (await cluster.jobsOf('taken', namespace)).some((job) => job.metadata.name > name)
  if (!(await hasEvent(stage, namespace, 'UnexpectedJob'))) stage.wrongs.push('no Event UnexpectedJob')
  if (status?.missedCount !== 1) stage.wrongs.push(`missedCount is ${status?.missedCount}, not 1`)
  if (!isLater) stage.wrongs.push('no Job after the name that was taken')
}

/** A Job of somebody else, of which nothing runs. */
function foreignOf(namespace: string, name: string): KubeObject {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace }, spec: { suspend: true, template } }
}

export async function hasEvent({ cluster }: Stage, namespace: string, reason: string): Promise<boolean> {
  const events = await cluster.admin.list(`/apis/events.k8s.io/v1/namespaces/${namespace}/events`)
  return events.some((event) => event['reason'] === reason)
}

/** Deletes what there is in a namespace that the row has made; it has to go. */
export async function leave({ cluster }: Stage, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}`
  await cluster.admin.delete(path)
  await waitFor(`${namespace} to be gone`, 30_000, async () => (await cluster.admin.get(path)) === null)
}

const ageMs = 8_000

/** Finished Jobs of ours are deleted, and others take their names, while the operator is told of Jobs five seconds late. */
export const replaceJobs: Act = async (stage, until) => {
  const { admin } = stage.cluster
  stage.proxy.addForEvents({
    id: 'late',
    match: { verb: 'watch', resource: 'jobs' },
    event: {},
    fault: { do: 'delay', ms: 5_000 },
  })
  const theirs = new Map<string, unknown>()
  await delay(ageMs)
  while (Date.now() < until) {
    const old = (await jobsOf(stage)).filter(({ metadata }) => !theirs.has(metadata.name) && ageOf(metadata) > ageMs)
    const job = old[Math.floor(stage.random() * old.length)]
    if (job !== undefined) {
      await admin.delete(pathOf(job))
      const { name } = job.metadata
      // The one before may still be going.
      const made = await admin.create(foreignOf(stage.namespace, name)).catch(() => null)
      if (made !== null) theirs.set(name, made.metadata['uid'])
      stage.runs += made === null ? 0 : 1
    }
    await delay(100)
  }
  await delay(6_000)
  stage.proxy.remove('late')
  const left = new Map((await jobsOf(stage)).map(({ metadata }) => [metadata.name, metadata['uid']]))
  const lost = [...theirs].filter(([name, uid]) => left.get(name) !== uid)
  for (const [name] of lost) stage.wrongs.push(`${name}, which is somebody else’s, is gone`)
  for (const name of theirs.keys()) await admin.delete(`/apis/batch/v1/namespaces/${stage.namespace}/jobs/${name}`)
}

function ageOf(metadata: KubeObject['metadata']): number {
  return Date.now() - Date.parse(String(metadata['creationTimestamp']))
}
