import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import type { Step } from './steps.ts'

/** What a command has said, without what differs from run to run. */
export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

const limitMs = 60_000

/** Runs the steps one after the other in their namespaces; `folder` has the manifests. */
export async function runSteps(steps: readonly Step[], folder: string, kubeconfig: string): Promise<readonly Said[]> {
  const cache = `${kubeconfig}.cache`
  await mkdir(cache, { recursive: true })
  const said: Said[] = []
  for (const { args, editor = 'false', namespace = 'work' } of steps) {
    const env = { ...process.env, KUBECONFIG: kubeconfig, KUBE_EDITOR: editor, KUBECTL_EXTERNAL_DIFF: 'diff -u' }
    said.push(await run([...args, `--namespace=${namespace}`, `--cache-dir=${cache}`], folder, env))
  }
  return said
}

function run(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Said> {
  return new Promise((resolve) => {
    execFile('kubectl', [...args], { cwd, env, timeout: limitMs, maxBuffer: 16 * 1024 * 1024 }, (error, out, err) => {
      const code = error === null ? 0 : Number(error.code ?? -1)
      resolve({ code, out: normalised(out), err: normalised(err) })
    })
  })
}

const replaced: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UID'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| [+-]\d{4})?/g, 'TIME'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/(resource ?version"?:\s+"?)\d+/gi, '$1VERSION'],
  [/https?:\/\/127\.0\.0\.1:\d+/g, 'SERVER'],
  [/127\.0\.0\.1:\d+/g, 'SERVER'],
  [/\/tmp\/\S+/g, 'FILE'],
  [/\b\d+(d\d+h|h\d+m|m\d+s|d|m|s|ms|\.\d+ms)\b/g, 'AGE'],
  [/<invalid>/g, 'AGE'],
  // Columns are as wide as what stands in them.
  [/[ \t]{2,}/g, '  '],
  [/-{3,}/g, '---'],
]

function normalised(text: string): string {
  return replaced.reduce((sofar, [pattern, name]) => sofar.replace(pattern, name), text).trim()
}
