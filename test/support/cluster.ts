import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { Component, freePort } from '../control-plane/component.ts'
import { ControlPlane, type ControlPlaneOptions } from '../control-plane/control-plane.ts'
import { type KubeObject, waitFor } from './admin.ts'
import { type AuditRecord, readAudit } from './audit.ts'
import { Kubelet } from './kubelet.ts'
import { type Expectation, judge, type Verdict } from './verdict.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const account = { namespace: 'myyrakle', name: 'second-cron-job-operator' }
const operatorUser = `system:serviceaccount:${account.namespace}:${account.name}`

/** The documents of one of the shipped files. */
export async function manifests(path: string): Promise<readonly KubeObject[]> {
  const documents = parseAllDocuments(await readFile(`${root}/${path}`, 'utf8'))
  return documents.map((document) => document.toJS() as KubeObject)
}

/** A real control plane with the shipped CRD and rights, and somebody who plays the kubelet. */
export class Cluster {
  readonly plane: ControlPlane
  readonly #kubelet: Kubelet
  readonly #operators: OperatorProcess[] = []

  static async start(options: ControlPlaneOptions & { readonly runMs?: number } = {}): Promise<Cluster> {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: account.namespace } }
    const first = [
      ...(options.first ?? (await manifests('deploy/crd.yaml'))),
      namespace,
      ...(await manifests('deploy/rbac.yaml')),
    ]
    return new Cluster(await ControlPlane.start({ ...options, first }), options.runMs)
  }

  private constructor(plane: ControlPlane, runMs?: number) {
    this.plane = plane
    this.#kubelet = new Kubelet(plane.admin, runMs)
  }

  get admin() {
    return this.plane.admin
  }

  /** The operator as its own process, with the shipped rights only; `server` when it shall go through a proxy. */
  async operator(
    options: { readonly server?: string; readonly args?: readonly string[] } = {},
  ): Promise<OperatorProcess> {
    const kubeconfig = await this.plane.serviceAccountKubeconfig(account.namespace, account.name, options.server)
    const operator = new OperatorProcess(await freePort(), this.plane.folder, kubeconfig, options.args ?? [])
    this.#operators.push(operator)
    return operator
  }

  /** Creates a SecondCronJob in the namespace `default` unless it says otherwise; with the shorthand unless it has a template. */
  async create(name: string, spec: Record<string, unknown>, namespace = 'default'): Promise<KubeObject> {
    const what = spec['jobTemplate'] === undefined ? { image: 'busybox' } : {}
    const metadata = { name, namespace }
    return this.admin.create({
      apiVersion: 'myyrakle.com/v1',
      kind: 'SecondCronJob',
      metadata,
      spec: { ...what, ...spec },
    })
  }

  async createNamespace(name: string): Promise<void> {
    await this.admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }

  jobs(namespace = 'default'): Promise<readonly KubeObject[]> {
    return this.admin.list(`/apis/batch/v1/namespaces/${namespace}/jobs`)
  }

  audit(): Promise<readonly AuditRecord[]> {
    return readAudit(this.plane.auditLog)
  }

  async judge(expectations: readonly Expectation[]): Promise<Verdict> {
    return judge(expectations, await this.audit(), operatorUser)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#operators.map((operator) => operator.kill()))
    await this.#kubelet[Symbol.asyncDispose]()
    await this.plane.stop()
  }
}

/** The operator, started as `npm start` does it. */
export class OperatorProcess {
  readonly port: number
  readonly #process: Component

  constructor(port: number, folder: string, kubeconfig: string, args: readonly string[]) {
    this.port = port
    const command = [process.execPath, `${root}/src/main.ts`] as const
    const flags = ['--kubeconfig', kubeconfig, '--port', String(port), '--host', '127.0.0.1', '--log-level', 'debug']
    this.#process = new Component(`operator-${port}`, folder, [...command, ...flags, ...args])
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get isRunning(): boolean {
    return this.#process.isRunning
  }

  /** Resolves when `/readyz` says so. */
  async start(): Promise<this> {
    this.#process.start()
    await this.#process.until(async () => (await this.probe('/readyz')) === 200, 20_000)
    return this
  }

  async kill(): Promise<void> {
    await this.#process.end('SIGKILL')
  }

  /** The exit code. */
  terminate(): Promise<number | null> {
    return this.#process.end('SIGTERM')
  }

  /** The status of a probe, or 0 when nobody answers. */
  async probe(path: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => null,
    )
    return answer?.status ?? 0
  }

  log(): Promise<string> {
    return this.#process.log()
  }
}

/** epoch milliseconds of `metadata.creationTimestamp`. */
export function createdAt(object: KubeObject): number {
  return Date.parse(String(object.metadata['creationTimestamp']))
}

/** Looked at over [from, until); the interval is read from the object. */
export function expectationOf(object: KubeObject, from: number, until: number): Expectation {
  const spec = object['spec'] as { intervalSeconds?: number; interval_seconds?: number }
  const { name, namespace = 'default' } = object.metadata
  const intervalMs = (spec.intervalSeconds ?? spec.interval_seconds ?? 0) * 1_000
  return { namespace, name, createdAt: createdAt(object), intervalMs, from, until }
}

/** Resolves when this machine's clock, which is the API server's as well, shows the time. */
export async function untilTime(instant: number): Promise<void> {
  await waitFor(
    `the time ${new Date(instant).toISOString()}`,
    instant - Date.now() + 5_000,
    async () => Date.now() >= instant,
  )
}
