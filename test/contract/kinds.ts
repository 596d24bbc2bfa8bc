import type { KubeObject } from '../support/admin.ts'

const groups = {
  jobs: '/apis/batch/v1',
  pods: '/api/v1',
  secondcronjobs: '/apis/myyrakle.com/v1',
  leases: '/apis/coordination.k8s.io/v1',
  events: '/apis/events.k8s.io/v1',
  'core events': '/api/v1',
  deployments: '/apis/apps/v1',
  services: '/api/v1',
  namespaces: '/api/v1',
  customresourcedefinitions: '/apis/apiextensions.k8s.io/v1',
} as const

/** The plural, as it stands in a path; `events` are those of events.k8s.io. */
export type Kind = keyof typeof groups

const clusterScoped: ReadonlySet<Kind> = new Set(['namespaces', 'customresourcedefinitions'])

export function collectionOf(kind: Kind, namespace: string): string {
  const plural = kind.split(' ').at(-1)
  return clusterScoped.has(kind) ? `${groups[kind]}/${plural}` : `${groups[kind]}/namespaces/${namespace}/${plural}`
}

/** Of all namespaces. */
export function collectionOfAll(kind: Kind): string {
  return `${groups[kind]}/${kind.split(' ').at(-1)}`
}

export function kindOf(object: KubeObject): Kind {
  const plural = `${String(object['kind']).toLowerCase()}s`
  return (plural === 'events' && object['apiVersion'] === 'v1' ? 'core events' : plural) as Kind
}

const container = { name: 'a', image: 'busybox' }
export const podSpec = { restartPolicy: 'Never', containers: [container] }

interface Meta {
  readonly name?: string
  readonly [field: string]: unknown
}

/** A resource every ten seconds, with the shorthand. */
export function aResource(metadata: Meta, spec: Record<string, unknown> = {}): KubeObject {
  const what = spec['jobTemplate'] === undefined ? { image: 'busybox' } : {}
  const isTimed = spec['interval_seconds'] !== undefined || spec['schedule'] !== undefined
  const when = isTimed ? {} : { intervalSeconds: 10 }
  return make('myyrakle.com/v1', 'SecondCronJob', metadata, { spec: { ...when, ...what, ...spec } })
}

/** A Job that runs nothing, since it is suspended. */
export function aJob(metadata: Meta, spec: Record<string, unknown> = {}): KubeObject {
  return make('batch/v1', 'Job', metadata, { spec: { suspend: true, template: { spec: podSpec }, ...spec } })
}

export function aPod(metadata: Meta, spec: Record<string, unknown> = {}): KubeObject {
  return make('v1', 'Pod', metadata, { spec: { containers: [container], ...spec } })
}

export function aLease(metadata: Meta, spec: Record<string, unknown> = {}): KubeObject {
  return make('coordination.k8s.io/v1', 'Lease', metadata, { spec })
}

function make(apiVersion: string, kind: string, metadata: Meta, rest: object): KubeObject {
  return { apiVersion, kind, metadata: metadata as KubeObject['metadata'], ...rest }
}
