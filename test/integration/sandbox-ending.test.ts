import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Loaded before the sandbox: sends the signal as soon as anybody listens for it, which is before the rest is loaded. */
const atFirst = `const at = setInterval(() => {
  if (process.listenerCount('SIGINT') === 0) return
  clearInterval(at)
  process.kill(process.pid, 'SIGINT')
}, 0)`

interface Ended {
  readonly code: unknown
  readonly output: string
  /** What is left in the folder of temporary files, and of the processes that were told of it. */
  readonly left: readonly string[]
}

type Moment =
  | { readonly preload: string }
  /** A file of it that is there first; the second part of the name of its folder is random. */
  | { readonly file: RegExp }
  | { readonly said: string }

/** Runs the sandbox until the moment, sends it a signal, and waits for its end. */
async function endAt(moment: Moment, signal: NodeJS.Signals, manifests?: string): Promise<Ended> {
  const folder = await mkdtemp(`${tmpdir()}/scj-ending-`)
  const preload = 'preload' in moment ? ['--import', `data:text/javascript,${encodeURIComponent(moment.preload)}`] : []
  const watcher = watch(folder, { recursive: true })
  try {
    const env = { ...process.env, TMPDIR: folder }
    const args = manifests === undefined ? [] : ['--file', `${folder}/my.yaml`]
    if (manifests !== undefined) await writeFile(`${folder}/my.yaml`, manifests)
    const child = spawn(process.execPath, [...preload, `${root}sandbox/sandbox.ts`, ...args], { env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if ('said' in moment && output.includes(moment.said)) child.kill(signal)
      })
    watcher.on('change', (_kind, name) => {
      if ('file' in moment && moment.file.test(String(name))) child.kill(signal)
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output, left: [...(await sandboxesIn(folder)), ...(await processesOf(folder))] }
  } finally {
    watcher.close()
    await rm(folder, { recursive: true })
  }
}

async function sandboxesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name !== 'my.yaml')
}

/** Those whose command line speaks of the folder. */
async function processesOf(folder: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}

const early = (signal: string) => `ended by ${signal} before the operator ran: nothing was judged\n`

describe('the sandbox is told to end', { concurrency: false }, () => {
  for (const [when, moment, signal, code] of [
    ['while it is being loaded', { preload: atFirst }, 'SIGINT', 130],
    ['when its folder is made', { file: /^scj-sandbox-\w+$/ }, 'SIGINT', 130],
    ['when its kubeconfig is written', { file: /kubeconfig$/ }, 'SIGTERM', 143],
    ['when the operator starts', { file: /operator\.log$/ }, 'SIGTERM', 143],
    ['when the operator starts, by a terminal that is closed', { file: /operator\.log$/ }, 'SIGHUP', 129],
  ] as const satisfies readonly (readonly [string, Moment, NodeJS.Signals, number])[])
    test(`${when}: a line, exit code ${code}, and nothing is left`, async () => {
      assert.deepEqual(await endAt(moment, signal), { code, output: early(signal), left: [] })
    })

  test('while the resources are created: a line, exit code 143, and nothing is left', async () => {
    const refused = 'apiVersion: batch/v1\nkind: Job\nmetadata: { name: a }\n---\n'
    const { code, output, left } = await endAt({ said: 'is refused' }, 'SIGTERM', refused.repeat(1_000))
    assert.equal(output.split('\n').slice(-2).join('\n'), early('SIGTERM'))
    assert.deepEqual([code, left], [143, []])
  })

  for (const [when, said] of [
    ['before the first launch', 'the operator runs'],
    ['at the first launch', 'every-second-'],
  ] as const)
    test(`${when}: the summary, exit code 0, and nothing is left`, async () => {
      const { code, output, left } = await endAt({ said }, 'SIGINT')
      assert.match(output, /\n\d+ slots due, 0 lost, 0 twice, 0 early, 0 that were not due; /)
      assert.deepEqual([code, left], [0, []])
    })
})
