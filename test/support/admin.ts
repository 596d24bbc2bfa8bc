import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { collectionPath, objectPath } from './object-path.ts'

export type KubeObject = Record<string, unknown> & {
  readonly metadata: { readonly name: string; readonly namespace?: string } & Record<string, unknown>
}

/** An answer of the API server that is not a success. */
export class AdminError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
}

/** The test's own hands at the API server: cluster admin, plain JSON. */
export class Admin {
  readonly token: string
  /** What the API server warned of, ever. */
  readonly warnings: string[] = []
  readonly #url: string
  readonly #caFile: string
  readonly #impersonated: string | undefined
  #pool: Pool | null = null

  constructor(url: string, caFile: string, token: string, impersonated?: string) {
    this.#url = url
    this.#caFile = caFile
    this.token = token
    this.#impersonated = impersonated
  }

  /** The same server, asked with the rights of this user. */
  as(user: string): Admin {
    return new Admin(this.#url, this.#caFile, this.token, user)
  }

  async request(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<unknown> {
    const answer = await this.#open().request({
      method,
      path,
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': contentType ?? 'application/json',
        ...(this.#impersonated === undefined ? {} : { 'impersonate-user': this.#impersonated }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: 30_000,
    })
    this.warnings.push(...[answer.headers['warning'] ?? []].flat())
    const text = await answer.body.text()
    const parsed: unknown = String(answer.headers['content-type']).includes('json') ? JSON.parse(text) : text
    if (answer.statusCode < 300) return parsed
    throw new AdminError(answer.statusCode, (parsed as { message?: string }).message ?? text)
  }

  async create(object: KubeObject): Promise<KubeObject> {
    return (await this.request('POST', collectionPath(object), object)) as KubeObject
  }

  /** Server-side apply, as whoever applied before. */
  async apply(object: Record<string, unknown>): Promise<KubeObject> {
    const path = `${objectPath(object as KubeObject)}?fieldManager=test&force=true`
    return (await this.request('PATCH', path, object, patchTypes.apply)) as KubeObject
  }

  async patch(path: string, type: 'merge' | 'json', body: unknown): Promise<KubeObject> {
    return (await this.request('PATCH', path, body, patchTypes[type])) as KubeObject
  }

  /** null when there is none. */
  async get(path: string): Promise<KubeObject | null> {
    return (await this.request('GET', path).catch(ignoreNotFound)) as KubeObject | null
  }

  async list(path: string): Promise<readonly KubeObject[]> {
    return ((await this.request('GET', path)) as { items: readonly KubeObject[] }).items
  }

  async delete(path: string, options: Record<string, unknown> = { propagationPolicy: 'Background' }): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options }
    await this.request('DELETE', path, body).catch(ignoreNotFound)
  }

  /** The bytes of a watch, until `signal` aborts. */
  async watch(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const headers = { authorization: `Bearer ${this.token}` }
    const { statusCode, body } = await this.#open().request({ method: 'GET', path, headers, signal, bodyTimeout: 0 })
    if (statusCode !== 200) throw new AdminError(statusCode, await body.text())
    return body
  }

  /** Reads the CA anew after a failure: a server that is only just starting may have written half of it before. */
  async isReady(): Promise<boolean> {
    try {
      return (await this.request('GET', '/readyz')) === 'ok'
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async hasDefaultServiceAccount(): Promise<boolean> {
    return (await this.get('/api/v1/namespaces/default/serviceaccounts/default')) !== null
  }

  /** Waits until every CustomResourceDefinition is served. */
  async establishedCrds(): Promise<void> {
    await waitFor('the CRDs to be established', 10_000, async () => {
      const crds = await this.list('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
      return crds.every((crd) => conditionOf(crd, 'Established')?.status === 'True') || null
    })
  }

  async close(): Promise<void> {
    await this.#pool?.destroy()
    this.#pool = null
  }

  #open(): Pool {
    this.#pool ??= new Pool(this.#url, {
      connections: 16,
      allowH2: false,
      connect: { ca: readFileSync(this.#caFile, 'utf8') },
    })
    return this.#pool
  }
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

export function conditionOf(object: KubeObject, type: string): Condition | undefined {
  const { conditions } = (object['status'] ?? {}) as { conditions?: readonly Condition[] | null }
  return conditions?.find((condition) => condition.type === type)
}

/** Asks again and again until the answer is neither null nor false; throws when the limit is over. */
export async function waitFor<T>(what: string, limitMs: number, ask: () => Promise<T | null | false>): Promise<T> {
  const deadline = performance.now() + limitMs
  let last: unknown = null
  while (performance.now() < deadline) {
    const answer = await ask().catch((error: unknown) => {
      last = error
      return null
    })
    if (answer !== null && answer !== false) return answer
    await delay(50)
  }
  throw new Error(`waited ${limitMs} ms for ${what}`, { cause: last })
}

function ignoreNotFound(error: unknown): null {
  if (error instanceof AdminError && error.code === 404) return null
  throw error
}
