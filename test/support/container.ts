import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'

import { Component } from '../control-plane/component.ts'
import { imageEnv, nodeFlags, root } from './shipped.ts'

/** Where the kubelet mounts a service account. */
export const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
/** Who may make a mount namespace, and be another user in it. */
export const canContain = process.platform === 'linux' && process.getuid?.() === 0
export const skipUncontained = canContain ? false : 'mount namespaces need Linux and root'

/** What a projected volume holds: file name → text. */
export type Projected = Readonly<Record<string, string>>

/** A folder in the kubelet's layout: files are links through `..data`, which is replaced in one step. */
export class ProjectedVolume {
  readonly folder: string
  #version = 0

  constructor(folder: string) {
    this.folder = folder
  }

  async write(files: Projected): Promise<void> {
    this.#version += 1
    const data = `..version_${this.#version}`
    await mkdir(`${this.folder}/${data}`, { recursive: true })
    for (const [name, text] of Object.entries(files)) await writeFile(`${this.folder}/${data}/${name}`, text)
    await symlink(data, `${this.folder}/..data_tmp`)
    await rename(`${this.folder}/..data_tmp`, `${this.folder}/..data`)
    if (this.#version > 1) return
    for (const name of Object.keys(files)) await symlink(`..data/${name}`, `${this.folder}/${name}`)
  }
}

export interface ContainerOptions {
  readonly name: string
  /** For its log. */
  readonly folder: string
  readonly volume: ProjectedVolume
  /** Where the container has it; the standard path when absent. */
  readonly mountedAt?: string
  /** After the image's entry point. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly user: number
}

/**
 * The shipped bundle as a container has it: a read-only root with nothing in it but the system's libraries, node, the
 * bundle and the projected volume; an unprivileged user without capabilities; an environment of its
 * own. Network and processes are the machine's.
 */
export function container(options: ContainerOptions): Component {
  const { name, folder, volume, mountedAt = mountPath, args, env, user } = options
  const script = [
    'set -e',
    'mount -t tmpfs -o mode=755 tmpfs /mnt && cd /mnt',
    `mkdir -p usr proc dev operator ".${mountedAt}"`,
    'for part in bin lib lib64; do ln -s usr/$part $part; done',
    'touch node dev/null dev/urandom',
    'for part in usr proc dev/null dev/urandom; do mount --rbind /$part $part; done',
    `mount --bind "${process.execPath}" node`,
    `mount --bind "${root}dist" operator`,
    `mount --bind "${volume.folder}" ".${mountedAt}"`,
    'mount -o remount,ro,mode=755 /mnt',
    'exec chroot . "$@"',
  ].join('\n')
  const identity = ['setpriv', '--reuid', `${user}`, '--regid', `${user}`, '--clear-groups', '--no-new-privs']
  const inside = [...identity, '--bounding-set=-all', '--inh-caps=-all', '/node', ...nodeFlags, '/operator/operator.js']
  const command = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...inside, ...args]
  return new Component(name, folder, command as [string, ...string[]], {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    ...imageEnv,
    ...env,
  })
}
