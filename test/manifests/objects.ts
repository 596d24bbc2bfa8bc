import type { Source } from '../support/pod-spec.ts'

/** The shapes of the rendered objects, as far as the checks look at them; not readonly, since the tests break them. */

export type Labels = Record<string, string>

export interface Thing {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Labels }
}

export interface SecurityContext {
  runAsNonRoot?: boolean
  runAsUser?: number
  runAsGroup?: number
  privileged?: boolean
  allowPrivilegeEscalation?: boolean
  readOnlyRootFilesystem?: boolean
  procMount?: string
  capabilities?: { add?: string[]; drop?: string[] }
  seccompProfile?: { type: string }
  appArmorProfile?: { type: string }
  windowsOptions?: { hostProcess?: boolean }
  sysctls?: { name: string; value: string }[]
}

export interface Probe {
  httpGet?: { path?: string; port: string | number }
  tcpSocket?: { port: string | number }
}

export interface EnvVar {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: object; fieldRef?: object }
}

export interface Container {
  name: string
  image: string
  imagePullPolicy?: string
  env?: EnvVar[]
  envFrom?: { secretRef?: object }[]
  ports?: { name?: string; containerPort: number; hostPort?: number; protocol?: string }[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  resources?: { requests?: Labels; limits?: Labels }
  securityContext?: SecurityContext
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[]
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  serviceAccount?: string
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  priorityClassName?: string
  restartPolicy?: string
  terminationGracePeriodSeconds?: number
  hostIPC?: boolean
  hostPID?: boolean
  hostNetwork?: boolean
  hostUsers?: boolean
  hostAliases?: object[]
  affinity?: { podAntiAffinity?: Record<string, object[]> }
  topologySpreadConstraints?: object[]
  securityContext?: SecurityContext
  volumes?: { name: string; hostPath?: { path: string }; projected?: { sources: Source[] } }[]
}

export interface Deployment extends Thing {
  spec: {
    replicas?: number
    strategy?: { type: string }
    selector?: { matchLabels?: Labels }
    template: { metadata: { labels?: Labels; annotations?: Labels }; spec: PodSpec }
  }
}

export interface Rule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
  resourceNames?: string[]
}

export interface Role extends Thing {
  rules: Rule[]
}

export interface Binding extends Thing {
  roleRef: { kind: string; name: string }
  subjects?: { kind: string; name: string }[]
}

export interface NetworkPolicy extends Thing {
  spec: { podSelector: { matchLabels?: Labels }; policyTypes?: string[]; ingress?: object[]; egress?: object[] }
}

export interface Service extends Thing {
  spec: { selector?: Labels; ports?: { port: number; targetPort?: string | number }[] }
}

export interface PodDisruptionBudget extends Thing {
  spec: {
    selector?: { matchLabels?: Labels }
    minAvailable?: number | string
    maxUnavailable?: number | string
    unhealthyPodEvictionPolicy?: string
  }
}

export interface FlowSchema extends Thing {
  spec: {
    priorityLevelConfiguration: { name: string }
    matchingPrecedence: number
    rules: { subjects: object[]; resourceRules?: (Rule & { namespaces?: string[] })[] }[]
  }
}

export interface AdmissionPolicy extends Thing {
  spec: {
    failurePolicy: string
    matchConstraints: { resourceRules: { apiGroups: string[]; resources: string[]; operations: string[] }[] }
    matchConditions: { name: string; expression: string }[]
    validations: { expression: string }[]
  }
}

export interface AdmissionPolicyBinding extends Thing {
  spec: {
    policyName: string
    paramRef: { namespace: string; name: string; parameterNotFoundAction: string }
    validationActions: string[]
  }
}

interface Kinds {
  Deployment: Deployment
  Role: Role
  ClusterRole: Role
  RoleBinding: Binding
  ClusterRoleBinding: Binding
  NetworkPolicy: NetworkPolicy
  Service: Service
  PodDisruptionBudget: PodDisruptionBudget
  ServiceAccount: Thing & { automountServiceAccountToken?: boolean }
  ConfigMap: Thing & { data?: Labels }
  Job: Thing & { spec: { ttlSecondsAfterFinished?: number } }
}

export function ofKind<K extends keyof Kinds>(objects: readonly Thing[], kind: K): Kinds[K][] {
  return objects.filter((object) => object.kind === kind) as Kinds[K][]
}

/** Empty labels select everything, as an empty selector does. */
export function selects(selector: Labels | undefined, labels: Labels | undefined): boolean {
  return Object.entries(selector ?? {}).every(([key, value]) => labels?.[key] === value)
}

export function inSameNamespace(one: Thing, other: Thing): boolean {
  return (one.metadata.namespace ?? 'default') === (other.metadata.namespace ?? 'default')
}

export function containersOf(pod: PodSpec): Container[] {
  return [...(pod.initContainers ?? []), ...pod.containers]
}
