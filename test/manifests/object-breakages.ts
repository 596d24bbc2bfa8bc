import { ofKind } from './objects.ts'
import { added, all, type Change, deployment, one, pod, rules } from './parts.ts'
import type { Breakage } from './pod-breakages.ts'

const rbac = 'rbac.authorization.k8s.io/v1'
const apps = { 'app.kubernetes.io/name': 'second-cron-job-operator' }
const exec = { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] }
const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }
const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }

const policy = (change: (policy: ReturnType<typeof one<'NetworkPolicy'>>) => void): Change => {
  return (objects) => change(one('NetworkPolicy', objects))
}
const role = (kind: string, ...granted: readonly object[]) => added(rbac, kind, { rules: granted })
const binding = (kind: string, to: string, name = 'another') => added(rbac, kind, { roleRef: { kind: to, name } })
const budget = (spec: object) =>
  added('policy/v1', 'PodDisruptionBudget', {
    spec: { selector: { matchLabels: apps }, unhealthyPodEvictionPolicy: 'AlwaysAllow', ...spec },
  })
const service = (selector: object, targetPort: string | number) =>
  added('v1', 'Service', { spec: { selector, ports: [{ port: 80, targetPort }] } })
const configMap = (data: object) => added('v1', 'ConfigMap', { data })
const moved: Change = (objects) => {
  for (const { metadata } of objects) if (metadata.namespace === 'myyrakle') delete metadata.namespace
}

export const objectBreakages: Readonly<Record<string, Breakage>> = {
  'the selector does not match the template': [
    deployment(({ spec }) => void (spec.selector = { matchLabels: { a: 'b' } })),
    'kube-linter/mismatching-selector',
  ],
  'an instance of another name': [
    deployment(({ metadata }) => void (metadata.name = 'another')),
    'polaris/metadataAndInstanceMismatched',
  ],
  'the service account is not among the objects': [
    (objects) => void (one('ServiceAccount', objects).metadata.name = 'another'),
    'kube-linter/non-existent-service-account',
  ],
  'the default service account': [
    pod((spec) => delete spec.serviceAccountName),
    'kube-linter/default-service-account kubesec/ServiceAccountName',
  ],
  'the old name of the field': [
    pod((spec) => void (spec.serviceAccount = 'second-cron-job-operator')),
    'kube-linter/deprecated-service-account-field',
  ],
  'the token in every container': [
    pod((spec) => void (spec.automountServiceAccountToken = true)),
    'polaris/automountServiceAccountToken kubesec/AutomountServiceAccountToken',
  ],
  'the network policy selects other Pods': [
    policy(({ spec }) => void (spec.podSelector = { matchLabels: { a: 'b' } })),
    'kube-linter/non-isolated-pod',
  ],
  'the network policy is in another namespace': [
    policy(({ metadata }) => void (metadata.namespace = 'default')),
    'kube-linter/non-isolated-pod',
  ],
  'all in the namespace default': [moved, 'kube-linter/use-namespace'],
  'a Service that selects nothing': [service({ a: 'b' }, 'http'), 'kube-linter/dangling-service'],
  'a Service in the namespace default': [
    added('v1', 'Service', { spec: { selector: apps } }, 'default'),
    'kube-linter/use-namespace kube-linter/dangling-service',
  ],
  'a Service to a port that cannot be': [service(apps, 70_000), 'kube-linter/invalid-target-ports'],
  'a Service to a name that no port may have': [service(apps, 'Too_Bad'), 'kube-linter/invalid-target-ports'],
  'a Job that stays for ever': [added('batch/v1', 'Job', { spec: {} }), 'kube-linter/job-ttl-seconds-after-finished'],
  'an API group of old': [added('extensions/v1beta1', 'Ingress', {}), 'kube-linter/no-extensions-v1beta'],
  'no budget of disruptions': [
    (objects) => objects.splice(objects.indexOf(one('PodDisruptionBudget', objects)), 1),
    'polaris/missingPodDisruptionBudget',
  ],
  'a budget of no disruption': [
    budget({ maxUnavailable: 0 }),
    'kube-linter/pdb-max-unavailable polaris/pdbDisruptionsIsZero',
  ],
  'a budget of no percent': [
    budget({ maxUnavailable: '0%' }),
    'kube-linter/pdb-max-unavailable polaris/pdbDisruptionsIsZero',
  ],
  'a budget that needs every replica': [budget({ minAvailable: 2 }), 'kube-linter/pdb-min-available'],
  'a budget of all percent': [
    budget({ minAvailable: '100%' }),
    'kube-linter/pdb-min-available polaris/pdbDisruptionsIsZero',
  ],
  'a budget that says nothing of unhealthy Pods': [
    added('policy/v1', 'PodDisruptionBudget', { spec: { selector: { matchLabels: apps }, maxUnavailable: 1 } }),
    'kube-linter/pdb-unhealthy-pod-eviction-policy',
  ],
  'a password in a ConfigMap': [configMap({ password: 'x' }), 'polaris/sensitiveConfigmapContent'],
  'a private key in a ConfigMap': [
    configMap({ innocent: '-----BEGIN PRIVATE KEY-----' }),
    'polaris/sensitiveConfigmapContent',
  ],
  'the operator may read Secrets': [rules((granted) => void granted.push(secrets)), 'kube-linter/access-to-secrets'],
  'the operator may use any verb on Secrets': [
    rules((granted) => void granted.push({ ...secrets, verbs: ['*'] })),
    'kube-linter/access-to-secrets kube-linter/wildcard-in-rules',
  ],
  'the operator may run commands in Pods': [
    rules((granted) => void granted.push(exec)),
    'polaris/clusterrolePodExecAttach polaris/clusterrolebindingPodExecAttach',
  ],
  'the operator may do everything': [
    rules((granted) => void granted.push(everything)),
    'kube-linter/access-to-secrets kube-linter/wildcard-in-rules polaris/clusterrolePodExecAttach polaris/clusterrolebindingPodExecAttach polaris/clusterrolebindingClusterAdmin',
  ],
  'the operator is cluster-admin': [
    binding('ClusterRoleBinding', 'ClusterRole', 'cluster-admin'),
    'kube-linter/cluster-admin-role-binding polaris/clusterrolebindingClusterAdmin',
  ],
  'cluster-admin in a namespace': [
    binding('RoleBinding', 'ClusterRole', 'cluster-admin'),
    'polaris/rolebindingClusterAdminClusterRole',
  ],
  'a Role of everything, bound': [
    all(role('Role', everything), binding('RoleBinding', 'Role')),
    'kube-linter/access-to-secrets kube-linter/wildcard-in-rules polaris/rolePodExecAttach polaris/rolebindingRolePodExecAttach polaris/rolebindingClusterAdminRole',
  ],
  'a Role that runs commands in Pods, bound': [
    all(role('Role', exec), binding('RoleBinding', 'Role')),
    'polaris/rolePodExecAttach polaris/rolebindingRolePodExecAttach',
  ],
  'a ClusterRole that runs commands in Pods, bound in a namespace': [
    all(role('ClusterRole', exec), binding('RoleBinding', 'ClusterRole')),
    'polaris/clusterrolePodExecAttach polaris/rolebindingClusterRolePodExecAttach',
  ],
  'rights for nobody in particular': [
    (objects) => {
      for (const { subjects = [] } of ofKind(objects, 'ClusterRoleBinding'))
        subjects.push({ kind: 'User', name: 'system:anonymous' })
    },
    'kubesec/BindingsToSystemAnonymous',
  ],
}
