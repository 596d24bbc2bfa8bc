import { mkdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Component, freePort } from '../control-plane/component.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { KubeObject } from './admin.ts'
import { container, ProjectedVolume } from './container.ts'
import { account, requestToken } from './service-account.ts'

const pollMs = 100
const namespacePath = `/api/v1/namespaces/${account.namespace}`
const path = `${namespacePath}/pods`

interface PodSpec {
  readonly nodeName?: string
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: { readonly runAsUser: number }
  readonly containers: readonly [ContainerSpec]
  readonly volumes: readonly { readonly projected?: { readonly sources: readonly Source[] } }[]
}

interface ContainerSpec {
  readonly name: string
  readonly image: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
  readonly startupProbe: Probe
  readonly readinessProbe: Probe
}

interface Probe {
  readonly httpGet: { readonly path: string }
}

interface Source {
  readonly serviceAccountToken?: { readonly path: string; readonly expirationSeconds: number }
  readonly configMap?: { readonly name: string }
  readonly downwardAPI?: { readonly items: readonly { readonly path: string }[] }
}

/** A Pod of the operator on this node. */
export interface RunningPod {
  readonly name: string
  readonly uid: string
  readonly image: string
  readonly process: Component
  readonly volume: ProjectedVolume
  readonly port: number
}

/**
 * Plays scheduler, kubelet and container runtime for the Pods of the operator's namespace: runs the shipped bundle with
 * the arguments, environment, user and projected volume that the Pod asks for, does its probes, and ends it as the Pod's
 * deletion says. Since all Pods share this machine's network, each gets a port of its own.
 */
export class TestNode {
  readonly #plane: ControlPlane
  readonly #pods = new Map<string, RunningPod>()
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  /** What last went wrong with a Pod, which is tried again. */
  lastError: unknown = null

  constructor(plane: ControlPlane) {
    this.#plane = plane
    this.#running = this.#run()
  }

  /** Those whose process runs, oldest first. */
  get pods(): readonly RunningPod[] {
    return [...this.#pods.values()].filter(({ process }) => process.isRunning)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
    await Promise.all([...this.#pods.values()].map(({ process }) => process.end('SIGKILL')))
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // The API server may be away, the namespace may be going: then the Pods are left as they are.
      const pods = await this.#plane.admin.list(path).catch(() => null)
      for (const pod of pods ?? []) await this.#serve(pod).catch(this.#failed)
      if (pods !== null) await this.#endVanished(pods)
      await delay(pollMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  readonly #failed = (error: unknown): void => {
    this.lastError = error
  }

  async #serve(pod: KubeObject): Promise<void> {
    const { name, deletionTimestamp } = pod.metadata
    const spec = pod['spec'] as PodSpec
    const running = this.#pods.get(String(pod.metadata['uid']))
    if (deletionTimestamp !== undefined) {
      await running?.process.end('SIGTERM', spec.terminationGracePeriodSeconds * 1_000)
      await this.#plane.admin.delete(`${path}/${name}`, { gracePeriodSeconds: 0 })
    } else if (spec.nodeName === undefined) {
      const target = { apiVersion: 'v1', kind: 'Node', name: 'node' }
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target }
      await this.#plane.admin.request('POST', `${path}/${name}/binding`, binding)
    } else if (running === undefined) await this.#start(pod, spec)
    else await this.#probe(pod, running, spec.containers[0])
  }

  async #start(pod: KubeObject, spec: PodSpec): Promise<void> {
    const { name } = pod.metadata
    const uid = String(pod.metadata['uid'])
    const [{ image, args, env }] = spec.containers
    const port = await freePort()
    const volume = new ProjectedVolume(`${this.#plane.folder}/volume-${uid}`)
    await mkdir(volume.folder)
    await volume.write(await this.#project(pod, spec))
    const given = env.map(({ name: key, value, valueFrom }) => [key, value ?? this.#fieldOf(pod, valueFrom)])
    const { hostname, port: serverPort } = new URL(this.#plane.url)
    const service = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: serverPort, PORT: String(port) }
    const process = container({
      name,
      folder: this.#plane.folder,
      volume,
      args,
      env: { ...Object.fromEntries(given), ...service },
      user: spec.securityContext.runAsUser,
    })
    process.start()
    this.#pods.set(uid, { name, uid, image, process, volume, port })
  }

  /** Files of the Pod's projected volume: a token bound to the Pod, the CA, the namespace. */
  async #project(pod: KubeObject, { volumes }: PodSpec): Promise<Record<string, string>> {
    const files: Record<string, string> = {}
    for (const source of volumes.flatMap(({ projected }) => projected?.sources ?? [])) {
      const { serviceAccountToken: token, configMap, downwardAPI } = source
      if (token !== undefined) files[token.path] = await requestToken(this.#plane, pod, token.expirationSeconds)
      if (configMap !== undefined) Object.assign(files, await this.#configMap(configMap.name))
      for (const { path: file } of downwardAPI?.items ?? []) files[file] = String(pod.metadata.namespace)
    }
    return files
  }

  async #configMap(name: string): Promise<Record<string, string>> {
    const found = await this.#plane.admin.get(`${namespacePath}/configmaps/${name}`)
    if (found === null) throw new Error(`the ConfigMap ${name} is not there yet`)
    return found['data'] as Record<string, string>
  }

  #fieldOf(pod: KubeObject, valueFrom: object | undefined): string {
    const { fieldRef } = valueFrom as { fieldRef: { fieldPath: string } }
    return String(pod.metadata[fieldRef.fieldPath.replace('metadata.', '')])
  }

  async #probe(pod: KubeObject, { process, port }: RunningPod, spec: ContainerSpec): Promise<void> {
    const ok = async ({ httpGet }: Probe) =>
      (await fetch(`http://127.0.0.1:${port}${httpGet.path}`).catch(() => null))?.status === 200
    const started = process.isRunning && (await ok(spec.startupProbe))
    const ready = started && (await ok(spec.readinessProbe))
    const { containerStatuses = [] } = pod['status'] as { containerStatuses?: { ready: boolean }[] }
    if (containerStatuses[0]?.ready === ready) return
    const { name, image } = spec
    const state = { running: { startedAt: `${new Date().toISOString().slice(0, 19)}Z` } }
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: ready ? 'True' : 'False' }))
    await this.#plane.admin.patch(`${path}/${pod.metadata.name}/status`, 'merge', {
      status: {
        phase: 'Running',
        conditions,
        containerStatuses: [{ name, image, imageID: image, restartCount: 0, started, ready, state }],
      },
    })
  }

  /** A Pod that somebody has deleted with force: its process is ended all the same. */
  async #endVanished(pods: readonly KubeObject[]): Promise<void> {
    const there = new Set(pods.map(({ metadata }) => metadata['uid']))
    const vanished = [...this.#pods.values()].filter(({ uid, process }) => !there.has(uid) && process.isRunning)
    await Promise.all(vanished.map(({ process }) => process.end('SIGTERM')))
  }
}
