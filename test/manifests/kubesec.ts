import { adds, type Check, type Checks, drops } from './check.ts'
import {
  type Container,
  containersOf,
  type Deployment,
  ofKind,
  type PodSpec,
  type SecurityContext,
  type Thing,
} from './objects.ts'

type Holds = (pod: PodSpec) => boolean

const some =
  (holds: (container: Container) => boolean): Holds =>
  (pod) =>
    containersOf(pod).some(holds)

const secured =
  (holds: (context: SecurityContext) => boolean): Holds =>
  (pod) =>
    containersOf(pod).some((container) => holds({ ...pod.securityContext, ...container.securityContext }))

const mounts =
  (...paths: readonly string[]): Holds =>
  ({ volumes = [] }) =>
    volumes.some(({ hostPath }) => hostPath !== undefined && paths.includes(hostPath.path))

const isConfined = (profile: { type: string } | undefined) => profile !== undefined && profile.type !== 'Unconfined'
const takesSecret = ({ env = [], envFrom = [] }: Container) =>
  env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined) ||
  envFrom.some(({ secretRef }) => secretRef !== undefined)

/** The rules of kubesec for a Deployment: its points, and when it gives or takes them. */
const rules: Readonly<Record<string, readonly [points: number, holds: Holds]>> = {
  HostNetwork: [-9, ({ hostNetwork }) => hostNetwork === true],
  HostPID: [-9, ({ hostPID }) => hostPID === true],
  HostIPC: [-9, ({ hostIPC }) => hostIPC === true],
  ReadOnlyRootFilesystem: [1, some(({ securityContext }) => securityContext?.readOnlyRootFilesystem === true)],
  RunAsNonRoot: [1, secured(({ runAsNonRoot }) => runAsNonRoot === true)],
  RunAsUser: [1, secured(({ runAsUser = 0 }) => runAsUser > 10_000)],
  RunAsGroup: [1, secured(({ runAsGroup = 0 }) => runAsGroup > 10_000)],
  Privileged: [-30, some(({ securityContext }) => securityContext?.privileged === true)],
  CapSysAdmin: [-30, some((one) => adds(one, ['SYS_ADMIN']))],
  CapDropAny: [1, some(({ securityContext }) => (securityContext?.capabilities?.drop ?? []).length > 0)],
  CapDropAll: [1, some((one) => drops(one, 'ALL'))],
  DockerSock: [-9, mounts('/var/run/docker.sock')],
  ProcMount: [-9, mounts('/proc')],
  RequestsCPU: [1, some(({ resources }) => resources?.requests?.['cpu'] !== undefined)],
  LimitsCPU: [1, some(({ resources }) => resources?.limits?.['cpu'] !== undefined)],
  RequestsMemory: [1, some(({ resources }) => resources?.requests?.['memory'] !== undefined)],
  LimitsMemory: [1, some(({ resources }) => resources?.limits?.['memory'] !== undefined)],
  ServiceAccountName: [3, ({ serviceAccountName = '' }) => serviceAccountName !== ''],
  HostAliases: [-3, ({ hostAliases }) => hostAliases !== undefined],
  SeccompAny: [1, secured(({ seccompProfile }) => isConfined(seccompProfile))],
  SeccompUnconfined: [-1, secured(({ seccompProfile }) => seccompProfile?.type === 'Unconfined')],
  ApparmorAny: [3, secured(({ appArmorProfile }) => isConfined(appArmorProfile))],
  ApparmorUnconfined: [-1, secured(({ appArmorProfile }) => appArmorProfile?.type === 'Unconfined')],
  AllowPrivilegeEscalation: [-7, some(({ securityContext }) => securityContext?.allowPrivilegeEscalation === true)],
  AutomountServiceAccountToken: [1, (pod) => pod.automountServiceAccountToken === false],
  HostUsers: [1, ({ hostUsers }) => hostUsers === false],
  SecretsAsEnvironmentVariables: [-5, some(takesSecret)],
}

/** The sum of the points of the rules that hold. */
export function score({ spec }: Deployment): number {
  return Object.values(rules)
    .filter(([, holds]) => holds(spec.template.spec))
    .reduce((sum, [points]) => sum + points, 0)
}

/** A rule complains when its points are not won, or are lost. */
function checkOf([points, holds]: readonly [number, Holds]): Check {
  return (objects: readonly Thing[]) =>
    ofKind(objects, 'Deployment')
      .filter(({ spec }) => holds(spec.template.spec) !== points > 0)
      .map(({ metadata }) => `Deployment ${metadata.name} is short of ${Math.abs(points)}`)
}

const anonymous: Check = (objects) =>
  [...ofKind(objects, 'RoleBinding'), ...ofKind(objects, 'ClusterRoleBinding')]
    .filter(({ subjects = [] }) => subjects.some(({ name }) => name === 'system:anonymous'))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)

export const points: Checks = {
  ...Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, checkOf(rule)])),
  BindingsToSystemAnonymous: anonymous,
}
