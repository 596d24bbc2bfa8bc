import { type Container, containersOf, type Deployment, ofKind, type PodSpec, type Thing } from './objects.ts'

/** What is wrong with these objects, one sentence each. */
export type Check = (objects: readonly Thing[]) => string[]
/** By the names that the tool gives them. */
export type Checks = Readonly<Record<string, Check>>

/** A check of each Deployment. */
export function deployments(isWrong: (deployment: Deployment, objects: readonly Thing[]) => boolean): Check {
  return (objects) =>
    ofKind(objects, 'Deployment')
      .filter((deployment) => isWrong(deployment, objects))
      .map(({ metadata }) => `Deployment ${metadata.name}`)
}

/** A check of each Pod template. */
export function pods(isWrong: (pod: PodSpec) => boolean): Check {
  return deployments(({ spec }) => isWrong(spec.template.spec))
}

/** A check of each container, init containers too. */
export function containers(isWrong: (container: Container, pod: PodSpec) => boolean): Check {
  return (objects) =>
    ofKind(objects, 'Deployment').flatMap(({ metadata, spec }) =>
      containersOf(spec.template.spec)
        .filter((container) => isWrong(container, spec.template.spec))
        .map(({ name }) => `container ${name} of Deployment ${metadata.name}`),
    )
}

/** A check of each object of a kind. */
export function each<K extends Parameters<typeof ofKind>[1]>(
  kind: K,
  isWrong: (object: ReturnType<typeof ofKind<K>>[number], objects: readonly Thing[]) => boolean,
): Check {
  return (objects) =>
    ofKind(objects, kind)
      .filter((object) => isWrong(object, objects))
      .map(({ metadata }) => `${kind} ${metadata.name}`)
}

/** The path on the node of each volume that the container mounts. */
export function hostPaths(container: Container, pod: PodSpec): string[] {
  const mounted = new Set((container.volumeMounts ?? []).map(({ name }) => name))
  return (pod.volumes ?? []).flatMap(({ name, hostPath }) =>
    hostPath !== undefined && mounted.has(name) ? [hostPath.path] : [],
  )
}

/** Does the container drop this capability, by its name or with all the others? */
export function drops(container: Container, capability: string): boolean {
  const dropped = container.securityContext?.capabilities?.drop ?? []
  return dropped.some((name) => name.toUpperCase() === 'ALL' || name === capability)
}

export function adds(container: Container, capabilities: readonly string[]): boolean {
  return (container.securityContext?.capabilities?.add ?? []).some((name) => capabilities.includes(name))
}
