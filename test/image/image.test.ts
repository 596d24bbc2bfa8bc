import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { root as checkout } from '../../scripts/image/tools.ts'
import { type Component, freePort } from '../control-plane/component.ts'
import { Cluster } from '../support/cluster.ts'
import { ProjectedVolume } from '../support/container.ts'
import { account, requestToken } from '../support/service-account.ts'
import { BuiltImage, filesOf, type ImageConfig, skipUnbuildable } from './built-image.ts'
import { imageProcess, startedIn, statusOf } from './image-process.ts'

const skip = skipUnbuildable
const packageJson = JSON.parse(await readFile(`${checkout}package.json`, 'utf8')) as {
  readonly name: string
  readonly version: string
  readonly devDependencies: Readonly<Record<string, string>>
}

let image: BuiltImage
let config: ImageConfig
let root: string
let files: readonly string[]
let folder: string

before(async () => {
  if (skip !== false) return
  folder = await mkdtemp(`${tmpdir()}/image-process-`)
  image = await BuiltImage.build()
  config = await image.config()
  root = await image.mount()
  files = await filesOf(root)
})
after(async () => {
  if (skip !== false) return
  await image?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** What the image prints and how it ends. */
async function once(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const operator = imageProcess({ name: `once-${args.join('')}`, folder, root, config, args, env })
  operator.start()
  const deadline = Date.now() + 20_000
  while (operator.isRunning && Date.now() < deadline) await delay(20)
  return { code: await operator.end('SIGKILL'), text: await operator.log() }
}

describe('the image', { skip }, () => {
  test('holds node, its libraries, the bundle with its map and licence, the compile cache, and nothing else', async (t) => {
    t.diagnostic(`image size ${await image.size()}`)
    const library = /^\/lib(64)?\/([^/]+-linux-gnu\/)?(lib[a-z_+]+|ld-linux-[-\w]+)\.so\.\d+$/
    const libraries = files.filter((file) => library.test(file))
    const [cached, ...others] = files.filter((file) => file.startsWith('/operator/cache/'))
    assert.match(
      cached ?? '',
      new RegExp(`^/operator/cache/${process.version}-${process.arch}-[0-9a-f]+-65532/[0-9a-f]+$`),
    )
    assert.deepEqual(others, [])
    const bundle = ['/operator/LICENSE', '/operator/operator.js', '/operator/operator.js.map', '/operator/package.json']
    const expected = new Set([...libraries, cached, ...bundle, '/usr/local/bin/node'])
    assert.deepEqual(new Set(files), expected)
    assert.equal(
      libraries.some((file) => file.endsWith('/libc.so.6')),
      true,
    )
  })

  test('every file belongs to root, and nobody else may write it', async () => {
    for (const file of files) {
      const { uid, gid, mode } = await stat(`${root}${file}`)
      assert.deepEqual([uid, gid, mode & 0o7022, mode & 0o444], [0, 0, 0, 0o444], file)
    }
  })

  test('says who it is, as whom it runs and where it listens', () => {
    assert.equal(config.User, '65532:65532')
    assert.deepEqual(config.Cmd, ['run'])
    assert.deepEqual(Object.keys(config.ExposedPorts), ['44444/tcp'])
    assert.equal(config.Entrypoint[0], '/usr/local/bin/node')
    assert.equal(config.Entrypoint.at(-1), '/operator/operator.js')
    assert.equal(config.Labels['org.opencontainers.image.version'], packageJson.version)
    assert.equal(config.Labels['org.opencontainers.image.title'], packageJson.name)
    assert.equal(config.Labels['org.opencontainers.image.licenses'], 'Apache-2.0')
  })

  test('is built on the version of node that the tests run on', async () => {
    const [firstArgument] = /^ARG .*$/m.exec(await readFile(`${checkout}Dockerfile`, 'utf8')) ?? []
    assert.equal(firstArgument, `ARG BASE_IMAGE=node:${packageJson.devDependencies['node']}-bookworm-slim`)
    assert.equal(process.versions.node, packageJson.devDependencies['node'])
  })

  test('prints its version, and its compile cache is good', async () => {
    const { code, text } = await once(['--version'], { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
    assert.equal(code, 0, text)
    assert.match(text, new RegExp(`^${packageJson.version.replaceAll('.', '\\.')}$`, 'm'))
    assert.match(text, /operator\.js was accepted/)
  })

  test('prints the CRD that is under version control', async () => {
    const { code, text } = await once(['crd'])
    assert.deepEqual([code, text], [0, await readFile(`${checkout}deploy/crd.yaml`, 'utf8')])
  })
})

describe('the image in a cluster, with nothing but its service account', { skip }, () => {
  let cluster: Cluster
  let volume: ProjectedVolume
  let operator: Component | undefined

  before(async () => {
    cluster = await Cluster.start()
    const pod = await cluster.operatorPod()
    volume = new ProjectedVolume(`${cluster.plane.folder}/volume`)
    await mkdir(volume.folder)
    const token = await requestToken(cluster.plane, pod, 3_600)
    await volume.write({ token, 'ca.crt': await cluster.plane.ca(), namespace: account.namespace })
  })
  after(async () => {
    await operator?.end('SIGKILL')
    await cluster?.[Symbol.asyncDispose]()
  })

  async function start(more: Readonly<Record<string, string>> = {}): Promise<number> {
    const { hostname, port: serverPort } = new URL(cluster.plane.url)
    const port = await freePort()
    const service = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: serverPort, PORT: String(port) }
    operator = imageProcess({ name: `image-${port}`, folder, root, config, volume, env: { ...service, ...more } })
    return startedIn(operator, port)
  }

  async function medianStart(env: Readonly<Record<string, string>>): Promise<number> {
    const times: number[] = []
    for (let time = 0; time < 5; time++) {
      times.push(await start(env))
      assert.equal(await operator?.end('SIGTERM'), 0)
    }
    return Math.round(times.sort((a, b) => a - b)[2] ?? Number.NaN)
  }

  test('gets ready, with its compile cache and without', async (t) => {
    const without = await medianStart({ NODE_DISABLE_COMPILE_CACHE: '1' })
    const ready = await medianStart({})
    t.diagnostic(`ready after ${ready} ms with the compile cache, ${without} ms without (medians of five)`)
    assert.equal(Math.max(ready, without) < 5_000, true)
  })

  test('runs as nobody, with no rights, on little memory', async (t) => {
    await start()
    await delay(5_000)
    assert.ok(operator)
    const { VmRSS = '', RssAnon = '', Uid, Gid, Groups, CapEff, NoNewPrivs } = await statusOf(operator)
    t.diagnostic(`idle: VmRSS ${VmRSS}, RssAnon ${RssAnon}`)
    const nobody = Array.from({ length: 4 }, () => '65532').join('\t')
    assert.deepEqual([Uid, Gid, Groups?.trim()], [nobody, nobody, ''])
    assert.deepEqual([Number(CapEff), NoNewPrivs], [0, '1'])
    assert.equal(Number.parseInt(VmRSS) < 128 * 1_024, true, 'more than the Deployment asks for')
  })

  test('a SecondCronJob gets its Job', async () => {
    await cluster.create('from-image', { intervalSeconds: 1 })
    await cluster.hasRun('from-image', 2)
    await cluster.delete('from-image')
    await cluster.isGone('from-image', 15_000)
  })

  test('SIGTERM ends it with exit code 0', async () => {
    assert.equal(await operator?.end('SIGTERM'), 0)
  })
})
