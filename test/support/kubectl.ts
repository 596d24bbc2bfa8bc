import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** For the `skip` of a test that needs kubectl. */
export const skipWithoutKubectl = await run('kubectl', ['version', '--client']).then(
  () => false as const,
  () => 'kubectl is not on the PATH',
)

/** The objects that `kubectl apply -k` applies, in its order. */
export async function kustomized(folder = 'deploy'): Promise<unknown[]> {
  const { stdout } = await run('kubectl', ['kustomize', folder], { cwd: root, maxBuffer: 16 * 1024 * 1024 })
  return parseAllDocuments(stdout).map((document) => document.toJS() as unknown)
}

/** What it tells when it is run so; `failed: …` when its exit code is not 0. */
export async function said(args: readonly string[]): Promise<string> {
  return run('kubectl', args, { timeout: 30_000 }).then(
    ({ stdout, stderr }) => `${stderr}${stdout}`.trim(),
    (error: Error & { readonly stderr?: string }) => `failed: ${error.stderr ?? error.message}`.trim(),
  )
}
