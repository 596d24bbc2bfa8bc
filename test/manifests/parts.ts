import {
  type Container,
  type Deployment,
  ofKind,
  type PodSpec,
  type Rule,
  type SecurityContext,
  type Thing,
} from './objects.ts'

/** Changes the rendered objects in place. */
export type Change = (objects: Thing[]) => void

function only<T>(found: readonly T[]): T {
  const [first] = found
  if (first === undefined || found.length > 1) throw new Error(`${found.length} where one was expected`)
  return first
}

export function one<K extends Parameters<typeof ofKind>[1]>(kind: K, objects: readonly Thing[]) {
  return only<ReturnType<typeof ofKind<K>>[number]>(ofKind(objects, kind))
}

export function deployment(change: (deployment: Deployment) => void): Change {
  return (objects) => change(one('Deployment', objects))
}

export function pod(change: (pod: PodSpec) => void): Change {
  return deployment(({ spec }) => change(spec.template.spec))
}

export function podSecurity(change: (context: SecurityContext) => void): Change {
  return pod((spec) => change((spec.securityContext ??= {})))
}

export function container(change: (container: Container, pod: PodSpec) => void): Change {
  return pod((spec) => change(only(spec.containers), spec))
}

export function security(change: (context: SecurityContext) => void): Change {
  return container((operator) => change((operator.securityContext ??= {})))
}

export function resources(change: (resources: Required<NonNullable<Container['resources']>>) => void): Change {
  return container((operator) => {
    const { requests = {}, limits = {} } = operator.resources ?? {}
    operator.resources = { requests, limits }
    change({ requests, limits })
  })
}

/** Mounts a folder or a socket of the node. */
export function hostMount(path: string): Change {
  return container((operator, { volumes = [] }) => {
    volumes.push({ name: 'host', hostPath: { path } })
    operator.volumeMounts?.push({ name: 'host', mountPath: '/host' })
  })
}

/** The rules of the operator. */
export function rules(change: (rules: Rule[]) => void): Change {
  return (objects) => {
    const { name } = one('ClusterRoleBinding', objects).roleRef
    change(only(ofKind(objects, 'ClusterRole').filter(({ metadata }) => metadata.name === name)).rules)
  }
}

/** One more object, in the operator's namespace. */
export function added(apiVersion: string, kind: string, body: object, namespace = 'myyrakle'): Change {
  return (objects) => {
    const thing: Thing = { apiVersion, kind, metadata: { name: 'another', namespace }, ...body }
    objects.push(thing)
  }
}

export function all(...changes: readonly Change[]): Change {
  return (objects) => {
    for (const change of changes) change(objects)
  }
}
