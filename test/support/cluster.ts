import { freePort } from '../control-plane/component.ts'
import { ControlPlane, type ControlPlaneOptions } from '../control-plane/control-plane.ts'
import { type Condition, conditionOf, type KubeObject, waitFor } from './admin.ts'
import { type AuditRecord, readAudit } from './audit.ts'
import { Kubelet } from './kubelet.ts'
import { manifests } from './manifests.ts'
import { type OperatorOptions, OperatorProcess } from './operator-process.ts'
import { noteRights } from './rights.ts'
import { account, operatorUser } from './service-account.ts'
import { type Expectation, judge, type Verdict } from './verdict.ts'

/** The operator's namespace and service account, and what it may do. */
export async function rights(): Promise<readonly KubeObject[]> {
  return [...(await manifests('deploy/namespace.yaml')), ...(await manifests('deploy/rbac.yaml'))]
}

export interface ClusterOptions extends ControlPlaneOptions {
  readonly runMs?: number
  /** Whether there is a copy of the operator's Role in this namespace, for operators that have their Lease there. */
  readonly isOwn?: (namespace: string) => boolean
}

/** A real control plane with the shipped CRD and rights, and somebody who plays the kubelet. */
export class Cluster {
  readonly plane: ControlPlane
  readonly #kubelet: Kubelet
  readonly #operators: OperatorProcess[] = []
  readonly #isOwn: (namespace: string) => boolean

  /** With the shipped CRD, namespace and rights, unless `first` says otherwise. */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const first = options.first ?? [...(await manifests('deploy/crd.yaml')), ...(await rights())]
    return new Cluster(await ControlPlane.start({ ...options, first }), options)
  }

  private constructor(plane: ControlPlane, { runMs, isOwn = () => false }: ClusterOptions) {
    this.plane = plane
    this.#isOwn = isOwn
    this.#kubelet = new Kubelet(plane.admin, runMs)
  }

  get admin() {
    return this.plane.admin
  }

  /** The operator as its own process, with the shipped rights only unless a `kubeconfig` says otherwise; `server` for a proxy. */
  async operator(
    options: OperatorOptions & { readonly server?: string; readonly kubeconfig?: string } = {},
  ): Promise<OperatorProcess> {
    const { server, kubeconfig: given } = options
    const kubeconfig = given ?? (await this.plane.serviceAccountKubeconfig(account.namespace, account.name, server))
    const operator = new OperatorProcess(await freePort(), this.plane.folder, kubeconfig, options)
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

  /** The Pod that the shipped Deployment makes, as an object that nobody runs. */
  async operatorPod(): Promise<KubeObject> {
    const [deployment] = await manifests('deploy/deployment.yaml')
    if (deployment === undefined) throw new Error('deploy/deployment.yaml is empty')
    const { spec } = (deployment['spec'] as { template: { spec: object } }).template
    return this.admin.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'operator', namespace: account.namespace },
      spec: { ...spec, priorityClassName: undefined },
    })
  }

  async createNamespace(name: string, labels: Record<string, string> = {}): Promise<void> {
    await this.admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
  }

  get(name: string, namespace?: string): Promise<KubeObject | null> {
    return this.admin.get(pathOf(name, namespace))
  }

  /** Changes its spec, as `kubectl patch` does. */
  edit(name: string, spec: Record<string, unknown>, namespace?: string): Promise<KubeObject> {
    return this.admin.patch(pathOf(name, namespace), 'merge', { spec })
  }

  annotate(name: string, annotations: Record<string, string>, namespace?: string): Promise<KubeObject> {
    return this.admin.patch(pathOf(name, namespace), 'merge', { metadata: { annotations } })
  }

  delete(name: string, propagationPolicy = 'Background', namespace?: string): Promise<void> {
    return this.admin.delete(pathOf(name, namespace), { propagationPolicy })
  }

  /** Waits until the object is no more. */
  async isGone(name: string, limitMs: number, namespace?: string): Promise<void> {
    await waitFor(`${name} to be gone`, limitMs, async () => (await this.get(name, namespace)) === null)
  }

  /** Waits until a condition of the object has this status. */
  condition(name: string, [type, status]: readonly [string, string], namespace?: string): Promise<Condition> {
    return waitFor(`${name} to be ${type}=${status}`, 15_000, async () => {
      const object = await this.get(name, namespace)
      const found = object === null ? undefined : conditionOf(object, type)
      return found?.status === status ? found : null
    })
  }

  /** The Jobs named after the resource, oldest slot first. */
  async jobsOf(name: string, namespace = 'default'): Promise<readonly KubeObject[]> {
    const jobs = await this.admin.list(`/apis/batch/v1/namespaces/${namespace}/jobs`)
    return jobs.filter(({ metadata }) => metadata.name.startsWith(`${name}-`))
  }

  /** Waits until so many Jobs of the resource are there. */
  async hasRun(name: string, times = 1, namespace?: string): Promise<void> {
    await waitFor(`${times} Jobs of ${name}`, 15_000, async () => (await this.jobsOf(name, namespace)).length >= times)
  }

  /** The committed creates of Jobs named after the resource, whoever sent them, in their order. */
  async launchesOf(name: string): Promise<readonly Launch[]> {
    return (await this.audit())
      .filter(({ verb, resource, dryRun, code }) => verb === 'create' && resource === 'jobs' && !dryRun && code === 201)
      .filter((record) => record.name.startsWith(`${name}-`))
      .map((record) => ({ slot: Number(record.name.split('-').at(-1)) * 1_000, received: record.received }))
  }

  /** When the API server had answered the newest `verb` of the test itself on this resource, epoch milliseconds. */
  async acknowledged(verb: 'patch' | 'delete', name: string): Promise<number> {
    const records = await this.audit()
    const own = records.filter((record) => record.verb === verb && record.name === name && record.user === 'admin')
    return own.at(-1)?.completed ?? Number.NaN
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
    await noteRights(await this.audit(), this.#isOwn)
    await this.plane.stop()
  }
}

export interface Launch {
  readonly slot: number
  readonly received: number
}

function pathOf(name: string, namespace = 'default'): string {
  return `/apis/myyrakle.com/v1/namespaces/${namespace}/secondcronjobs/${name}`
}

export { manifests } from './manifests.ts'
export { createdAt, expectationOf } from './expectations.ts'

/** Resolves when this machine's clock, which is the API server's as well, shows the time. */
export async function untilTime(instant: number): Promise<void> {
  await waitFor(
    `the time ${new Date(instant).toISOString()}`,
    instant - Date.now() + 5_000,
    async () => Date.now() >= instant,
  )
}
