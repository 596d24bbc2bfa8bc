import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { removeAtExit } from '../test/control-plane/component.ts'
import type { KubeObject } from '../test/support/admin.ts'
import type { AuditRecord } from '../test/support/audit.ts'
import { Cluster } from '../test/support/cluster.ts'
import { manifests } from '../test/support/manifests.ts'
import { EmbeddedServer } from './server/server.ts'

/** An API server to show the operator on, with the shipped CRD and the namespace of the operator. */
export interface Ground extends AsyncDisposable {
  /** Where the files of this run are: its kubeconfig, its logs. */
  readonly folder: string
  readonly kubeconfig: string
  /** Rejects with the API server's words. */
  request(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>
  /** All requests that were answered, as the API server itself has noted them. */
  requests(): Promise<readonly AuditRecord[]>
}

/** The server of this process: there in a moment, with nothing but Node. */
export async function embeddedGround(): Promise<Ground> {
  // In one step with the next line, so that no end of this process comes between.
  const folder = mkdtempSync(`${tmpdir()}/scj-sandbox-`)
  removeAtExit(folder)
  const server = await EmbeddedServer.start()
  const ground: Ground = {
    folder,
    kubeconfig: `${folder}/kubeconfig`,
    request: (method, path, body) => ask(`${server.url}${path}`, method, body),
    requests: async () => server.requests(),
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
  await writeFile(ground.kubeconfig, server.kubeconfig())
  for (const crd of await manifests('deploy/crd.yaml'))
    await ground.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)
  for (const namespace of await manifests('deploy/namespace.yaml'))
    await ground.request('POST', '/api/v1/namespaces', namespace)
  return ground
}

/** etcd, kube-apiserver and kube-controller-manager of its own. */
export async function realGround(): Promise<Ground> {
  const cluster = await Cluster.start({ runMs: 1_000 })
  const { folder, kubeconfig } = cluster.plane
  return {
    folder,
    kubeconfig,
    request: (method, path, body) => cluster.admin.request(method, path, body),
    requests: () => cluster.audit(),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}

async function ask(url: string, method: string, body?: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(messageIn(text))
  return JSON.parse(text)
}

/** Of a Status; whatever else it is, as it stands. */
function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text
  } catch {
    return text.trim()
  }
}

/** The SecondCronJobs of all namespaces. */
export async function resourcesOf(ground: Ground): Promise<readonly KubeObject[]> {
  return ((await ground.request('GET', '/apis/myyrakle.com/v1/secondcronjobs')) as { items: KubeObject[] }).items
}
