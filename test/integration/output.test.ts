import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../control-plane/component.ts'

/** An operator that can't log is an operator all the same: it serves, and it ends when it is told to. */

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const skip = process.platform === 'linux' ? false : '/dev/full is of Linux'
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))
const withoutIpv6 = hasIpv6 ? false : 'this machine has no IPv6'

let folder: string
before(async () => {
  folder = await mkdtemp(`${tmpdir()}/output-`)
  const config = {
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: {} }],
    'current-context': 'x',
  }
  await writeFile(`${folder}/config`, JSON.stringify(config))
  execFileSync('mkfifo', [`${folder}/pipe`])
})
after(() => rm(folder, { recursive: true }))

/** The operator against an API server that is away, started by a line of bash that says where its output goes. */
async function operator(
  line: string,
): Promise<{ readonly child: ChildProcess; readonly healthz: (address?: string) => Promise<number> }> {
  const port = await freePort()
  const flags = ['--kubeconfig', `${folder}/config`, '--port', `${port}`, '--log-level', 'trace']
  const child = spawn('bash', ['-c', line, process.execPath, main, ...flags], {
    env: { HOME: '/nowhere', FOLDER: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const healthz = async (address = '127.0.0.1') =>
    (await fetch(`http://${address}:${port}/healthz`).catch(() => null))?.status ?? 0
  while ((await healthz()) !== 200) {
    assert.equal(child.exitCode, null)
    await delay(50)
  }
  return { child, healthz }
}

/** The exit code, and how long it took. */
async function terminate(child: ChildProcess): Promise<{ readonly code: unknown; readonly seconds: number }> {
  const kill = setTimeout(() => child.kill('SIGKILL'), 15_000)
  const began = performance.now()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  clearTimeout(kill)
  return { code, seconds: (performance.now() - began) / 1_000 }
}

const places: Record<string, string> = {
  'a full disk': 'exec "$0" "$@" > /dev/full',
  'a pipe that is full and that nobody reads':
    'exec 3<> "$FOLDER/pipe"; head -c 65536 /dev/zero >&3; exec "$0" "$@" >&3',
}
for (const [name, line] of Object.entries(places))
  test(`the log goes to ${name}: it serves, and ends within ten seconds`, { skip }, async (t) => {
    const { child, healthz } = await operator(line)
    // Its log is written after half a second, or four kilobytes.
    for (const until = performance.now() + 3_000; performance.now() < until; await delay(100))
      assert.equal(await healthz(), 200)
    const { code, seconds } = await terminate(child)
    assert.equal(code, 0)
    assert.ok(seconds < 10, `${seconds} s`)
    t.diagnostic(`ended after ${seconds.toFixed(1)} s`)
  })

test('nothing said of an address: a probe over IPv4 and one over IPv6 are answered', {
  skip: withoutIpv6,
}, async () => {
  const { child, healthz } = await operator('exec "$0" "$@" > /dev/null')
  assert.deepEqual([await healthz('127.0.0.1'), await healthz('[::1]')], [200, 200])
  await terminate(child)
})

test('a log that can be written is whole: the last line is there', { skip }, async () => {
  const { child } = await operator('exec "$0" "$@" > "$FOLDER/log"')
  assert.equal((await terminate(child)).code, 0)
  const lines = readFileSync(`${folder}/log`, 'utf8').trim().split('\n')
  const last = JSON.parse(lines.at(-1) ?? '') as { msg: string }
  assert.equal(last.msg, 'operator stopped')
})
