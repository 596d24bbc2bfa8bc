import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { output, root } from './tools.ts'

/**
 * Makes what the Dockerfile needs of its base image where no registry of images can be reached: Debian's own packages by
 * this machine's apt, the node that runs this, and the npm beside it. For Debian, buildah and root.
 */

const packages = ['base-files', 'bash', 'dash', 'coreutils', 'grep', 'libc-bin', 'libstdc++6']
const only = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`)

/** The name of the image. Throws when this node is not the one that the Dockerfile asks for. */
export async function localBase(): Promise<string> {
  const version = /^ARG BASE_IMAGE=node:([\d.]+)/m.exec(await readFile(`${root}Dockerfile`, 'utf8'))?.[1]
  if (process.versions.node !== version)
    throw new Error(`this is node ${process.versions.node}, the image's is ${version}`)
  const folder = await mkdtemp(`${tmpdir()}/base-image-`)
  try {
    await debian(folder)
    await nodeAndNpm(`${folder}/root/usr/local`)
    return await commit(`${folder}/root`, `localhost/second-cron-job-operator-base:${version}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function debian(folder: string): Promise<void> {
  const tree = `${folder}/root`
  for (const part of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(`${tree}/usr/${part}`, { recursive: true })
    await symlink(`usr/${part}`, `${tree}/${part}`)
  }
  const names = (await output('apt-cache', ['depends', '--recurse', ...only, ...packages])).split('\n')
  const real = names.filter((name) => /^[a-z0-9]/.test(name))
  await mkdir(`${folder}/packages`)
  await output('apt-get', ['--quiet', '-o', 'APT::Sandbox::User=root', 'download', ...real], `${folder}/packages`)
  for (const file of await readdir(`${folder}/packages`)) {
    const unpack = 'dpkg-deb --fsys-tarfile "$0" | tar --extract --keep-directory-symlink --directory "$1"'
    await output('sh', ['-c', unpack, `${folder}/packages/${file}`, tree])
  }
}

async function nodeAndNpm(prefix: string): Promise<void> {
  await mkdir(`${prefix}/bin`, { recursive: true })
  await cp(process.execPath, `${prefix}/bin/node`)
  const npm = dirname(dirname(await realpath(await output('sh', ['-c', 'command -v npm']))))
  await cp(npm, `${prefix}/lib/node_modules/npm`, { recursive: true, dereference: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', `${prefix}/bin/npm`)
}

async function commit(tree: string, name: string): Promise<string> {
  const container = await output('buildah', ['from', 'scratch'])
  try {
    await output('buildah', ['copy', '--quiet', container, tree, '/'])
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    await output('buildah', ['config', '--env', path, '--cmd', 'node', container])
    await output('buildah', ['commit', '--quiet', container, name])
  } finally {
    await output('buildah', ['rm', container])
  }
  return name
}
