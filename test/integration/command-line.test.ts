import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the operator with nothing of this machine's configuration. */
function run(args: readonly string[], env: Record<string, string> = {}, shell?: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      shell ?? process.execPath,
      shell === undefined ? [main, ...args] : [...args],
      { env: { HOME: '/nowhere', ...env }, timeout: 20_000 },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

test('wrong flags: one sentence, exit code 2', async () => {
  assert.deepEqual(await run(['--port', 'x']), {
    code: 2,
    out: '',
    err: '--port is "x"; write a whole number from 0 to 65535\n',
  })
})

test('no cluster: one sentence, exit code 1', async () => {
  const err = 'no cluster found: set KUBECONFIG or --kubeconfig to a file that names one, or run inside a cluster\n'
  assert.deepEqual(await run([]), { code: 1, out: '', err })
})

test('a kubeconfig that is not there: one sentence, exit code 1', async () => {
  const { code, err } = await run([], { KUBECONFIG: '/no/such/file' })
  assert.equal(code, 1)
  assert.match(err, /^the kubeconfig \/no\/such\/file can't be read: [^\n]*\n$/)
})

const kubeconfig = JSON.stringify({
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  users: [{ name: 'u', user: {} }],
  'current-context': 'x',
})
let folder: string
before(async () => {
  folder = await mkdtemp(`${tmpdir()}/command-line-`)
  await writeFile(`${folder}/config`, kubeconfig)
})
after(() => rm(folder, { recursive: true }))

test('the port is taken: one sentence, exit code 1', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const { code, err } = await run(['--kubeconfig', `${folder}/config`, '--host', '127.0.0.1', '--port', String(port)])
  server.close()
  assert.deepEqual([code, err], [1, `port ${port} is in use; free it, or choose another one with --port\n`])
})

test('an address of another machine: one sentence, exit code 1', async () => {
  const { code, err } = await run(['--kubeconfig', `${folder}/config`, '--host', '192.0.2.1', '--port', '0'])
  const want = '--host 192.0.2.1 is no address of this machine; write one that is, or leave it out for all\n'
  assert.deepEqual([code, err], [1, want])
})

/** Every failure of standard output was taken for a reader that has seen enough: a full disk got half a file and exit code 0. */
test('what was asked for does not fit on the disk: one sentence, exit code 1', {
  skip: process.platform !== 'linux',
}, async () => {
  const { code, err } = await run(['-c', '"$0" "$1" crd > /dev/full', process.execPath, main], {}, 'bash')
  assert.deepEqual([code, err], [1, "standard output can't be written: ENOSPC: no space left on device, write\n"])
})

test('a reader that closes early, as head does: no complaint', async () => {
  const script = `"$0" "$1" crd | true; echo "\${PIPESTATUS[0]}"`
  const ended = await new Promise<string>((resolve) => {
    execFile('bash', ['-c', script, process.execPath, main], { env: { HOME: '/nowhere' } }, (_error, out, err) =>
      resolve(out + err),
    )
  })
  assert.equal(ended, '0\n')
})

test('--help and --version answer without a cluster', async () => {
  const help = await run(['--help'])
  assert.equal(help.code, 0)
  assert.match(help.out, /--create-timeout-seconds +CREATE_TIMEOUT_SECONDS/)
  assert.match((await run(['--version'])).out, /^\d+\.\d+\.\d+\n$/)
})
