import { readConfig } from '../../src/config.ts'

/** The Pod of the operator, as far as the `TestNode` goes by it. */

export interface PodSpec {
  readonly nodeName?: string
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: { readonly runAsUser: number }
  readonly containers: readonly [ContainerSpec]
  readonly volumes: readonly Volume[]
}

export interface ContainerSpec {
  readonly name: string
  readonly image: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[]
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly resources?: { readonly limits?: Readonly<Record<string, string>> }
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

export interface Probe {
  readonly httpGet?: { readonly path?: string; readonly port: string | number }
  readonly periodSeconds?: number
  readonly failureThreshold?: number
  readonly timeoutSeconds?: number
}

interface Volume {
  readonly name: string
  readonly projected?: { readonly sources: readonly Source[] }
}

export interface Source {
  readonly serviceAccountToken?: { readonly path: string; readonly expirationSeconds: number }
  readonly configMap?: { readonly name: string }
  readonly downwardAPI?: { readonly items: readonly { readonly path: string }[] }
}

/** Where the operator listens when nothing tells it otherwise. */
export const standardPort = readConfig({}, {}, []).port

/** The projected volume of the Pod and where the container wants it. Throws when it isn't mounted exactly once. */
export function projectedMount({ volumes = [], containers }: Mounting): {
  readonly sources: readonly Source[]
  readonly mountPath: string
} {
  const mounts = containers.flatMap(({ volumeMounts = [] }) => volumeMounts)
  const found = mounts.flatMap(({ name, mountPath }) => {
    const sources = volumes.find((volume) => volume.name === name)?.projected?.sources
    return sources === undefined ? [] : [{ sources, mountPath }]
  })
  const [first] = found
  if (first === undefined || found.length > 1)
    throw new Error(`${found.length} mounts of projected volumes, where one was expected`)
  return first
}

interface Mounting {
  readonly volumes?: readonly Volume[]
  readonly containers: readonly Pick<ContainerSpec, 'volumeMounts'>[]
}

/** The port of the container that the probe is for: a name stands for the port that has it. */
export function portOf({ ports = [] }: Pick<ContainerSpec, 'ports'>, { httpGet }: Probe): number {
  const wanted = httpGet?.port
  const port = typeof wanted === 'string' ? ports.find(({ name }) => name === wanted)?.containerPort : wanted
  if (port === undefined) throw new Error(`no port of the container is named ${wanted}`)
  return port
}

/** The port that the process opens in its container. */
export function listensAt({ env = [] }: Partial<Pick<ContainerSpec, 'env'>>): number {
  return Number(env.find(({ name }) => name === 'PORT')?.value ?? standardPort)
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }

/** Bytes of a quantity such as `384Mi`; NaN when there is none, or it is written in another way. */
export function bytesOf(quantity: string | undefined): number {
  const [, number = '', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(quantity ?? '') ?? []
  return number === '' ? Number.NaN : Number(number) * (units[unit] ?? Number.NaN)
}

/** Measured at 100 launches a second; `deploy/deployment.yaml` tells the same. */
export const measuredMb = 132

/** Of SIGTERM until its end, at the longest; `test/e2e/outage.test.ts` shows it. */
export const stopsWithinSeconds = 10

/** With less than it was measured to take, the kernel would kill it in the middle of its work. */
export function hasRoom({ resources }: Pick<ContainerSpec, 'resources'>): boolean {
  const limit = resources?.limits?.['memory']
  return limit === undefined || bytesOf(limit) >= measuredMb * 1e6
}
