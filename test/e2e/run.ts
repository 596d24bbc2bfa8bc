import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/**
 * Runs the suite on the real control plane: first what waits most of its time, two files at a time, then one by one what is
 * judged by fractions of a second, or by all that the machine can do. Leaves how long each file took in
 * `coverage/cluster-minutes.md`. Exit code 1 when something failed.
 */

/** Judged by time or load: nothing runs beside them. */
const alone = new Set([
  'clock',
  'concurrency',
  'failover',
  'faults',
  'isolation',
  'large',
  'launch',
  'lease',
  'lease-writers',
  'metrics',
  'restart',
  'sandbox',
  'stopped',
  'thousand',
  'two-leaders',
])
const folder = new URL('../../coverage/', import.meta.url)

const files = (await readdir(import.meta.dirname))
  .filter((name) => name.endsWith('.test.ts'))
  .toSorted()
  .map((name) => join(import.meta.dirname, name))
const isAlone = (file: string) => alone.has(basename(file, '.test.ts'))
const gone = [...alone].filter((name) => !files.includes(join(import.meta.dirname, `${name}.test.ts`)))
if (gone.length > 0) throw new Error(`there is no ${gone.join(', ')} in test/e2e`)

const minutes: string[] = []
const startedAt = performance.now()
const isBesideSound = await play(
  files.filter((file) => !isAlone(file)),
  2,
)
const isAloneSound = await play(files.filter(isAlone), 1)
await mkdir(folder, { recursive: true })
await writeFile(new URL('cluster-minutes.md', folder), table(performance.now() - startedAt))
process.exitCode = isBesideSound && isAloneSound ? 0 : 1

async function play(some: readonly string[], atOnce: number): Promise<boolean> {
  let isSound = true
  const events = run({ files: [...some], concurrency: atOnce, timeout: 300_000 })
  events.on('test:summary', ({ file, duration_ms: tookMs, success }) => {
    if (file === undefined) isSound &&= success
    else
      minutes.push(
        `| ${basename(file, '.test.ts')} | ${isAlone(file) ? '' : 'beside another'} | ${inMinutes(tookMs)} |`,
      )
  })
  for await (const text of events.compose(new spec())) process.stdout.write(String(text))
  return isSound
}

function table(allMs: number): string {
  const lines = ['| test/e2e | | minutes |', '|---|---|--:|', ...minutes.toSorted(), `| all | | ${inMinutes(allMs)} |`]
  return `${lines.join('\n')}\n`
}

function inMinutes(ms: number): string {
  return (ms / 60_000).toFixed(1)
}
