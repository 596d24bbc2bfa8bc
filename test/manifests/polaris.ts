import { adds, type Checks, containers, deployments, drops, each, pods } from './check.ts'
import {
  type Container,
  inSameNamespace,
  ofKind,
  type PodSpec,
  type Role,
  type SecurityContext,
  selects,
} from './objects.ts'
import { allowsEverything, allowsExec, bindings, roles } from './rights.ts'

const sensitiveName =
  /^AWS_SECRET_ACCESS_KEY$|^GOOGLE_APPLICATION_CREDENTIALS$|^AZURE_.+KEY$|^OCI_CLI_KEY_CONTENT$|password|token|bearer|secret/i
const privateKey = /-BEGIN\s+.*PRIVATE KEY-/i

function isSensitive([name, value]: readonly [string, string]): boolean {
  return sensitiveName.test(name) || privateKey.test(value)
}

function isGood(context: SecurityContext | undefined): boolean {
  return (context?.runAsUser ?? 0) > 0 || context?.runAsNonRoot === true
}

function mayBeRoot(container: Container, pod: PodSpec): boolean {
  const { runAsUser = 1, runAsNonRoot = true } = container.securityContext ?? {}
  const overridden = runAsUser === 0 || !runAsNonRoot
  return overridden || (!isGood(pod.securityContext) && !isGood(container.securityContext))
}

function isHardened(container: Container, pod: PodSpec): boolean {
  const { seccompProfile, appArmorProfile } = { ...pod.securityContext, ...container.securityContext }
  const isConfined = (seccompProfile?.type ?? 'Unconfined') !== 'Unconfined' || appArmorProfile !== undefined
  return isConfined || (container.securityContext?.capabilities?.drop ?? []).length > 0
}

const hasExec = ({ rules }: Role) => rules.some(allowsExec)
const isAdmin = ({ metadata, rules }: Role) => metadata.name === 'cluster-admin' || rules.some(allowsEverything)

export const dangers: Checks = {
  tagNotSpecified: containers(({ image }) => !image.includes(':') || image.endsWith(':latest')),
  hostIPCSet: pods(({ hostIPC }) => hostIPC === true),
  hostPIDSet: pods(({ hostPID }) => hostPID === true),
  hostNetworkSet: pods(({ hostNetwork }) => hostNetwork === true),
  privilegeEscalationAllowed: containers(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false),
  runAsRootAllowed: containers(mayBeRoot),
  runAsPrivileged: containers(({ securityContext }) => securityContext?.privileged === true),
  dangerousCapabilities: containers((one) => adds(one, ['ALL', 'SYS_ADMIN', 'NET_ADMIN'])),
  sensitiveContainerEnvVar: containers(({ env = [] }) =>
    env.some(({ name, value }) => value !== undefined && isSensitive([name, value])),
  ),
  sensitiveConfigmapContent: each('ConfigMap', ({ data = {} }) => Object.entries(data).some(isSensitive)),
  clusterrolePodExecAttach: roles('ClusterRole', allowsExec),
  rolePodExecAttach: roles('Role', allowsExec),
  clusterrolebindingPodExecAttach: bindings('ClusterRoleBinding', ['ClusterRole'], hasExec),
  rolebindingClusterRolePodExecAttach: bindings('RoleBinding', ['ClusterRole'], hasExec),
  rolebindingRolePodExecAttach: bindings('RoleBinding', ['Role'], hasExec),
  clusterrolebindingClusterAdmin: bindings('ClusterRoleBinding', ['ClusterRole'], isAdmin),
  rolebindingClusterAdminClusterRole: bindings('RoleBinding', ['ClusterRole'], isAdmin),
  rolebindingClusterAdminRole: bindings('RoleBinding', ['Role'], isAdmin),
}

export const warnings: Checks = {
  deploymentMissingReplicas: deployments(({ spec }) => (spec.replicas ?? 1) < 2),
  priorityClassNotSet: pods(({ priorityClassName = '' }) => priorityClassName === ''),
  pullPolicyNotAlways: containers(({ imagePullPolicy }) => imagePullPolicy !== 'Always'),
  readinessProbeMissing: containers(({ readinessProbe }) => readinessProbe === undefined),
  livenessProbeMissing: containers(({ livenessProbe }) => livenessProbe === undefined),
  metadataAndInstanceMismatched: deployments(
    ({ metadata }) => metadata.labels?.['app.kubernetes.io/instance'] !== metadata.name,
  ),
  missingPodDisruptionBudget: deployments(
    (deployment, objects) =>
      !ofKind(objects, 'PodDisruptionBudget').some(
        (budget) =>
          inSameNamespace(budget, deployment) &&
          selects(budget.spec.selector?.matchLabels, deployment.spec.template.metadata.labels),
      ),
  ),
  pdbDisruptionsIsZero: each(
    'PodDisruptionBudget',
    ({ spec }) => ['0', '0%'].includes(String(spec.maxUnavailable)) || spec.minAvailable === '100%',
  ),
  topologySpreadConstraint: pods(({ topologySpreadConstraints = [] }) => topologySpreadConstraints.length === 0),
  cpuRequestsMissing: containers(({ resources }) => resources?.requests?.['cpu'] === undefined),
  cpuLimitsMissing: containers(({ resources }) => resources?.limits?.['cpu'] === undefined),
  memoryRequestsMissing: containers(({ resources }) => resources?.requests?.['memory'] === undefined),
  memoryLimitsMissing: containers(({ resources }) => resources?.limits?.['memory'] === undefined),
  automountServiceAccountToken: deployments((deployment, objects) => {
    const { automountServiceAccountToken, serviceAccountName } = deployment.spec.template.spec
    const account = ofKind(objects, 'ServiceAccount').find(({ metadata }) => metadata.name === serviceAccountName)
    return (automountServiceAccountToken ?? account?.automountServiceAccountToken) !== false
  }),
  linuxHardening: containers((one, pod) => !isHardened(one, pod)),
  missingNetworkPolicy: deployments(
    (deployment, objects) =>
      !ofKind(objects, 'NetworkPolicy').some(
        (policy) =>
          inSameNamespace(policy, deployment) &&
          policy.spec.podSelector.matchLabels !== undefined &&
          selects(policy.spec.podSelector.matchLabels, deployment.spec.template.metadata.labels) &&
          policy.spec.ingress !== undefined &&
          policy.spec.egress !== undefined,
      ),
  ),
  notReadOnlyRootFilesystem: containers(({ securityContext }) => securityContext?.readOnlyRootFilesystem !== true),
  insecureCapabilities: containers((one) => !drops(one, 'ALL')),
  hostPathSet: pods(({ volumes = [] }) => volumes.some(({ hostPath }) => hostPath !== undefined)),
  hostPortSet: containers(({ ports = [] }) => ports.some(({ hostPort }) => hostPort !== undefined)),
  hostProcess: containers((one, pod) =>
    [pod.securityContext, one.securityContext].some((context) => context?.windowsOptions?.hostProcess === true),
  ),
  procMount: containers(({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default'),
}
