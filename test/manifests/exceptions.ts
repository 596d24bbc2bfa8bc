import { type Change, container, deployment, one, pod, podSecurity, resources, rules } from './parts.ts'

/** Why a check is not heeded, and the change that would silence it. */
export interface Exception {
  readonly reason: string
  readonly mend: Change
}

const noCpuLimit = 'A throttled operator is late; its request of CPU is what it is owed.'
const cpuLimit = resources(({ limits }) => {
  limits['cpu'] = '1'
})
const labels = { 'app.kubernetes.io/name': 'second-cron-job-operator' }

function replicas(count: number): Change {
  return deployment(({ spec }) => {
    spec.replicas = count
  })
}

export const exceptions: Readonly<Record<string, Exception>> = {
  'kube-linter/minimum-three-replicas': {
    reason: 'One leads and one stands by: a third would only wait longer.',
    mend: replicas(3),
  },
  'kube-linter/priority-class-name': {
    reason: 'It knows the two classes of the system alone; the operator has one of its own, above what it starts.',
    mend: pod((spec) => {
      spec.priorityClassName = 'system-cluster-critical'
    }),
  },
  'kube-linter/required-label-owner': {
    reason: 'Whoever installs it owns it, and may add the label in a kustomization.',
    mend: deployment(({ metadata }) => {
      metadata.labels = { ...metadata.labels, owner: 'someone' }
    }),
  },
  'kube-linter/access-to-create-pods': {
    reason: 'To create Jobs is what the operator is for.',
    mend: rules((granted) => {
      for (const rule of granted) if (rule.resources.includes('jobs')) rule.verbs = ['get', 'list', 'watch']
    }),
  },
  'polaris/pullPolicyNotAlways': {
    reason: 'The tag is fixed; a restart must not wait for a registry.',
    mend: container((operator) => {
      operator.imagePullPolicy = 'Always'
    }),
  },
  'polaris/cpuLimitsMissing': { reason: noCpuLimit, mend: cpuLimit },
  'polaris/missingNetworkPolicy': {
    reason:
      'Ingress is closed but for the probes; egress is open, since the address of the API server differs by cluster.',
    mend: (objects) => {
      const { spec } = one('NetworkPolicy', objects)
      spec.podSelector = { matchLabels: labels }
      spec.egress = [{}]
    },
  },
  'kubesec/LimitsCPU': { reason: noCpuLimit, mend: cpuLimit },
  'kubesec/ApparmorAny': {
    reason:
      'Asked for by name, a node without AppArmor refuses the Pod; where there is AppArmor its default holds anyway.',
    mend: podSecurity((context) => {
      context.appArmorProfile = { type: 'RuntimeDefault' }
    }),
  },
  'kubesec/HostUsers': {
    reason: 'Not every node can give a Pod a user namespace, and one that cannot does not start it.',
    mend: pod((spec) => {
      spec.hostUsers = false
    }),
  },
}
