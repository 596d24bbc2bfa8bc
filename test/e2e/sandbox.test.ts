import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { waitFor } from '../support/admin.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

function processes(): readonly Process[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return { pid: Number(pid), parent: Number(parent), command }
  })
}

function treeOf(pid: number): readonly Process[] {
  const all = processes()
  const tree = all.filter((process) => process.pid === pid)
  // It grows while it is walked.
  for (const { pid: parent } of tree) tree.push(...all.filter((process) => process.parent === parent))
  return tree
}

/** `npm run sandbox` with all that it starts; what it has printed is in `output`. */
class Sandbox {
  readonly npm: ChildProcess
  output = ''
  readonly #closed: Promise<unknown>
  readonly #seen = new Map<number, string>()
  #folder: string | null = null

  constructor(...args: readonly string[]) {
    this.npm = spawn('npm', ['run', 'sandbox', '--', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    for (const stream of [this.npm.stdout, this.npm.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()))
    this.#closed = once(this.npm, 'close')
  }

  /** Waits until the first is there that it starts: the operator, or etcd. */
  async isStarting(): Promise<void> {
    this.#folder = await waitFor('its first process', 60_000, async () => {
      this.#look()
      return (
        /(?:--data-dir=|--kubeconfig )(\S*scj-(?:control-plane|sandbox)-[\w-]+)/.exec(
          [...this.#seen.values()].join('\n'),
        )?.[1] ?? null
      )
    })
  }

  async isUp(): Promise<void> {
    await this.isStarting()
    await waitFor('a second launch', 60_000, async () => this.output.split('ms late').length > 2)
    this.#look()
  }

  /** Of the sandbox itself, below npm. */
  get pid(): number {
    const [pid] = [...this.#seen].find(([, command]) => /^\S*node\S* sandbox\/sandbox\.ts/.test(command)) ?? []
    return pid ?? Number.NaN
  }

  /** Waits until nothing of it is left: no process, no folder, and nobody who could still print. */
  async isGone(): Promise<void> {
    await waitFor('no process of the sandbox', 20_000, async () => this.#left().length === 0)
    await this.#closed
    assert.equal(existsSync(String(this.#folder)), false)
  }

  /** Whatever the test has found, it leaves nothing behind. */
  [Symbol.dispose](): void {
    this.#look()
    for (const { pid } of this.#left()) process.kill(pid, 'SIGKILL')
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }

  #look(): void {
    for (const { pid, command } of treeOf(this.npm.pid ?? Number.NaN)) this.#seen.set(pid, command)
  }

  #left(): readonly Process[] {
    const isOurs = ({ pid, command }: Process) =>
      this.#seen.get(pid) === command || (this.#folder !== null && command.includes(this.#folder))
    return processes().filter(isOurs)
  }
}

test('the sandbox: SIGTERM for npm during the start', async () => {
  using sandbox = new Sandbox()
  await sandbox.isStarting()
  sandbox.npm.kill('SIGTERM')
  await sandbox.isGone()
  assert.match(sandbox.output, /\nended by SIGTERM before the operator ran: nothing was judged\n$/)
  assert.equal(sandbox.npm.exitCode, 143)
})

test('the sandbox: SIGTERM for npm while it runs', async () => {
  using sandbox = new Sandbox()
  await sandbox.isUp()
  sandbox.npm.kill('SIGTERM')
  await sandbox.isGone()
  assert.match(sandbox.output, /slots due, 0 lost, 0 twice/)
})

test('the sandbox on the real control plane: npm is killed while it runs', async () => {
  using sandbox = new Sandbox('--real')
  await sandbox.isUp()
  sandbox.npm.kill('SIGKILL')
  await sandbox.isGone()
  assert.match(sandbox.output, /slots due, 0 lost, 0 twice/)
})

for (const [signal, when, code] of [
  ['SIGINT', 'isUp', 0],
  ['SIGTERM', 'isUp', 0],
  ['SIGHUP', 'isStarting', 129],
] as const)
  test(`the sandbox: ${signal} for itself, twice as from a terminal, is a good end: ${code}`, async () => {
    using sandbox = new Sandbox()
    await sandbox[when]()
    const { pid } = sandbox
    process.kill(pid, signal)
    process.kill(pid, signal)
    await sandbox.isGone()
    assert.equal(sandbox.npm.exitCode, code)
  })
