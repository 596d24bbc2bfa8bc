import { readFile } from 'node:fs/promises'
import type { RequestOptions } from 'node:https'
import { KubeConfig } from '@kubernetes/client-node'

/** What a connection and a request need to be let in. */
export interface Credentials {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly servername: string | undefined
  readonly rejectUnauthorized: boolean
  /** The value of the Authorization header, or null. */
  readonly authorization: string | null
}

export interface CredentialSource {
  readonly server: URL
  /** Reads them afresh; `force` also forgets what the source itself keeps (a cached token). */
  read(force: boolean): Promise<Credentials>
}

/** The part that belongs to the connection, as node:tls wants it. */
export function tlsOf({ ca, cert, key, servername, rejectUnauthorized }: Credentials): TlsOptions {
  const given = Object.entries({ ca, cert, key, servername }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), rejectUnauthorized }
}

export type TlsOptions = { -readonly [Part in 'ca' | 'cert' | 'key' | 'servername']?: string } & {
  rejectUnauthorized: boolean
}

/** Whether connections made with the one are as good as made with the other. */
export function sameTls(a: Credentials, b: Credentials): boolean {
  return JSON.stringify(tlsOf(a)) === JSON.stringify(tlsOf(b))
}

/** No cluster, or one that can't be reached with what is configured. The message is for the user, one sentence. */
export class ClusterNotFound extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ClusterNotFound'
  }
}

export interface AccessOptions {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the kubelet mounts token and CA; replaced in tests only. */
  readonly serviceAccountFolder?: string
}

const mount = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The kubeconfig that was named, the cluster we run in, or the default kubeconfig; in this order. */
export function findCluster(options: AccessOptions): CredentialSource {
  if (options.kubeconfig !== undefined) return kubeconfigSource(options.kubeconfig, options.context)
  if (options.env['KUBERNETES_SERVICE_HOST'] !== undefined) return inCluster(options)
  return kubeconfigSource(undefined, options.context)
}

function inCluster({ env, serviceAccountFolder = mount }: AccessOptions): CredentialSource {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? ''
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '443'
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
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

function kubeconfigSource(path: string | undefined, context: string | undefined): CredentialSource {
  let config = load(path, context)
  const server = serverOf(config, path)
  return {
    server,
    read: async (force) => {
      if (force) config = load(path, context)
      return fromKubeConfig(config)
    },
  }
}

function load(path: string | undefined, context: string | undefined): KubeConfig {
  const config = new KubeConfig()
  try {
    if (path === undefined) config.loadFromDefault()
    else config.loadFromFile(path)
  } catch (cause) {
    throw new ClusterNotFound(`the kubeconfig ${path ?? 'of this user'} can't be read: ${messageOf(cause)}`, { cause })
  }
  if (context !== undefined && config.getContextObject(context) === null) {
    const known = config.getContexts().map(({ name }) => name)
    throw new ClusterNotFound(`there is no context "${context}" in the kubeconfig; it has: ${known.join(', ')}`)
  }
  if (context !== undefined) config.setCurrentContext(context)
  return config
}

function serverOf(config: KubeConfig, path: string | undefined): URL {
  const cluster = config.getCurrentCluster()
  // Without any kubeconfig, client-node makes up a cluster at localhost:8080 of this name.
  const madeUp = path === undefined && config.getContexts().every(({ name }) => name === 'loaded-context')
  if (cluster === null || madeUp)
    throw new ClusterNotFound('no cluster found: set KUBECONFIG or --kubeconfig, or run inside a cluster')
  return new URL(cluster.server)
}

async function fromKubeConfig(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = { headers: {} }
  await config.applyToHTTPSOptions(options).catch((cause: unknown) => {
    throw new ClusterNotFound(`the credentials of the kubeconfig can't be used: ${messageOf(cause)}`, { cause })
  })
  const headers = options.headers as Record<string, string>
  const basic = options.auth == null ? null : `Basic ${Buffer.from(options.auth).toString('base64')}`
  return {
    ca: pem(options.ca),
    cert: pem(options.cert),
    key: pem(options.key),
    servername: options.servername,
    rejectUnauthorized: options.rejectUnauthorized !== false,
    authorization: headers['Authorization']?.trim() ?? basic,
  }
}

function pem(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Buffer.isBuffer(value) ? value.toString('utf8') : undefined
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
