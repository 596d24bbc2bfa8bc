import { readFile } from 'node:fs/promises'
import { ClusterNotFound, type CredentialSource, urlOf } from './credentials.ts'
import { type KubeconfigOptions, kubeconfigSource } from './kubeconfig.ts'

export interface AccessOptions extends KubeconfigOptions {
  /** Where the kubelet mounts token and CA; replaced in tests only. */
  readonly serviceAccountFolder?: string
}

/** Where a Pod has its token and the CA. */
export const serviceAccountMount = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The kubeconfig that was named, the cluster we run in, or the default kubeconfig; in this order. */
export function findCluster(options: AccessOptions): CredentialSource {
  const isInside = options.kubeconfig === undefined && options.env['KUBERNETES_SERVICE_HOST'] !== undefined
  return isInside ? inCluster(options) : kubeconfigSource(options)
}

function inCluster({ env, serviceAccountFolder = serviceAccountMount }: AccessOptions): CredentialSource {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port } = env
  if (host === '' || !/^\d+$/.test(port ?? ''))
    throw new ClusterNotFound(
      'no cluster found: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must both be set inside a cluster; set KUBECONFIG outside',
    )
  return {
    server: urlOf(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    read: async () => ({
      ca: await read(`${serviceAccountFolder}/ca.crt`),
      cert: undefined,
      key: undefined,
      servername: undefined,
      rejectUnauthorized: true,
      authorization: `Bearer ${(await read(`${serviceAccountFolder}/token`)).trim()}`,
    }),
  }
}

async function read(path: string): Promise<string> {
  try {
    const text = await readFile(path, 'utf8')
    if (text.trim() === '') throw new Error('the file is empty')
    return text
  } catch (cause) {
    throw new ClusterNotFound(`${path} can't be read; is the service account's token mounted?`, { cause })
  }
}
