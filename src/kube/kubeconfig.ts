import type { RequestOptions } from 'node:https'
import { delimiter } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { ClusterNotFound, type Credentials, type CredentialSource, urlOf } from './credentials.ts'
import { askHelper, type Helper, type HelperCredential, isOld } from './exec-credential.ts'

export interface KubeconfigOptions {
  /** One file, or several as in `KUBECONFIG`; the user's default ones when absent. */
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  /** For the helpers. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Epoch milliseconds: whether what a helper gave is still good. */
  readonly now?: () => number
}

/** Token, client certificate, basic login or exec helper, as the current context has it. Throws ClusterNotFound. */
export function kubeconfigSource({
  kubeconfig: path,
  context,
  env,
  now = Date.now,
}: KubeconfigOptions): CredentialSource {
  let config = load(path, context)
  let given: HelperCredential | null = null
  return {
    server: serverOf(config, path),
    read: async (force) => {
      if (force) {
        config = load(path, context)
        given = null
      }
      const helper = config.getCurrentUser()?.exec as Helper | null | undefined
      if (helper == null) return fromKubeConfig(config)
      if (given === null || isOld(given, now())) given = await askHelper(helper, env).catch(unusable)
      return withHelper(await fromKubeConfig(withoutHelpers(config)), given)
    },
  }
}

function withHelper(own: Credentials, { token, cert, key }: HelperCredential): Credentials {
  const authorization = token === undefined ? own.authorization : `Bearer ${token}`
  return { ...own, authorization, cert: cert ?? own.cert, key: key ?? own.key }
}

/** client-node would run the helper by itself, without a limit of time, and up to the second in which its token ends. */
function withoutHelpers(config: KubeConfig): KubeConfig {
  const { clusters, users, contexts, currentContext } = config
  const rest = new KubeConfig()
  rest.loadFromOptions({ clusters, users: users.map(({ exec: _exec, ...user }) => user), contexts, currentContext })
  return rest
}

/** Several files are one configuration, as kubectl has it: the first to name a thing wins. */
function loadFiles(config: KubeConfig, [first = '', ...others]: readonly string[]): void {
  config.loadFromFile(first)
  for (const path of others) {
    const other = new KubeConfig()
    other.loadFromFile(path)
    config.mergeConfig(other, true)
  }
}

function load(path: string | undefined, context: string | undefined): KubeConfig {
  const config = new KubeConfig()
  try {
    if (path === undefined) config.loadFromDefault()
    else loadFiles(config, path.split(delimiter))
  } catch (cause) {
    throw new ClusterNotFound(`the kubeconfig ${path ?? 'of this user'} can't be read: ${messageOf(cause)}`, { cause })
  }
  if (context !== undefined && config.getContextObject(context) === null) {
    const known = namesOf(config.getContexts()) || 'none'
    throw new ClusterNotFound(`there is no context "${context}" in the kubeconfig; it has: ${known}`)
  }
  if (context !== undefined) config.setCurrentContext(context)
  checkNames(config)
  // client-node refuses plain HTTP unless certificates, of which there are none, need not be verified.
  config.clusters = config.clusters.map((cluster) =>
    cluster.server?.startsWith('http:') ? { ...cluster, skipTLSVerify: true } : cluster,
  )
  return config
}

const inventedContexts = new Set(['loaded-context', 'inClusterContext'])

function serverOf(config: KubeConfig, path: string | undefined): URL {
  const cluster = config.getCurrentCluster()
  // Without any kubeconfig, client-node makes up a cluster: at localhost:8080 under the one name, or, where a service
  // account is mounted but no variable names a server, at https://undefined under the other.
  const madeUp = path === undefined && config.getContexts().every(({ name }) => inventedContexts.has(name))
  if (cluster === null || madeUp)
    throw new ClusterNotFound(
      'no cluster found: set KUBECONFIG or --kubeconfig to a file that names one, or run inside a cluster',
    )
  if (cluster.proxyUrl !== undefined)
    throw new ClusterNotFound(
      `the cluster "${cluster.name}" has a proxy-url, which is not supported; reach it without one, or run inside it`,
    )
  return urlOf(cluster.server)
}

/** A name that leads nowhere: client-node goes on without what it names, and would ask the API server as nobody. */
function checkNames(config: KubeConfig): void {
  const names = namesOf(config.getContexts())
  const current = config.currentContext ?? ''
  const context = config.getContextObject(current)
  if (context === null && names !== '')
    throw new ClusterNotFound(
      `${current === '' ? 'the kubeconfig has no current-context' : `the current-context "${current}" is not in the kubeconfig`}; write --context with one of: ${names}`,
    )
  if (context === null) return
  const { cluster, user } = context
  if (config.getCluster(cluster) === null)
    throw new ClusterNotFound(missing(current, 'cluster', cluster, namesOf(config.getClusters())))
  if ((user ?? '') !== '' && config.getUser(user) === null)
    throw new ClusterNotFound(missing(current, 'user', user, namesOf(config.getUsers())))
}

function missing(context: string, kind: string, name: string, known: string): string {
  return `the context "${context}" names the ${kind} "${name}", which is not in the kubeconfig; it has: ${known || 'none'}`
}

function namesOf(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => name).join(', ')
}

async function fromKubeConfig(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = { headers: {} }
  await config.applyToHTTPSOptions(options).catch(unusable)
  const headers = options.headers as Record<string, string>
  const basic = options.auth == null ? null : `Basic ${Buffer.from(options.auth).toString('base64')}`
  return {
    ca: pem(options.ca),
    cert: pem(options.cert),
    key: pem(options.key),
    servername: options.servername,
    rejectUnauthorized: options.rejectUnauthorized !== false,
    authorization: headers['Authorization']?.trim() ?? basic,
    impersonate: headers['Impersonate-User'],
  }
}

function unusable(cause: unknown): never {
  throw new ClusterNotFound(`the credentials of the kubeconfig can't be used: ${messageOf(cause)}`, { cause })
}

function pem(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Buffer.isBuffer(value) ? value.toString('utf8') : undefined
}

/** Its first line: what follows quotes the file, which may hold secrets, or be no text at all. */
function messageOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? ''
}
