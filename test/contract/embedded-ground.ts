import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { EmbeddedServer } from '../../sandbox/server/server.ts'
import type { AuditRecord } from '../support/audit.ts'
import { manifests } from '../support/manifests.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { Client } from './client.ts'
import { OperatorHere } from './operator-here.ts'
import { quiet } from './quiet.ts'
import { type Asked, type Ground, leaseNamespaceOf, World } from './world.ts'

const runMs = 1_000
/** A resource is created in the middle of a second, as it is anywhere else. */
const start = '2026-01-01T12:00:00.400Z'
const stopStepMs = 500

/** The embedded server: one for each row, and time that stands until everybody waits for it. */
export class EmbeddedGround implements Ground {
  readonly client: Client
  readonly #clock: ManualClock
  readonly #server: EmbeddedServer
  readonly #folder: string

  static async start(): Promise<EmbeddedGround> {
    let port = 0
    const clock = new ManualClock(start, () => quiet(port))
    const server = await EmbeddedServer.start({ clock, runMs })
    port = Number(new URL(server.url).port)
    const ground = new EmbeddedGround(clock, server, await mkdtemp(`${tmpdir()}/scj-contract-`))
    await writeFile(ground.#kubeconfig, server.kubeconfig())
    return ground
  }

  private constructor(clock: ManualClock, server: EmbeddedServer, folder: string) {
    this.#clock = clock
    this.#server = server
    this.#folder = folder
    this.client = new Client({ url: server.url, ca: undefined, token: 'admin' })
  }

  /** With the shipped CRD. */
  async world(): Promise<World> {
    const world = new World(this, 'row')
    for (const object of await manifests('deploy/crd.yaml')) await world.create(object)
    for (const name of [world.namespace, leaseNamespaceOf(world.namespace)])
      await world.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    return world
  }

  now(): number {
    return this.#clock.now()
  }

  pass(ms: number): Promise<void> {
    return this.#clock.advance(ms)
  }

  async until<T>(what: string, withinMs: number, ask: Asked<T>): Promise<T> {
    const deadline = this.#clock.now() + withinMs
    for (;;) {
      await this.#clock.advance(0)
      const answer = await ask()
      if (answer !== null && answer !== false && answer !== undefined) return answer
      if (this.#clock.now() >= deadline) throw new Error(`waited ${withinMs} ms for ${what}`)
      await this.#clock.advanceToNext(deadline)
    }
  }

  async requests(): Promise<readonly AuditRecord[]> {
    return this.#server.requests()
  }

  operator(namespace: string): Promise<OperatorHere> {
    const leaseNamespace = leaseNamespaceOf(namespace)
    return OperatorHere.start({ clock: this.#clock, kubeconfig: this.#kubeconfig, namespace, leaseNamespace })
  }

  async ended(operator: OperatorHere): Promise<void> {
    let isOver = false
    const over = operator.ended.finally(() => (isOver = true))
    while (!isOver) await this.#clock.advance(stopStepMs)
    await over
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close()
    await this.#server.stop()
    await rm(this.#folder, { recursive: true })
  }

  get #kubeconfig(): string {
    return `${this.#folder}/kubeconfig`
  }
}
