/** What each component is started with. */

const usual = [
  'job-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'ttl-after-finished-controller',
  'resourcequota-controller',
]

export function etcdArguments(folder: string, port: number, peerPort: number): string[] {
  const client = `http://127.0.0.1:${port}`
  const peer = `http://127.0.0.1:${peerPort}`
  return [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
    '--unsafe-no-fsync',
  ]
}

export function apiServerArguments(folder: string, etcdPort: number, port: number): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}/certs`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${folder}/sa.pub`,
    `--service-account-signing-key-file=${folder}/sa.key`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${folder}/tokens.csv`,
    `--audit-policy-file=${folder}/audit-policy.json`,
    `--audit-log-path=${folder}/audit.log`,
    '--audit-log-mode=blocking',
    // Megabytes: who reads it wants the whole of it, and after a hundred it would begin a new file.
    '--audit-log-maxsize=100000',
    '--allow-privileged=true',
    '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
  ]
}

export function managerArguments(folder: string, more: readonly string[]): string[] {
  const kubeconfig = `${folder}/admin.kubeconfig`
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    `--service-account-private-key-file=${folder}/sa.key`,
    `--root-ca-file=${folder}/certs/apiserver.crt`,
    `--controllers=${[...usual, ...more].join(',')}`,
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
    '--concurrent-job-syncs=20',
  ]
}
