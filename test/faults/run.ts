import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, matchesGlob } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { mutants } from '../mutants/mutants.ts'
import { type Change, Tree } from '../mutants/tree.ts'
import { buildVariant } from '../mutants/variant.ts'
import type { Cluster } from '../support/cluster.ts'
import { describeViolation } from './checker/violation.ts'
import { matrix } from './matrix.ts'
import { append, areAllClean, readResults, type Result } from './results.ts'
import type { Row } from './row.ts'
import { runMutants } from './run-mutants.ts'
import { runRow, startCluster } from './run-row.ts'
import { isSound, runSoak } from './soak.ts'

/**
 * Plays the fault matrix on the real control plane: `run.ts [--rows A1*,B6*] [--seconds N] [--resume FILE]`. Adds a line to
 * the file for each row; rows that have one are left out. Exit code 1 when something was violated, now or before, or there is
 * no such row. With `--mutant WORDS` it is the operator without the guard of `test/mutants` that has these words in its name:
 * some row has to turn red. With `--mutants` each of `mutants.ts` is played on its rows (only those with the words of
 * `--mutant`, if there are any). With `--soak MINUTES` it is `soak.ts`, at `--rate` launches a second.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '*' },
    seconds: { type: 'string', default: '20' },
    resume: { type: 'string', default: 'coverage/faults/results.jsonl' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    soak: { type: 'string' },
    rate: { type: 'string', default: '50' },
  },
})
const { resume: path, seconds, mutant: broken } = values
const folder = `${dirname(path)}/evidence`
await mkdir(folder, { recursive: true })

if (values.mutants) {
  const options = { seconds: Number(seconds), folder, path: `${dirname(path)}/mutants.jsonl`, words: broken }
  process.exit((await runMutants(options, say)) ? 0 : 1)
}
if (values.soak !== undefined) {
  const result = await runSoak({ minutes: Number(values.soak), rate: Number(values.rate), folder }, say)
  const date = new Date().toISOString().slice(0, 10)
  await append(`${dirname(path)}/soak.jsonl`, { ...result, date, versions: await versions() })
  process.exit(isSound(result) ? 0 : 1)
}

const finished = new Set((await readResults(path, broken)).map(({ id }) => id))
const patterns = values.rows.split(',')
const chosen = matrix.filter(({ id }) => patterns.some((pattern) => matchesGlob(id, pattern)))
const rows = chosen.filter(({ id }) => !finished.has(id))

await using tree = broken === undefined ? null : await Tree.copy()
const variant = tree === null ? {} : await buildVariant(tree, changesOf(broken ?? ''))

let cluster: Cluster | null = null
try {
  for (const row of rows) {
    if (row.plane !== undefined) cluster = await ended(cluster)
    cluster ??= await startCluster(row)
    const result = { ...(await played(cluster, row)), versions: await versions() }
    await append(path, result)
    say(lineOf(result))
    // What went wrong must not reach the next row.
    if (result.violations > 0 || row.plane !== undefined) cluster = await ended(cluster)
  }
} finally {
  await ended(cluster)
}
const results = await readResults(path, broken)
const ids = chosen.map(({ id }) => id)
for (const result of results.filter(({ id }) => finished.has(id) && ids.includes(id))) {
  if (result.violations > 0) say(`${result.id}, played before:\n${lineOf(result)}`)
}
process.exitCode = areAllClean(ids, results) ? 0 : 1

async function ended(one: Cluster | null): Promise<null> {
  await one?.[Symbol.asyncDispose]()
  return null
}

async function played(on: Cluster, row: Row): Promise<Result> {
  say(`${new Date().toISOString().slice(11, 19)} ${row.id}: ${row.done}`)
  return runRow(on, row, { seconds: Number(seconds), folder, ...variant })
}

function lineOf(result: Result): string {
  const { violations, runs, due, launched, worstLatenessMs, recoveryMs, longestOutageMs, examples } = result
  const numbers = `${runs} times, ${due} slots due, ${launched} launched, latest ${worstLatenessMs} ms`
  const times = `recovered after ${recoveryMs} ms, longest outage ${longestOutageMs} ms`
  const wrong = examples.map((one) => `\n    ${describeViolation(one)}`)
  return `  ${violations === 0 ? 'holds' : `${violations} VIOLATIONS`}: ${numbers}; ${times}${wrong.join('')}`
}

function changesOf(words: string): readonly Change[] {
  const found = mutants.find(({ name }) => name.includes(words))
  if (found === undefined) throw new Error(`no mutant has "${words}" in its name`)
  return found.changes
}

async function versions(): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'])
  const module = await readFile(new URL('../control-plane/go.mod', import.meta.url), 'utf8')
  const kubernetes = /k8s\.io\/kubernetes (v\S+)/.exec(module)?.[1] ?? 'unknown'
  const what = broken === undefined ? {} : { mutant: broken }
  return { operator: stdout.trim(), ...what, node: process.version, kubernetes }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
