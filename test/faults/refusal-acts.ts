import { setTimeout as delay } from 'node:timers/promises'
import { conditionOf, type KubeObject, waitFor } from '../support/admin.ts'
import { specOf as troubleSpecOf, templateOf, troubleLabels, troublesOf } from '../support/troubles.ts'
import { Webhook } from '../support/webhook.ts'
import type { Act } from './acts.ts'
import { specOf } from './churn.ts'
import { hasEvent, leave } from './job-acts.ts'
import type { Stage } from './stage.ts'

const badCount = 10
const backMs = 15_000

/** In another namespace creates are refused like this for the whole period; then they have to go on by themselves. */
export function refusedElsewhere(name: 'quota' | 'denied' | 'hanging' | 'invalid'): Act {
  return async (stage, until) => {
    const { cluster } = stage
    await using webhook = await Webhook.start(cluster.plane)
    const trouble = troublesOf(cluster, webhook).find((one) => one.name === name)
    if (trouble === undefined) throw new Error(`no trouble called ${name}`)
    const { namespace } = trouble
    await cluster.createNamespace(namespace)
    const spec = troubleSpecOf(1, templateOf({ labels: troubleLabels }, {}))
    const objects = await Promise.all(
      Array.from({ length: badCount }, (_, n) => cluster.create(`bad${n}`, spec, namespace)),
    )
    await cluster.hasRun('bad0', 1, namespace)
    await trouble.begin(objects)
    stage.runs += 1
    await delay(Math.max(5_000, until - Date.now()))
    await told(stage, namespace)
    await trouble.end(objects)
    await backAgain(stage, namespace)
    await leave(stage, namespace)
  }
}

/** An Event and a condition say why nothing runs. */
async function told(stage: Stage, namespace: string): Promise<void> {
  const object = await stage.cluster.get('bad0', namespace)
  const isSaid = object !== null && ['Ready', 'Accepted'].some((type) => conditionOf(object, type)?.status === 'False')
  if (!isSaid) stage.wrongs.push('no condition tells of the refusal')
  const reasons = ['FailedCreate', 'InvalidTemplate']
  const found = await Promise.all(reasons.map((reason) => hasEvent(stage, namespace, reason)))
  if (!found.includes(true)) stage.wrongs.push('no Event tells of the refusal')
}

async function backAgain(stage: Stage, namespace: string): Promise<void> {
  const newest = async () => (await stage.cluster.jobsOf('bad0', namespace)).at(-1)?.metadata.name
  const before = await newest()
  await waitFor('the refused ones to go on', backMs, async () => (await newest()) !== before)
}

/** Jobs are made, and their Pods are refused. */
export const podsRefused: Act = async (stage, until) => {
  const { cluster } = stage
  const namespace = `${stage.namespace}-strict`
  await cluster.createNamespace(namespace, { 'pod-security.kubernetes.io/enforce': 'restricted' })
  await cluster.create('podless', { intervalSeconds: 1, concurrencyPolicy: 'Forbid', image: 'a' }, namespace)
  stage.runs += 1
  await delay(Math.max(8_000, until - Date.now()))
  const jobs = await cluster.jobsOf('podless', namespace)
  if (jobs.length !== 1) stage.wrongs.push(`${jobs.length} Jobs under Forbid, not 1`)
  const status = (await cluster.get('podless', namespace))?.['status'] as { activeCount?: number } | undefined
  if (status?.activeCount !== 1) stage.wrongs.push(`activeCount is ${status?.activeCount}, not 1`)
  await leave(stage, namespace)
}

/** Namespaces with resources that run are deleted. */
export const namespacesGo: Act = async (stage, until) => {
  const { cluster } = stage
  while (Date.now() < until) {
    const namespace = `${stage.namespace}-${stage.runs}`
    await cluster.createNamespace(namespace)
    await Promise.all(Array.from({ length: 5 }, (_, n) => cluster.create(`t${n}`, specOf(1), namespace)))
    await cluster.hasRun('t0', 1, namespace)
    await leave(stage, namespace)
    stage.runs += 1
  }
}

/** Specs that the API server lets in, or not, and that nothing can be done with. */
const odd: readonly Readonly<Record<string, unknown>>[] = [
  { intervalSeconds: 1, jobTemplate: templateOf({ labels: { a: 'not a value!' } }, {}) },
  { intervalSeconds: 1, jobTemplate: templateOf({ annotations: { a: 'x'.repeat(200_000) } }, {}) },
  { intervalSeconds: 1, jobTemplate: templateOf({}, { restartPolicy: 'Always' }) },
  { schedule: '* * * * * *', timeZone: 'Nowhere/Atlantis', image: 'a' },
  { schedule: '0 0 0 31 2 *', image: 'a' },
  { intervalSeconds: 0, image: 'a' },
  { intervalSeconds: 1, image: '' },
]

/** Odd resources in another namespace, many of each. */
export const oddResources: Act = async (stage, until) => {
  const { cluster } = stage
  const namespace = `${stage.namespace}-odd`
  await cluster.createNamespace(namespace)
  const created: KubeObject[] = []
  for (let n = 0; Date.now() < until; n += 1) {
    const spec = odd[n % odd.length] ?? {}
    const object = await cluster.create(`odd-${n}-${'o'.repeat(40)}`, spec, namespace).catch(() => null)
    if (object !== null) created.push(object)
    await delay(100)
  }
  stage.runs += created.length
  await leave(stage, namespace)
}
