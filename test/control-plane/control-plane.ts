import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Admin } from '../support/admin.ts'
import { apiServerArguments, etcdArguments, managerArguments } from './arguments.ts'
import { Component, freePort, removeAtExit } from './component.ts'
import { EtcdHands } from './etcd-hands.ts'
import { findBinaries } from './binaries.ts'
import { auditPolicy, auditPolicyWithObjects, kubeconfigText } from './files.ts'
import { SecondServer } from './second-server.ts'

export interface ControlPlaneOptions {
  /** Kubernetes objects to apply before the controller manager starts: its garbage collector learns kinds only every 30 s. */
  readonly first?: readonly Record<string, unknown>[]
  readonly apiServerArgs?: readonly string[]
  readonly etcdArgs?: readonly string[]
  /** Of the controller manager, beside those for Jobs, garbage, namespaces, service accounts and quotas. */
  readonly controllers?: readonly string[]
  /** Whether the audit log has the bodies of writes to SecondCronJobs and Jobs; else their names only. */
  readonly auditsObjects?: boolean
  /** Whether there is a second API server, which writes into the same audit log. */
  readonly hasSecond?: boolean
}

const readyMs = 60_000

/** Real etcd, kube-apiserver and kube-controller-manager on free ports, with their data in a folder that goes with them. */
export class ControlPlane {
  readonly folder: string
  readonly url: string
  readonly admin: Admin
  readonly etcd: EtcdHands
  readonly #etcdUrl: string
  #second: SecondServer | null = null
  readonly #parts: { readonly etcd: Component; readonly apiServer: Component; readonly controllerManager: Component }

  static async start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    // In one step with the next line, so that no end of this process comes between.
    const folder = mkdtempSync(`${await dataRoot()}/scj-control-plane-`)
    removeAtExit(folder)
    try {
      const plane = await ControlPlane.#make(folder, options)
      await plane.#start(options)
      return plane
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  static async #make(
    folder: string,
    { apiServerArgs = [], etcdArgs = [], controllers = [], auditsObjects = false }: ControlPlaneOptions,
  ): Promise<ControlPlane> {
    const { etcd, apiServer, controllerManager } = await findBinaries()
    const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()]
    const token = randomUUID()
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await mkdir(`${folder}/certs`)
    await writeFile(`${folder}/sa.pub`, publicKey.export({ type: 'spki', format: 'pem' }))
    await writeFile(`${folder}/sa.key`, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await writeFile(`${folder}/tokens.csv`, `${token},admin,admin,"system:masters"\n`)
    const policy = auditsObjects ? auditPolicyWithObjects : auditPolicy
    await writeFile(`${folder}/audit-policy.json`, JSON.stringify(policy))
    const url = `https://127.0.0.1:${port}`
    const ofEtcd = [...etcdArguments(folder, etcdPort, peerPort), ...etcdArgs]
    const serverArgs = [...apiServerArguments(folder, etcdPort, port), ...apiServerArgs]
    return new ControlPlane(
      { folder, url, token, etcdPort },
      {
        etcd: new Component('etcd', folder, [etcd, ...ofEtcd]),
        apiServer: new Component('kube-apiserver', folder, [apiServer, ...serverArgs]),
        controllerManager: new Component('kube-controller-manager', folder, [
          controllerManager,
          ...managerArguments(folder, controllers),
        ]),
      },
    )
  }

  private constructor(
    { folder, url, token, etcdPort }: { folder: string; url: string; token: string; etcdPort: number },
    parts: ControlPlane['parts'],
  ) {
    this.folder = folder
    this.url = url
    this.#etcdUrl = `http://127.0.0.1:${etcdPort}`
    this.etcd = new EtcdHands(this.#etcdUrl)
    this.#parts = parts
    this.admin = new Admin(url, `${folder}/certs/apiserver.crt`, token)
  }

  get parts(): { readonly etcd: Component; readonly apiServer: Component; readonly controllerManager: Component } {
    return this.#parts
  }

  /** Only where it was asked for. */
  get second(): SecondServer {
    if (this.#second === null) throw new Error('a control plane without a second API server')
    return this.#second
  }

  get auditLog(): string {
    return `${this.folder}/audit.log`
  }

  get kubeconfig(): string {
    return `${this.folder}/admin.kubeconfig`
  }

  async startApiServer(): Promise<void> {
    this.#parts.apiServer.start()
    await this.#parts.apiServer.until(() => this.admin.isReady(), readyMs)
  }

  async killApiServer(): Promise<void> {
    await this.#parts.apiServer.end('SIGKILL')
  }

  /** Starts the API server anew with another CA, which only `ca()` and the admin know of. */
  async replaceCa(): Promise<void> {
    await this.killApiServer()
    await rm(`${this.folder}/certs`, { recursive: true })
    await this.admin.close()
    await this.startApiServer()
  }

  /** A kubeconfig with nothing but a fresh token of this service account, for `server` (the API server when absent). */
  async serviceAccountKubeconfig(namespace: string, name: string, server = this.url): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7_200 } }
    const { status } = (await this.admin.request('POST', path, request)) as { status: { token: string } }
    const file = `${this.folder}/${namespace}-${name}-${randomUUID()}.kubeconfig`
    await writeFile(file, kubeconfigText({ server, ca: await this.ca(), token: status.token }))
    return file
  }

  ca(): Promise<string> {
    return readFile(`${this.folder}/certs/apiserver.crt`, 'utf8')
  }

  /** SIGKILL for all: an API server whose etcd went first does not end on SIGTERM for minutes. */
  async stop(): Promise<void> {
    await this.#second?.[Symbol.asyncDispose]()
    await Promise.all(Object.values(this.#parts).map((part) => part.end('SIGKILL')))
    await this.admin.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #start({ first = [], hasSecond = false, apiServerArgs = [] }: ControlPlaneOptions): Promise<void> {
    this.#parts.etcd.start()
    await this.startApiServer()
    await writeFile(this.kubeconfig, kubeconfigText({ server: this.url, ca: await this.ca(), token: this.admin.token }))
    for (const object of first) await this.admin.apply(object)
    await this.admin.establishedCrds()
    this.#parts.controllerManager.start()
    await this.#parts.controllerManager.until(() => this.admin.hasDefaultServiceAccount(), readyMs)
    if (hasSecond) this.#second = await this.#startSecond(apiServerArgs)
  }

  async #startSecond(args: readonly string[]): Promise<SecondServer> {
    const { apiServer: binary } = await findBinaries()
    return SecondServer.start({ binary, folder: this.folder, etcdUrl: this.#etcdUrl, token: this.admin.token, args })
  }
}

/** Memory where there is some: the disk is not what is tested. */
async function dataRoot(): Promise<string> {
  return access('/dev/shm').then(
    () => '/dev/shm',
    () => tmpdir(),
  )
}
