import { mkdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Component, freePort } from '../control-plane/component.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { KubeObject } from './admin.ts'
import { container, ProjectedVolume } from './container.ts'
import { ContainerProbes } from './container-probes.ts'
import {
  type ContainerSpec,
  hasRoom,
  listensAt,
  type PodSpec,
  portOf,
  type Probe,
  projectedMount,
  type Source,
} from './pod-spec.ts'
import { account, requestToken } from './service-account.ts'

const pollMs = 100
const namespacePath = `/api/v1/namespaces/${account.namespace}`
const path = `${namespacePath}/pods`

/** A Pod of the operator on this node. */
export interface RunningPod {
  readonly name: string
  readonly uid: string
  readonly image: string
  readonly process: Component
  readonly volume: ProjectedVolume
  /** Of this machine, for the one that the process opens in its container. */
  readonly port: number
  /** How often its probes have had it killed and started again. */
  readonly restarts: number
}

interface ServedPod extends RunningPod {
  restarts: number
  probes: ContainerProbes
}

interface ContainerStatus {
  readonly ready: boolean
  readonly restartCount: number
}

/** The kubelet's default. */
const timeoutSeconds = 1

/**
 * Plays scheduler, kubelet and container runtime for the Pods of the operator's namespace: runs the shipped bundle with
 * the arguments, environment, user, and projected volume at the path that the Pod asks for, does its probes as they stand
 * in it and starts it again when they say so, and ends it as the Pod's deletion says. A Pod with less memory than the
 * operator takes is not started. Since all Pods share this machine's network, each gets a port of its own.
 */
export class TestNode {
  readonly #plane: ControlPlane
  readonly #pods = new Map<string, ServedPod>()
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
    else await this.#probe(pod, running, spec)
  }

  async #start(pod: KubeObject, spec: PodSpec): Promise<void> {
    const { name } = pod.metadata
    const uid = String(pod.metadata['uid'])
    const [own] = spec.containers
    const { image, args, env } = own
    if (!hasRoom(own)) throw new Error(`${name} would be killed for its memory`)
    const { sources, mountPath } = projectedMount(spec)
    const port = await freePort()
    const volume = new ProjectedVolume(`${this.#plane.folder}/volume-${uid}`)
    await mkdir(volume.folder, { recursive: true })
    await volume.write(await this.#project(pod, sources))
    const given = env.map(({ name: key, value, valueFrom }) => [key, value ?? this.#fieldOf(pod, valueFrom)])
    const { hostname, port: serverPort } = new URL(this.#plane.url)
    const service = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: serverPort, PORT: String(port) }
    const process = container({
      name,
      folder: this.#plane.folder,
      volume,
      mountedAt: mountPath,
      args,
      env: { ...Object.fromEntries(given), ...service },
      user: spec.securityContext.runAsUser,
    })
    process.start()
    const probes = this.#probesOf(own, process, port)
    this.#pods.set(uid, { name, uid, image, process, volume, port, probes, restarts: 0 })
  }

  /** Files of the Pod's projected volume: a token bound to the Pod, the CA, the namespace. */
  async #project(pod: KubeObject, sources: readonly Source[]): Promise<Record<string, string>> {
    const files: Record<string, string> = {}
    for (const source of sources) {
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

  /** Nothing is there at another port than the process opens. */
  #probesOf(spec: ContainerSpec, process: Component, port: number): ContainerProbes {
    return new ContainerProbes(spec, async (probe: Probe) => {
      if (!process.isRunning || portOf(spec, probe) !== listensAt(spec)) return false
      const signal = AbortSignal.timeout((probe.timeoutSeconds ?? timeoutSeconds) * 1_000)
      const answer = await fetch(`http://127.0.0.1:${port}${probe.httpGet?.path}`, { signal }).catch(() => null)
      return answer?.status === 200
    })
  }

  async #probe(pod: KubeObject, running: ServedPod, spec: PodSpec): Promise<void> {
    const [own] = spec.containers
    const { process, port, probes } = running
    if (process.isRunning && (await probes.step(performance.now()))) {
      await process.end('SIGTERM', spec.terminationGracePeriodSeconds * 1_000)
      running.restarts += 1
      running.probes = this.#probesOf(own, process, port)
      process.start()
    }
    const { isStarted, isReady } = running.probes
    const { containerStatuses = [] } = pod['status'] as { containerStatuses?: ContainerStatus[] }
    const ready = process.isRunning && isReady
    const status = containerStatuses[0]
    if (status?.ready === ready && status.restartCount === running.restarts) return
    const { name, image } = own
    const state = { running: { startedAt: `${new Date().toISOString().slice(0, 19)}Z` } }
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: ready ? 'True' : 'False' }))
    const shown = { name, image, imageID: image, restartCount: running.restarts, started: isStarted, ready, state }
    await this.#plane.admin.patch(`${path}/${pod.metadata.name}/status`, 'merge', {
      status: { phase: 'Running', conditions, containerStatuses: [shown] },
    })
  }

  /** A Pod that somebody has deleted with force: its process is ended all the same. */
  async #endVanished(pods: readonly KubeObject[]): Promise<void> {
    const there = new Set(pods.map(({ metadata }) => metadata['uid']))
    const vanished = [...this.#pods.values()].filter(({ uid, process }) => !there.has(uid) && process.isRunning)
    await Promise.all(vanished.map(({ process }) => process.end('SIGTERM')))
  }
}
