import packageJson from '../../package.json' with { type: 'json' }
import { serviceAccountMount } from '../../src/kube/find-cluster.ts'
import { hasRoom, listensAt, portOf, projectedMount, stopsWithinSeconds } from '../support/pod-spec.ts'
import { type Checks, containers, deployments, pods } from './check.ts'
import type { Container, Labels } from './objects.ts'

type Name = 'startupProbe' | 'livenessProbe' | 'readinessProbe'

/** Does the probe ask for another path, or at another port than the operator opens? */
function asksElsewhere(container: Container, name: Name, path: string): boolean {
  const probe = container[name]
  return probe?.httpGet?.path !== path || attempt(() => portOf(container, probe)) !== listensAt(container)
}

function attempt<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}

const { version } = packageJson
const isOther = (labels: Labels | undefined) => labels?.['app.kubernetes.io/version'] !== version

/** What no linter knows: whether what the manifests start is the operator, and whether it can do its work there. */
export const runningChecks: Checks = {
  startup: containers((container) => asksElsewhere(container, 'startupProbe', '/healthz')),
  liveness: containers((container) => asksElsewhere(container, 'livenessProbe', '/healthz')),
  readiness: containers((container) => asksElsewhere(container, 'readinessProbe', '/readyz')),
  port: containers((container) => {
    const http = container.ports?.filter(({ name }) => name === 'http') ?? []
    return http.length !== 1 || http[0]?.containerPort !== listensAt(container)
  }),
  'token-mount': pods((pod) => attempt(() => projectedMount(pod).mountPath) !== serviceAccountMount),
  grace: pods(({ terminationGracePeriodSeconds = 30 }) => terminationGracePeriodSeconds <= stopsWithinSeconds),
  memory: containers(({ resources = {} }) => !hasRoom({ resources })),
  'image-version': containers(({ image }) => !image.endsWith(`:${version}`)),
  'version-labels': deployments(
    ({ metadata, spec }) => isOther(metadata.labels) || isOther(spec.template.metadata.labels),
  ),
}
