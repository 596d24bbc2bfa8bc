import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Processes that must not outlive this one, however it ends; each leads a process group. */
const running = new Set<ChildProcess>()
/** Folders that go with this process. */
const folders = new Set<string>()
process.once('exit', () => {
  for (const child of running) killGroup(child)
  // Who has just been killed may still have made a file meanwhile.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) process.exit(1)
  })

export function removeAtExit(folder: string): void {
  folders.add(folder)
}

/** For a child that was spawned `detached`: it and all its children end with this process. */
export function killAtExit(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

function killGroup({ pid }: ChildProcess): void {
  try {
    // Without a pid it has never started.
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended, only not been told of yet.
  }
}

/** One process of the control plane (or the operator beside it), with its output in a file. */
export class Component {
  readonly name: string
  readonly logFile: string
  readonly #command: string
  readonly #args: readonly string[]
  readonly #env: Readonly<Record<string, string | undefined>>
  #child: ChildProcess | null = null

  constructor(name: string, folder: string, [command, ...args]: readonly [string, ...string[]], env = process.env) {
    this.name = name
    this.logFile = `${folder}/${name}.log`
    this.#command = command
    this.#args = args
    this.#env = env
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  start(): void {
    const log = openSync(this.logFile, 'a')
    // In a process group of its own, so that Ctrl-C at a terminal is this process's to handle.
    const child = spawn(this.#command, this.#args, { stdio: ['ignore', log, log], env: this.#env, detached: true })
    closeSync(log)
    // A test that fails before it has ended everything must not wait for it for ever: what is left ends with this process.
    child.unref()
    this.#child = child
    killAtExit(child)
  }

  /** Sends the signal; SIGSTOP and SIGCONT need no waiting for. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Resolves with the exit code (null after a signal); kills it after the limit. */
  async end(signal: NodeJS.Signals, limitMs = 15_000): Promise<number | null> {
    const child = this.#child
    if (child === null || !this.isRunning) return child?.exitCode ?? null
    const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
    clearTimeout(limit)
    return child.exitCode
  }

  async log(): Promise<string> {
    return readFile(this.logFile, 'utf8')
  }

  /** Waits until `ready` answers true; throws when the process ends before, or when the limit is over, why it was not ready. */
  async until(ready: () => Promise<boolean>, limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs
    let cause: unknown = null
    const ask = () =>
      ready().catch((error: unknown) => {
        cause = error
        return false
      })
    while (!(await ask())) {
      const reason = this.isRunning ? `is not ready after ${limitMs} ms` : 'has ended'
      if (!this.isRunning || performance.now() > deadline)
        throw new Error(`${this.name} ${reason} (${String(cause)}): ${(await this.log()).slice(-2_000)}`, { cause })
      await delay(50)
    }
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
