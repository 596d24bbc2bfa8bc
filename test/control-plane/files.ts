/** The small files that the control plane and its clients are started with. */

/** Writes with their times; reads only of the kinds that the operator lists. Names are in it at level Metadata. */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    // All that the operator asks for: its rights are compared with it.
    { level: 'Metadata', userGroups: ['system:serviceaccounts:myyrakle'] },
    {
      level: 'Metadata',
      verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
      resources: [
        { group: 'batch', resources: ['jobs', 'jobs/status'] },
        { group: 'myyrakle.com', resources: ['secondcronjobs', 'secondcronjobs/status'] },
        { group: 'events.k8s.io', resources: ['events'] },
        { group: 'coordination.k8s.io', resources: ['leases'] },
      ],
    },
    {
      level: 'Metadata',
      verbs: ['get', 'list', 'watch'],
      resources: [
        { group: 'batch', resources: ['jobs'] },
        { group: 'myyrakle.com', resources: ['secondcronjobs'] },
      ],
    },
    { level: 'None' },
  ],
}

const written = ['create', 'update', 'patch', 'delete']

/** The same with the bodies from which a run can be replayed: specs and statuses, Jobs with their owners, and their ends. */
export const auditPolicyWithObjects = {
  ...auditPolicy,
  rules: [
    {
      level: 'RequestResponse',
      verbs: written,
      resources: [{ group: 'myyrakle.com', resources: ['secondcronjobs', 'secondcronjobs/status'] }],
      omitManagedFields: true,
    },
    {
      level: 'RequestResponse',
      verbs: written,
      resources: [{ group: 'batch', resources: ['jobs', 'jobs/status'] }],
      omitManagedFields: true,
    },
    ...auditPolicy.rules,
  ],
}

export function kubeconfigText({ server, ca, token }: { server: string; ca: string; token: string }): string {
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  })
}
