import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { localBase } from './local-base.ts'
import { imageName, output, show, works } from './tools.ts'

/** `npm run image`: builds the image with docker or buildah; with `-- --local-base` on a base that is made here. */

export interface BuildOptions {
  readonly tool: 'docker' | 'buildah'
  readonly name: string
  /** The Dockerfile's own when absent. */
  readonly base?: string
}

const caPath = '/run/secrets/registry-ca'

export async function buildImage({ tool, name, base }: BuildOptions): Promise<void> {
  const secrets = await mkdtemp(`${tmpdir()}/image-secrets-`)
  const baseArgs = base === undefined ? [] : ['--build-arg', `BASE_IMAGE=${base}`]
  const toolArgs = tool === 'buildah' ? ['--isolation', 'chroot', '--layers'] : []
  try {
    const secretArgs = await npmSecrets(secrets)
    await show(tool, ['build', '--network', 'host', ...toolArgs, ...secretArgs, ...baseArgs, '--tag', name, '.'])
  } finally {
    await rm(secrets, { recursive: true, force: true })
  }
}

/** This user's npm configuration, as npm has it here, for the one step of the build that asks the registry. */
async function npmSecrets(folder: string): Promise<readonly string[]> {
  const settings = (await output('npm', ['config', 'get', 'globalconfig', 'userconfig', 'cafile'])).split('\n')
  const [globalFile, userFile, cafile] = settings.map((line) => line.slice(line.indexOf('=') + 1))
  const texts = await Promise.all([globalFile, userFile].map((file) => readIfThere(file)))
  const ca = [cafile, process.env['NODE_EXTRA_CA_CERTS']].find((file) => file !== undefined && file.startsWith('/'))
  if (ca !== undefined) texts.push(`cafile=${caPath}`)
  await writeFile(`${folder}/npmrc`, `${texts.join('\n')}\n`, { mode: 0o600 })
  const caArgs = ca === undefined ? [] : ['--secret', `id=registry-ca,src=${ca}`]
  return ['--secret', `id=npmrc,src=${folder}/npmrc`, ...caArgs]
}

async function readIfThere(file = ''): Promise<string> {
  return access(file).then(
    () => readFile(file, 'utf8'),
    () => '',
  )
}

async function toolHere(): Promise<BuildOptions['tool']> {
  // A docker without its daemon prints its version, and builds nothing.
  if (await works('docker', 'info')) return 'docker'
  if (await works('buildah', '--version')) return 'buildah'
  throw new Error('docker with its daemon running, or buildah, is needed to build the image; install one of them')
}

const usage = `npm run image [-- --local-base]

Builds the image with docker (BuildKit, its daemon running) or buildah, whichever is there.

  --local-base  make the base image first, from Debian's packages: for Debian, buildah and root
  --help        print this`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'local-base': { type: 'boolean', default: false }, help: { type: 'boolean' } },
  })
  if (values.help === true) return void process.stdout.write(`${usage}\n`)
  const name = await imageName()
  if (values['local-base'] && !(await works('buildah', '--version')))
    throw new Error('--local-base needs buildah; install it, such as by apt-get install buildah')
  if (values['local-base']) await buildImage({ tool: 'buildah', name, base: await localBase() })
  else await buildImage({ tool: await toolHere(), name })
  process.stdout.write(`${name}\n`)
}

if (import.meta.main)
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
