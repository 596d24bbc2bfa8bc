import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Runs inside the build of the image, as the image's user: starts the operator by the image's own entry point at an API
 * server that has nothing, until it is ready, and stops it. Node writes the compile cache when it ends, with all that
 * was compiled until then.
 */

const readyLimitMs = 30_000

const [cache = ''] = process.argv.slice(2)
const apiServer = await listen(createServer())
apiServer.on('request', ({ url }, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  if (url?.includes('watch=')) response.flushHeaders()
  else response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] }))
})

const [node = '', ...args] = await entryPoint()
const port = await freePort()
const env = {
  NODE_COMPILE_CACHE: cache,
  HOST: '127.0.0.1',
  PORT: String(port),
  KUBECONFIG: await kubeconfig(apiServer),
}
const operator = spawn(node, args, { stdio: 'inherit', env })
const ended = once(operator, 'exit')
await ready()
operator.kill('SIGTERM')
const [code] = await ended
apiServer.closeAllConnections()
apiServer.close()
if (code !== 0) throw new Error(`the operator ended with ${code}`)
if ((await readdir(cache)).length === 0) throw new Error('node has written no compile cache')

/** As the Dockerfile beside this file has it. */
async function entryPoint(): Promise<readonly string[]> {
  const dockerfile = await readFile(new URL('Dockerfile', import.meta.url), 'utf8')
  const [, text = ''] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile) ?? []
  return JSON.parse(text) as string[]
}

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function freePort(): Promise<number> {
  const server = await listen(createServer())
  const free = portOf(server)
  server.close()
  return free
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

async function kubeconfig(server: Server): Promise<string> {
  const path = `${await mkdtemp(`${tmpdir()}/warm-`)}/kubeconfig`
  const nobody = { name: 'none', user: { token: 'none' } }
  const cluster = { name: 'none', cluster: { server: `http://127.0.0.1:${portOf(server)}` } }
  const context = { name: 'none', context: { cluster: 'none', user: 'none' } }
  const lists = { clusters: [cluster], users: [nobody], contexts: [context] }
  await writeFile(path, JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'none', ...lists }))
  return path
}

async function ready(): Promise<void> {
  const deadline = performance.now() + readyLimitMs
  while ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status !== 200) {
    if (operator.exitCode !== null || performance.now() > deadline) throw new Error('the operator does not get ready')
    await delay(50)
  }
}
