import type { KubeObject } from './admin.ts'
import type { Cluster } from './cluster.ts'
import type { Webhook } from './webhook.ts'

/** What makes the creates of a group of resources fail. */
export interface Trouble {
  readonly name: string
  readonly namespace: string
  /** The resources run before that. */
  readonly begin: (objects: readonly KubeObject[]) => Promise<unknown>
  readonly end: (objects: readonly KubeObject[]) => Promise<unknown>
}

/** Of the Jobs of resources that are to get into trouble. */
export const troubleLabels = { trouble: 'yes' }

const pod = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] }

/** Suspended Jobs load the API server with what is tested here, the creates, and not with Pods. */
export function templateOf(metadata: object, spec: object): object {
  return { metadata, spec: { suspend: true, template: { spec: { ...pod, ...spec } } } }
}

export function specOf(intervalSeconds: number, jobTemplate: object): Record<string, unknown> {
  return { intervalSeconds, activeJobsLimit: 10_000, jobTemplate }
}

/** Each in a namespace of its own, apart from `mixed`: those hang in the namespace of the resources without trouble. */
export function troublesOf(cluster: Cluster, webhook: Webhook): readonly Trouble[] {
  return [
    {
      name: 'quota',
      namespace: 'quota',
      begin: () => setQuota(cluster, 'quota', 0),
      end: () => setQuota(cluster, 'quota', 1_000_000),
    },
    {
      name: 'denied',
      namespace: 'denied',
      begin: () => webhook.guard('denied', 'deny'),
      end: () => webhook.lift('deny'),
    },
    {
      name: 'hanging',
      namespace: 'hanging',
      begin: () => webhook.guard('hanging', 'hang'),
      end: () => webhook.lift('hang'),
    },
    {
      name: 'mixed',
      namespace: 'default',
      begin: () => webhook.guard('default', 'hang', troubleLabels),
      end: () => webhook.lift('hang'),
    },
    {
      name: 'invalid',
      namespace: 'invalid',
      begin: (objects) => setTemplate(cluster, objects, templateOf({}, { restartPolicy: 'Always' })),
      end: (objects) => setTemplate(cluster, objects, templateOf({}, {})),
    },
  ]
}

/** Some at a time. */
export async function atOnce<From, To>(
  items: readonly From[],
  act: (item: From) => Promise<To>,
): Promise<readonly To[]> {
  const done: To[] = []
  for (let at = 0; at < items.length; at += 50) done.push(...(await Promise.all(items.slice(at, at + 50).map(act))))
  return done
}

async function setQuota(cluster: Cluster, namespace: string, most: number): Promise<void> {
  const spec = { hard: { 'count/jobs.batch': String(most) } }
  const path = `/api/v1/namespaces/${namespace}/resourcequotas/jobs`
  if ((await cluster.admin.get(path)) !== null) await cluster.admin.patch(path, 'merge', { spec })
  else
    await cluster.admin.create({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'jobs', namespace },
      spec,
    })
}

async function setTemplate(cluster: Cluster, objects: readonly KubeObject[], jobTemplate: object): Promise<void> {
  await atOnce(objects, ({ metadata }) => cluster.edit(metadata.name, { jobTemplate }, metadata.namespace))
}
