import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { EmbeddedServer, type ServerOptions } from '../../sandbox/server/server.ts'
import type { KubeObject } from './admin.ts'
import { ManualClock, settle } from './manual-clock.ts'
import { root } from './shipped.ts'

export interface Said {
  readonly code: number
  readonly body: KubeObject & { readonly message?: string; readonly items?: readonly KubeObject[] }
  readonly warning: string | null
}

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const scjs = '/apis/myyrakle.com/v1/namespaces/default/secondcronjobs'
export const jobs = '/apis/batch/v1/namespaces/default/jobs'
export const pods = '/api/v1/namespaces/default/pods'

/** An embedded API server whose time stands still until the test moves it, with the shipped CRD. */
export class Embedded {
  readonly server: EmbeddedServer
  readonly clock: ManualClock

  static async start(options: ServerOptions = {}): Promise<Embedded> {
    const clock = new ManualClock('2026-12-01T09:00:00Z')
    const embedded = new Embedded(await EmbeddedServer.start({ clock, ...options }), clock)
    await embedded.post(definitions, parse(await readFile(`${root}deploy/crd.yaml`, 'utf8')))
    return embedded
  }

  private constructor(server: EmbeddedServer, clock: ManualClock) {
    this.server = server
    this.clock = clock
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.stop()
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Said> {
    const all = { 'content-type': 'application/json', ...headers }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(this.server.url + path, { method, headers: all, ...sent })
    const text = await answer.text()
    // What the answer has set off in the server comes to its end.
    await settle()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    const { code, parsed } = { code: answer.status, parsed: isJson ? JSON.parse(text) : { message: text } }
    return { code, body: parsed as Said['body'], warning: answer.headers.get('warning') }
  }

  get(path: string, accept?: string): Promise<Said> {
    return this.send('GET', path, undefined, accept === undefined ? {} : { accept })
  }

  post(path: string, body: unknown): Promise<Said> {
    return this.send('POST', path, body)
  }

  patch(path: string, body: unknown, type = 'merge-patch'): Promise<Said> {
    return this.send('PATCH', path, body, { 'content-type': `application/${type}+json` })
  }

  delete(path: string, options?: object): Promise<Said> {
    return this.send('DELETE', path, options)
  }

  /** The objects of a collection by name. */
  async names(path: string): Promise<readonly string[]> {
    return ((await this.get(path)).body.items ?? []).map(({ metadata }) => metadata.name)
  }
}

export function aSecondCronJob(name: string, spec: object = {}): object {
  const kind = { apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob' }
  return { ...kind, metadata: { name }, spec: { intervalSeconds: 10, image: 'busybox', ...spec } }
}

/** A Job whose Pods behave as the annotations say. */
export function aJob(name: string, spec: object = {}, annotations: Record<string, string> = {}): object {
  const template = {
    metadata: { annotations },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] },
  }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template, ...spec } }
}
