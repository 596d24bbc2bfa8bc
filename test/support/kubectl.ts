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
