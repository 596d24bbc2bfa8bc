import { type Check, type Checks, containers, each } from './check.ts'
import { inSameNamespace, ofKind, type PodDisruptionBudget, selects, type Thing } from './objects.ts'
import { allows, bindings, roles, workloads } from './rights.ts'

const portName = /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/

/** So many of `whole`, where a number or a percentage is written. */
function amount(written: number | string, whole: number): number {
  return typeof written === 'number' ? written : Math.ceil((whole * Number.parseInt(written, 10)) / 100)
}

function neverLetsGo(budget: PodDisruptionBudget, objects: readonly Thing[]): boolean {
  const { minAvailable, selector } = budget.spec
  if (minAvailable === undefined) return false
  return ofKind(objects, 'Deployment')
    .filter((deployment) => inSameNamespace(deployment, budget))
    .filter(({ spec }) => selects(selector?.matchLabels, spec.template.metadata.labels))
    .some(({ spec: { replicas = 1 } }) => replicas <= amount(minAvailable, replicas))
}

function bothBindings(isBad: Parameters<typeof bindings>[2]): Check {
  const ofNamespace = bindings('RoleBinding', ['Role', 'ClusterRole'], isBad)
  const ofCluster = bindings('ClusterRoleBinding', ['ClusterRole'], isBad)
  return (objects) => [...ofNamespace(objects), ...ofCluster(objects)]
}

function isPort(written: string | number): boolean {
  return typeof written === 'string' ? portName.test(written) : written >= 0 && written <= 65_535
}

const wrongNames = containers(({ ports = [] }) => ports.some(({ name = 'a' }) => !isPort(name)))
const wrongTargets = each('Service', ({ spec: { ports = [] } }) =>
  ports.some(({ targetPort = 0 }) => !isPort(targetPort)),
)

/** The checks of kube-linter that look at anything but Pods: those on by default. */
export const objectDefaults: Checks = {
  'dangling-service': each(
    'Service',
    (service, objects) =>
      !ofKind(objects, 'Deployment').some(
        (deployment) =>
          inSameNamespace(service, deployment) &&
          selects(service.spec.selector, deployment.spec.template.metadata.labels),
      ),
  ),
  'invalid-target-ports': (objects) => [...wrongNames(objects), ...wrongTargets(objects)],
  'job-ttl-seconds-after-finished': each('Job', ({ spec }) => spec.ttlSecondsAfterFinished === undefined),
  'no-extensions-v1beta': (objects) =>
    objects.filter(({ apiVersion }) => apiVersion.startsWith('extensions/v1beta')).map(({ metadata }) => metadata.name),
  'pdb-max-unavailable': each(
    'PodDisruptionBudget',
    ({ spec }) => spec.maxUnavailable !== undefined && amount(spec.maxUnavailable, 100) === 0,
  ),
  'pdb-min-available': each('PodDisruptionBudget', neverLetsGo),
  'pdb-unhealthy-pod-eviction-policy': each(
    'PodDisruptionBudget',
    ({ spec }) => spec.unhealthyPodEvictionPolicy === undefined,
  ),
}

/** Those that are to be asked for. */
export const objectOptIns: Checks = {
  'access-to-create-pods': bothBindings(({ rules }) => rules.some((rule) => allows(rule, workloads, ['create']))),
  'access-to-secrets': bothBindings(({ rules }) =>
    rules.some((rule) => allows(rule, ['secrets'], ['get', 'list', 'watch', 'create', 'delete'])),
  ),
  'cluster-admin-role-binding': bindings(
    'ClusterRoleBinding',
    ['ClusterRole'],
    ({ metadata }) => metadata.name === 'cluster-admin',
  ),
  'use-namespace': (objects) =>
    [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'Service')]
      .filter(({ metadata: { namespace = 'default' } }) => namespace === 'default')
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  'wildcard-in-rules': (objects) =>
    (['Role', 'ClusterRole'] as const).flatMap((kind) =>
      roles(kind, ({ resources, verbs }) => [...resources, ...verbs].includes('*'))(objects),
    ),
}
