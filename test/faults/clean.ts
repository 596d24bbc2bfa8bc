import type { KubeObject } from '../support/admin.ts'
import type { Cluster } from '../support/cluster.ts'
import type { Violation } from './checker/violation.ts'

const goneLimitMs = 20_000

export function resources(cluster: Cluster, namespace: string): Promise<readonly KubeObject[]> {
  return cluster.admin.list(`/apis/myyrakle.com/v1/namespaces/${namespace}/secondcronjobs`)
}

/** Deletes what a row has made, after all its faults. What does not go by itself is a violation, and is made to go. */
export async function clean(cluster: Cluster, namespace: string): Promise<readonly Violation[]> {
  const left = await resources(cluster, namespace)
  const names = left.map(({ metadata }) => metadata.name)
  await Promise.all(names.map((name) => cluster.delete(name, 'Background', namespace)))
  const stuck = await Promise.all(names.map((name) => isStuck(cluster, namespace, name)))
  await cluster.admin.delete(`/api/v1/namespaces/${namespace}`)
  return names
    .filter((_, index) => stuck[index])
    .map((name) => ({ kind: 'stuck', resource: `${namespace}/${name}`, detail: 'still there when all is over' }))
}

async function isStuck(cluster: Cluster, namespace: string, name: string): Promise<boolean> {
  try {
    await cluster.isGone(name, goneLimitMs, namespace)
    return false
  } catch {
    const path = `/apis/myyrakle.com/v1/namespaces/${namespace}/secondcronjobs/${name}`
    await cluster.admin.patch(path, 'merge', { metadata: { finalizers: null } }).catch(() => undefined)
    return true
  }
}
