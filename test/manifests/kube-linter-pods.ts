import { adds, type Checks, containers, deployments, drops, hostPaths, pods } from './check.ts'
import { type Container, inSameNamespace, ofKind, type Probe, selects } from './objects.ts'

const blockedImages = [/:latest$/, /^[^:]*$/, /\/[^:]+$/]
const sensitivePath = /^\/(boot|dev|etc|lib|proc|sys|usr)?$/
const unsafeSysctl = /^(kernel\.(msg|sem|shm)|fs\.mqueue\.|net\.)/

function asksElsewhere(container: Container, probe: Probe | undefined): boolean {
  const asked = probe?.httpGet?.port ?? probe?.tcpSocket?.port
  if (asked === undefined) return false
  return !(container.ports ?? []).some(({ name, containerPort }) => asked === name || asked === containerPort)
}

function mayBeRoot(container: Container, pod: Container['securityContext']): boolean {
  const { runAsNonRoot, runAsUser, runAsGroup } = { ...pod, ...container.securityContext }
  return runAsGroup === 0 || runAsUser === 0 || (runAsUser === undefined && runAsNonRoot !== true)
}

/** The checks of kube-linter that look at Pods: those on by default. */
export const podDefaults: Checks = {
  'deprecated-service-account-field': pods(({ serviceAccount }) => serviceAccount !== undefined),
  'docker-sock': containers((one, pod) => hostPaths(one, pod).some((path) => path.endsWith('docker.sock'))),
  'drop-net-raw-capability': containers((one) => !drops(one, 'NET_RAW') || adds(one, ['NET_RAW'])),
  'duplicate-env-var': containers(({ env = [] }) => new Set(env.map(({ name }) => name)).size < env.length),
  'env-var-secret': containers(({ env = [] }) =>
    env.some(({ name, value }) => /secret/i.test(name) && (value ?? '') !== ''),
  ),
  'host-ipc': pods(({ hostIPC }) => hostIPC === true),
  'host-network': pods(({ hostNetwork }) => hostNetwork === true),
  'host-pid': pods(({ hostPID }) => hostPID === true),
  'latest-tag': containers(({ image }) => blockedImages.some((blocked) => blocked.test(image))),
  'liveness-port': containers((one) => asksElsewhere(one, one.livenessProbe)),
  'mismatching-selector': deployments(
    ({ spec }) =>
      spec.selector?.matchLabels === undefined || !selects(spec.selector.matchLabels, spec.template.metadata.labels),
  ),
  'no-anti-affinity': deployments(
    ({ spec }) =>
      (spec.replicas ?? 1) > 1 &&
      Object.values(spec.template.spec.affinity?.podAntiAffinity ?? {}).every((terms) => terms.length === 0),
  ),
  'no-read-only-root-fs': containers(({ securityContext }) => securityContext?.readOnlyRootFilesystem !== true),
  'non-existent-service-account': deployments((deployment, objects) => {
    const { serviceAccountName = 'default' } = deployment.spec.template.spec
    const there = ofKind(objects, 'ServiceAccount').filter((account) => inSameNamespace(account, deployment))
    return serviceAccountName !== 'default' && !there.some(({ metadata }) => metadata.name === serviceAccountName)
  }),
  'privilege-escalation-container': containers(
    (one) =>
      one.securityContext?.allowPrivilegeEscalation === true ||
      one.securityContext?.privileged === true ||
      adds(one, ['SYS_ADMIN']),
  ),
  'privileged-container': containers(({ securityContext }) => securityContext?.privileged === true),
  'readiness-port': containers((one) => asksElsewhere(one, one.readinessProbe)),
  'run-as-non-root': containers((one, pod) => mayBeRoot(one, pod.securityContext)),
  'sensitive-host-mounts': containers((one, pod) => hostPaths(one, pod).some((path) => sensitivePath.test(path))),
  'ssh-port': containers(({ ports = [] }) =>
    ports.some(({ containerPort, protocol = 'TCP' }) => containerPort === 22 && protocol === 'TCP'),
  ),
  'startup-port': containers((one) => asksElsewhere(one, one.startupProbe)),
  'unsafe-sysctls': pods(({ securityContext }) =>
    (securityContext?.sysctls ?? []).some(({ name }) => unsafeSysctl.test(name)),
  ),
  'unset-cpu-requirements': containers(({ resources }) => resources?.requests?.['cpu'] === undefined),
  'unset-memory-requirements': containers(({ resources }) => resources?.limits?.['memory'] === undefined),
}

/** Those that are to be asked for. */
export const podOptIns: Checks = {
  'default-service-account': pods(({ serviceAccountName = '' }) => ['', 'default'].includes(serviceAccountName)),
  'minimum-three-replicas': deployments(({ spec }) => (spec.replicas ?? 1) < 3),
  'no-liveness-probe': containers(({ livenessProbe }) => livenessProbe === undefined),
  'no-readiness-probe': containers(({ readinessProbe }) => readinessProbe === undefined),
  'no-rolling-update-strategy': deployments(({ spec }) => spec.strategy?.type !== 'RollingUpdate'),
  'non-isolated-pod': deployments((deployment, objects) => {
    const policies = ofKind(objects, 'NetworkPolicy').filter((policy) => inSameNamespace(policy, deployment))
    const { labels } = deployment.spec.template.metadata
    return !policies.some(({ spec }) => selects(spec.podSelector.matchLabels, labels))
  }),
  'priority-class-name': pods(
    ({ priorityClassName = '' }) => !['system-cluster-critical', 'system-node-critical'].includes(priorityClassName),
  ),
  'restart-policy': pods(({ restartPolicy = '' }) => !['Always', 'OnFailure'].includes(restartPolicy)),
  'required-label-owner': deployments(({ metadata }) => metadata.labels?.['owner'] === undefined),
}
