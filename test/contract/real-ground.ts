import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/clock.ts'
import type { KubeObject } from '../support/admin.ts'
import type { AuditRecord } from '../support/audit.ts'
import { Cluster, rights } from '../support/cluster.ts'
import { account } from '../support/service-account.ts'
import { Client } from './client.ts'
import { OperatorHere } from './operator-here.ts'
import { type Asked, type Ground, isLeaseNamespace, leaseNamespaceOf, World } from './world.ts'

const pollMs = 100

/** The real control plane: one for all rows, a namespace for each, and time that nobody can hurry. */
export class RealGround implements Ground {
  readonly client: Client
  readonly #cluster: Cluster
  #kubeconfig = ''
  #leaseRights: readonly KubeObject[] = []
  #worlds = 0

  static async start(): Promise<RealGround> {
    // Rows that wait for Pods say for how long; a Pod of the others is as fast as one of the embedded server.
    const cluster = await Cluster.start({ runMs: 1_000, isOwn: isLeaseNamespace })
    const { url, admin } = cluster.plane
    const ground = new RealGround(cluster, new Client({ url, ca: await cluster.plane.ca(), token: admin.token }))
    ground.#kubeconfig = await cluster.plane.serviceAccountKubeconfig(account.namespace, account.name)
    ground.#leaseRights = (await rights()).filter(({ kind }) => kind === 'Role' || kind === 'RoleBinding')
    return ground
  }

  private constructor(cluster: Cluster, client: Client) {
    this.#cluster = cluster
    this.client = client
  }

  async world(): Promise<World> {
    this.#worlds += 1
    const world = new World(this, `row-${this.#worlds}`)
    await this.#cluster.createNamespace(world.namespace)
    return world
  }

  now(): number {
    return Date.now()
  }

  async pass(ms: number): Promise<void> {
    await delay(ms)
  }

  async until<T>(what: string, withinMs: number, ask: Asked<T>): Promise<T> {
    const deadline = performance.now() + withinMs
    for (;;) {
      const answer = await ask()
      if (answer !== null && answer !== false && answer !== undefined) return answer
      if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`)
      await delay(pollMs)
    }
  }

  requests(): Promise<readonly AuditRecord[]> {
    return this.#cluster.audit()
  }

  /** With the shipped rights, and those to the Lease where that is. */
  async operator(namespace: string): Promise<OperatorHere> {
    const leaseNamespace = leaseNamespaceOf(namespace)
    const { admin } = this.#cluster
    if ((await admin.get(`/api/v1/namespaces/${leaseNamespace}`)) === null) {
      await this.#cluster.createNamespace(leaseNamespace)
      for (const object of this.#leaseRights)
        await admin.create({ ...object, metadata: { ...object.metadata, namespace: leaseNamespace } })
    }
    return OperatorHere.start({ clock: systemClock, kubeconfig: this.#kubeconfig, namespace, leaseNamespace })
  }

  ended(operator: OperatorHere): Promise<void> {
    return operator.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close()
    await this.#cluster[Symbol.asyncDispose]()
  }
}
