import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Component } from '../control-plane/component.ts'
import { mountPath, type ProjectedVolume } from '../support/container.ts'
import type { ImageConfig } from './built-image.ts'

export interface ImageProcessOptions {
  readonly name: string
  /** For its log. */
  readonly folder: string
  /** Where a container of the image is mounted. */
  readonly root: string
  readonly config: ImageConfig
  /** The image's own when absent. */
  readonly args?: readonly string[]
  /** Beside the image's own. */
  readonly env?: Readonly<Record<string, string>>
  readonly volume?: ProjectedVolume
}

/**
 * Starts the image as a container runtime does: by its entry point, as its user, with its environment, on a read-only
 * root that holds nothing but the image, and the projected volume at the standard path.
 */
export function imageProcess({ name, folder, root, config, volume, ...given }: ImageProcessOptions): Component {
  const script = [
    'set -e',
    `cd "${root}"`,
    `mkdir -p proc dev .${mountPath} && touch dev/null dev/urandom`,
    `mount --bind "${root}" "${root}" && cd "${root}"`,
    'for part in proc dev/null dev/urandom; do mount --rbind /$part $part; done',
    ...(volume === undefined ? [] : [`mount --bind "${volume.folder}" .${mountPath}`]),
    `mount -o remount,bind,ro "${root}"`,
    'exec setpriv --no-new-privs chroot --userspec="$0" . "$@"',
  ].join('\n')
  const inside = [config.User, ...config.Entrypoint, ...(given.args ?? config.Cmd)]
  const command = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, ...inside] as const
  const own = Object.fromEntries(config.Env.map((line) => line.split('=', 2)))
  return new Component(name, folder, [...command], { ...own, ...given.env })
}

/** Milliseconds from the start of the process until its `/readyz` says so. */
export async function startedIn(operator: Component, port: number): Promise<number> {
  const from = performance.now()
  operator.start()
  const url = `http://127.0.0.1:${port}/readyz`
  await operator.until(async () => {
    while (operator.isRunning && (await fetch(url).catch(() => null))?.status !== 200) await delay(5)
    return operator.isRunning
  }, 20_000)
  return performance.now() - from
}

/** Fields of `/proc/PID/status`. */
export async function statusOf({ pid }: Component): Promise<Readonly<Record<string, string>>> {
  const lines = (await readFile(`/proc/${pid}/status`, 'utf8')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2)))
}
