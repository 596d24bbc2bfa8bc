import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { killAtExit, removeAtExit } from './component.ts'

/** Where the components of the real control plane are. */
export interface Binaries {
  readonly etcd: string
  readonly apiServer: string
  readonly controllerManager: string
}

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const longestBuildMs = 45 * 60_000
const packages = [
  'k8s.io/kubernetes/cmd/kube-apiserver',
  'k8s.io/kubernetes/cmd/kube-controller-manager',
  'go.etcd.io/etcd/server/v3',
]

/**
 * `KUBEBUILDER_ASSETS` when it is set, as controller-runtime has it; otherwise built from the Go module beside this file
 * (its versions, its checksums) into a cache folder outside the checkout, keyed by all that goes into the build.
 * Two processes may do so at once: each builds aside, and the first to be ready is used.
 */
export async function findBinaries(): Promise<Binaries> {
  const assets = process.env['KUBEBUILDER_ASSETS']
  if (assets !== undefined) return existing(assets, 'etcd', 'KUBEBUILDER_ASSETS')
  const module = await readFile(`${here}go.mod`, 'utf8')
  const sums = await readFile(`${here}go.sum`, 'utf8')
  const version = versionOf(module)
  const flags = linkerFlags(version)
  const hash = createHash('sha256').update(module).update(sums).update(flags).digest('hex').slice(0, 12)
  const folder = `${cacheFolder()}/${version}-${hash}`
  if (!(await exists(folder))) await build(folder, flags)
  return existing(folder, 'server', 'the cache folder')
}

export function cacheFolder(): string {
  return `${process.env['XDG_CACHE_HOME'] ?? `${homedir()}/.cache`}/second-cron-job/control-plane`
}

async function existing(folder: string, etcd: string, source: string): Promise<Binaries> {
  const found = {
    etcd: `${folder}/${etcd}`,
    apiServer: `${folder}/kube-apiserver`,
    controllerManager: `${folder}/kube-controller-manager`,
  }
  for (const path of Object.values(found))
    if (!(await exists(path)))
      throw new Error(`${path} is not there: ${source} must hold etcd, kube-apiserver and kube-controller-manager`)
  return found
}

async function build(folder: string, flags: string): Promise<void> {
  await requireGo()
  process.stderr.write(
    'building etcd and Kubernetes from Go modules: about eight minutes the first time, then never again\n',
  )
  const aside = `${folder}.${process.pid}`
  removeAtExit(aside)
  await mkdir(aside, { recursive: true })
  try {
    await go(['build', '-o', `${aside}/`, '-trimpath', '-ldflags', flags, ...packages], aside)
    // A folder that is there already was made by somebody else from the same source.
    await rename(aside, folder).catch(ignoreExisting)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** A server that does not know its version calls itself v0.0.0-master, and clients misbehave. */
function linkerFlags(version: string): string {
  const [major, minor] = version.slice(1).split('.')
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor }
  const set = Object.entries(values).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  return ['-s', '-w', ...set].join(' ')
}

function versionOf(module: string): string {
  const version = /k8s\.io\/kubernetes (v\S+)/.exec(module)?.[1]
  if (version === undefined) throw new Error('go.mod names no version of k8s.io/kubernetes')
  return version
}

async function requireGo(): Promise<void> {
  const { stdout } = await run('go', ['env', 'GOVERSION'], { cwd: here }).catch(() => {
    throw new Error('Go 1.26 or newer is needed to build the control plane; or set KUBEBUILDER_ASSETS')
  })
  const [, minor = '0'] = /^go1\.(\d+)/.exec(stdout) ?? []
  if (Number(minor) < 26)
    throw new Error(`Go 1.26 or newer is needed to build the control plane, this is ${stdout.trim()}`)
}

/** With its own work in `folder`, which goes with this process as it does. */
function go(args: readonly string[], folder: string): Promise<void> {
  const child = spawn('go', args, {
    cwd: here,
    env: { ...process.env, GOTMPDIR: folder },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: longestBuildMs,
    detached: true,
  })
  killAtExit(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`go ${args[0]} ended with ${code}`))))
  })
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function ignoreExisting(error: NodeJS.ErrnoException): Promise<void> {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { apiServer } = await findBinaries()
  const folder = apiServer.replace(/\/[^/]*$/, '')
  process.stdout.write(`${folder}: ${(await readdir(folder)).join(' ')}\n`)
}
