import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const run = promisify(execFile)

/** What the command prints. */
export async function output(command: string, args: readonly string[], cwd = root): Promise<string> {
  const { stdout } = await run(command, args, { cwd, maxBuffer: 64 * 1_024 * 1_024 })
  return stdout.trim()
}

/** Runs the command for the user to see; throws when it fails. */
export function show(command: string, args: readonly string[], cwd = root): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${args[0]} ended with ${code}`))
    })
  })
}

/** Whether this command succeeds. */
export async function works(command: string, argument: string): Promise<boolean> {
  return run(command, [argument]).then(
    () => true,
    () => false,
  )
}

/** `second-cron-job-operator:VERSION`. */
export async function imageName(): Promise<string> {
  const { name, version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as Record<string, string>
  return `${name}:${version}`
}
