import { container, type Change, deployment, hostMount, pod, podSecurity, resources, security } from './parts.ts'

/** What is done to the objects, and the checks that must speak of it: these and no others. */
export type Breakage = readonly [change: Change, checks: string]

const host = (what: 'hostIPC' | 'hostPID' | 'hostNetwork') => pod((spec) => void (spec[what] = true))
const image = (name: string) => container((operator) => void (operator.image = name))
const variable = (name: string, value = 'x') => container(({ env }) => void env?.push({ name, value }))
const port = (wrong: { name?: string; containerPort: number; hostPort?: number }) =>
  container(({ ports }) => void ports?.push(wrong))
const adds = (capability: string) => security(({ capabilities = {} }) => void (capabilities.add = [capability]))
const drops = (...capabilities: readonly string[]) =>
  security((context) => void (context.capabilities = { drop: [...capabilities] }))
const latest = 'kube-linter/latest-tag polaris/tagNotSpecified'

export const podBreakages: Readonly<Record<string, Breakage>> = {
  'the root file system can be written': [
    security((context) => delete context.readOnlyRootFilesystem),
    'kube-linter/no-read-only-root-fs polaris/notReadOnlyRootFilesystem kubesec/ReadOnlyRootFilesystem',
  ],
  'privileges can be gained, since nothing forbids it': [
    security((context) => delete context.allowPrivilegeEscalation),
    'polaris/privilegeEscalationAllowed',
  ],
  'privileges can be gained': [
    security((context) => void (context.allowPrivilegeEscalation = true)),
    'kube-linter/privilege-escalation-container polaris/privilegeEscalationAllowed kubesec/AllowPrivilegeEscalation',
  ],
  privileged: [
    security((context) => void (context.privileged = true)),
    'kube-linter/privilege-escalation-container kube-linter/privileged-container polaris/runAsPrivileged kubesec/Privileged',
  ],
  'no capability is dropped': [
    drops(),
    'kube-linter/drop-net-raw-capability polaris/insecureCapabilities kubesec/CapDropAny kubesec/CapDropAll',
  ],
  'only one capability is dropped': [drops('NET_RAW'), 'polaris/insecureCapabilities kubesec/CapDropAll'],
  'SYS_ADMIN is added': [
    adds('SYS_ADMIN'),
    'kube-linter/privilege-escalation-container polaris/dangerousCapabilities kubesec/CapSysAdmin',
  ],
  'NET_RAW is added': [adds('NET_RAW'), 'kube-linter/drop-net-raw-capability'],
  'nothing says who it runs as': [
    podSecurity((context) => {
      delete context.runAsNonRoot
      delete context.runAsUser
    }),
    'kube-linter/run-as-non-root polaris/runAsRootAllowed kubesec/RunAsNonRoot kubesec/RunAsUser',
  ],
  'the container alone runs as root': [
    security((context) => void (context.runAsUser = 0)),
    'kube-linter/run-as-non-root polaris/runAsRootAllowed kubesec/RunAsUser',
  ],
  'the group of root': [
    podSecurity((context) => void (context.runAsGroup = 0)),
    'kube-linter/run-as-non-root kubesec/RunAsGroup',
  ],
  'no seccomp profile': [podSecurity((context) => delete context.seccompProfile), 'kubesec/SeccompAny'],
  'no seccomp': [
    podSecurity((context) => void (context.seccompProfile = { type: 'Unconfined' })),
    'kubesec/SeccompAny kubesec/SeccompUnconfined',
  ],
  'no AppArmor': [
    podSecurity((context) => void (context.appArmorProfile = { type: 'Unconfined' })),
    'kubesec/ApparmorUnconfined',
  ],
  'no hardening at all': [
    pod((spec) => {
      delete spec.securityContext?.seccompProfile
      for (const { securityContext } of spec.containers) delete securityContext?.capabilities
    }),
    'kube-linter/drop-net-raw-capability polaris/linuxHardening polaris/insecureCapabilities kubesec/CapDropAny kubesec/CapDropAll kubesec/SeccompAny',
  ],
  '/proc unmasked': [security((context) => void (context.procMount = 'Unmasked')), 'polaris/procMount'],
  'a process of the Windows host': [
    security((context) => void (context.windowsOptions = { hostProcess: true })),
    'polaris/hostProcess',
  ],
  'an unsafe sysctl': [
    podSecurity((context) => void (context.sysctls = [{ name: 'net.core.somaxconn', value: '1' }])),
    'kube-linter/unsafe-sysctls',
  ],
  'the IPC of the node': [host('hostIPC'), 'kube-linter/host-ipc polaris/hostIPCSet kubesec/HostIPC'],
  'the processes of the node': [host('hostPID'), 'kube-linter/host-pid polaris/hostPIDSet kubesec/HostPID'],
  'the network of the node': [
    host('hostNetwork'),
    'kube-linter/host-network polaris/hostNetworkSet kubesec/HostNetwork',
  ],
  'names of its own': [pod((spec) => void (spec.hostAliases = [{}])), 'kubesec/HostAliases'],
  'the socket of Docker': [
    hostMount('/var/run/docker.sock'),
    'kube-linter/docker-sock polaris/hostPathSet kubesec/DockerSock',
  ],
  '/proc of the node': [hostMount('/proc'), 'kube-linter/sensitive-host-mounts polaris/hostPathSet kubesec/ProcMount'],
  'the root of the node': [hostMount('/'), 'kube-linter/sensitive-host-mounts polaris/hostPathSet'],
  ':latest': [image('operator:latest'), latest],
  'an image without a tag': [image('operator'), latest],
  'a registry with a port, without a tag': [image('registry:5000/operator'), 'kube-linter/latest-tag'],
  'a variable named SECRET': [variable('MY_SECRET'), 'kube-linter/env-var-secret polaris/sensitiveContainerEnvVar'],
  'a variable named PASSWORD': [variable('PASSWORD'), 'polaris/sensitiveContainerEnvVar'],
  'a private key in a variable': [
    variable('INNOCENT', '-----BEGIN RSA PRIVATE KEY-----'),
    'polaris/sensitiveContainerEnvVar',
  ],
  'a variable twice': [variable('POD_NAME'), 'kube-linter/duplicate-env-var'],
  'a variable from a Secret': [
    container(({ env }) => void env?.push({ name: 'A', valueFrom: { secretKeyRef: {} } })),
    'kubesec/SecretsAsEnvironmentVariables',
  ],
  'variables from a Secret': [
    container((operator) => void (operator.envFrom = [{ secretRef: {} }])),
    'kubesec/SecretsAsEnvironmentVariables',
  ],
  'the port of SSH': [port({ containerPort: 22 }), 'kube-linter/ssh-port'],
  'a port of the node': [port({ containerPort: 44445, hostPort: 80 }), 'polaris/hostPortSet'],
  'a name that no port may have': [port({ name: 'Too_Bad', containerPort: 1 }), 'kube-linter/invalid-target-ports'],
  'the port of the probes has another name': [
    container(({ ports: [http] = [] }) => {
      if (http !== undefined) http.name = 'web'
    }),
    'kube-linter/liveness-port kube-linter/readiness-port kube-linter/startup-port',
  ],
  'no liveness probe': [
    container((operator) => delete operator.livenessProbe),
    'kube-linter/no-liveness-probe polaris/livenessProbeMissing',
  ],
  'no readiness probe': [
    container((operator) => delete operator.readinessProbe),
    'kube-linter/no-readiness-probe polaris/readinessProbeMissing',
  ],
  'no CPU asked for': [
    resources(({ requests }) => delete requests['cpu']),
    'kube-linter/unset-cpu-requirements polaris/cpuRequestsMissing kubesec/RequestsCPU',
  ],
  'no memory asked for': [
    resources(({ requests }) => delete requests['memory']),
    'polaris/memoryRequestsMissing kubesec/RequestsMemory',
  ],
  'no limit of memory': [
    resources(({ limits }) => delete limits['memory']),
    'kube-linter/unset-memory-requirements polaris/memoryLimitsMissing kubesec/LimitsMemory',
  ],
  'two replicas that may share a node': [pod((spec) => delete spec.affinity), 'kube-linter/no-anti-affinity'],
  'one replica': [deployment(({ spec }) => void (spec.replicas = 1)), 'polaris/deploymentMissingReplicas'],
  'replicas that may share a zone': [
    pod((spec) => delete spec.topologySpreadConstraints),
    'polaris/topologySpreadConstraint',
  ],
  'all replaced at once': [
    deployment(({ spec }) => void (spec.strategy = { type: 'Recreate' })),
    'kube-linter/no-rolling-update-strategy',
  ],
  'no priority': [pod((spec) => delete spec.priorityClassName), 'polaris/priorityClassNotSet'],
  'no restart policy': [pod((spec) => delete spec.restartPolicy), 'kube-linter/restart-policy'],
}
