import assert from 'node:assert/strict'
import type { KubeObject } from '../support/admin.ts'
import type { AuditRecord } from '../support/audit.ts'
import type { Answer, Client, Sent } from './client.ts'
import { collectionOf, type Kind, kindOf } from './kinds.ts'
import type { OperatorHere } from './operator-here.ts'

/** Neither null, false nor undefined: it has come true. */
export type Asked<T> = () => Promise<T | null | false | undefined>

/** What differs between the servers: how time passes, and who writes down what was asked. */
export interface Ground {
  readonly client: Client
  /** The server's clock, epoch milliseconds. */
  now(): number
  /** Lets so much time pass. */
  pass(ms: number): Promise<void>
  /** Asks again and again, while time passes, until the answer is one; rejects when `withinMs` are over. */
  until<T>(what: string, withinMs: number, ask: Asked<T>): Promise<T>
  /** Everything that was asked, as the server has noted it; not from the operator's memory. */
  requests(): Promise<readonly AuditRecord[]>
  /** Starts an operator in this process that serves this namespace alone, with its Lease in `leaseNamespaceOf` it. */
  operator(namespace: string): Promise<OperatorHere>
  /** Resolves when the operator, which was told to stop, has. */
  ended(operator: OperatorHere): Promise<void>
}

/** A namespace of its own on one of the servers, and hands to act in it. */
export class World {
  readonly namespace: string
  readonly #ground: Ground
  readonly #operators = new Set<OperatorHere>()

  constructor(ground: Ground, namespace: string) {
    this.#ground = ground
    this.namespace = namespace
  }

  get client(): Client {
    return this.#ground.client
  }

  now(): number {
    return this.#ground.now()
  }

  pass(ms: number): Promise<void> {
    return this.#ground.pass(ms)
  }

  passUntil(instant: number): Promise<void> {
    return this.pass(Math.max(0, instant - this.now()))
  }

  until<T>(what: string, withinMs: number, ask: Asked<T>): Promise<T> {
    return this.#ground.until(what, withinMs, ask)
  }

  /** An operator that serves this world's namespace alone, and leads. */
  async operator(): Promise<OperatorHere> {
    const operator = await this.#ground.operator(this.namespace)
    this.#operators.add(operator)
    await this.until('the operator to lead', 15_000, async () => operator.leads)
    return operator
  }

  /** Stops it as SIGTERM does. */
  async stop(operator: OperatorHere): Promise<void> {
    operator.stop()
    await this.#ground.ended(operator)
    this.#operators.delete(operator)
  }

  /** Stops the operators that still run. */
  async end(): Promise<void> {
    await Promise.all([...this.#operators].map((operator) => this.stop(operator)))
  }

  /** Of the collection in this world's namespace, of one object, or of its subresource. */
  path(kind: Kind, name?: string, subresource?: string): string {
    return [collectionOf(kind, this.namespace), name, subresource].filter((part) => part !== undefined).join('/')
  }

  send(path: string, sent?: Sent): Promise<Answer> {
    return this.client.send(path, sent)
  }

  /** The body of an answer that must be a success. */
  async ok(path: string, sent?: Sent): Promise<KubeObject> {
    const { code, body } = await this.send(path, sent)
    assert.ok(code < 300, `${sent?.method ?? 'GET'} ${path}: ${code} ${JSON.stringify(body)}`)
    return body as KubeObject
  }

  /** `409 Conflict: …`, or `200` and the like for a success. */
  async verdict(path: string, sent?: Sent): Promise<string> {
    const { code, body } = await this.send(path, sent)
    const { reason = '', message = body } = body as { reason?: string; message?: string }
    return code < 300 ? String(code) : `${code} ${reason}: ${String(message)}`
  }

  create(object: KubeObject): Promise<KubeObject> {
    return this.ok(this.path(kindOf(object)), { method: 'POST', body: object })
  }

  /** null when there is none. */
  async get(kind: Kind, name: string): Promise<KubeObject | null> {
    const { code, body } = await this.send(this.path(kind, name))
    assert.ok(code === 200 || code === 404, `${code} ${JSON.stringify(body)}`)
    return code === 200 ? (body as KubeObject) : null
  }

  /** Of an object that must be there. */
  async found(kind: Kind, name: string): Promise<KubeObject> {
    return this.ok(this.path(kind, name))
  }

  async list(kind: Kind, query = ''): Promise<readonly KubeObject[]> {
    return ((await this.ok(`${this.path(kind)}?${query}`)) as unknown as { items: readonly KubeObject[] }).items
  }

  async names(kind: Kind, query = ''): Promise<readonly string[]> {
    return (await this.list(kind, query)).map(({ metadata }) => metadata.name)
  }

  merge(kind: Kind, name: string, body: object, subresource?: string): Promise<KubeObject> {
    return this.ok(this.path(kind, name, subresource), { method: 'PATCH', type: 'merge-patch+json', body })
  }

  delete(kind: Kind, name: string, options: object = {}): Promise<Answer> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options }
    return this.send(this.path(kind, name), { method: 'DELETE', body })
  }

  /** Waits until it is no more. */
  async isGone(kind: Kind, name: string, withinMs = 10_000): Promise<void> {
    await this.until(`${name} to be gone`, withinMs, async () => (await this.get(kind, name)) === null)
  }

  /** The requests that concern this world's namespace. */
  async requests(): Promise<readonly AuditRecord[]> {
    return (await this.#ground.requests()).filter(({ namespace }) => namespace === this.namespace)
  }
}

const leaseSuffix = '-operator'

export function leaseNamespaceOf(namespace: string): string {
  return `${namespace}${leaseSuffix}`
}

export function isLeaseNamespace(namespace: string): boolean {
  return namespace.endsWith(leaseSuffix)
}
