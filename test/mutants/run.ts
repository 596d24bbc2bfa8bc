import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Mutant, mutants } from './mutants.ts'
import { Tree } from './tree.ts'

/**
 * Breaks the operator on purpose, one guard at a time, and runs the tests that have to notice. Prints a table; exit code 1
 * when a mutant survives in one of its test files, or when the tests are not green without any. `run.ts WORD …`: only the
 * mutants with one of the words in their names.
 */

interface Failure {
  readonly file: string
  readonly test: string
}

/** A mutant may well make a test wait for ever. */
const testLimitMs = 10_000
const runLimitMs = 60_000
/** A busy machine may end a run before it has told everything. */
const mostTries = 3
const reporter = new URL('failures-reporter.ts', import.meta.url).href

/** The tests of these files that fail. Rejects when the runner fails again and again, and no test does. */
async function failuresOf(folder: string, files: readonly string[], tries = mostTries): Promise<readonly Failure[]> {
  // The limit holds for a file as a whole as well: what a failing test leaves open does not keep the run alive.
  const flags = ['--test', `--test-timeout=${testLimitMs}`, `--test-reporter=${reporter}`]
  const run = promisify(execFile)(process.execPath, [...flags, ...files], { cwd: folder, timeout: runLimitMs })
  const { stdout, failed } = await run.then(
    (answer) => ({ stdout: answer.stdout, failed: null }),
    (thrown: Error & { stdout: string }) => ({ stdout: thrown.stdout, failed: thrown }),
  )
  const failures = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Failure)
  if (failed !== null && failures.length === 0) {
    if (tries > 1) return failuresOf(folder, files, tries - 1)
    throw new Error(`no test failed, but the run did: ${failed.message}`)
  }
  return failures.map(({ file, test }) => ({ file: file.replace(`${folder}/`, ''), test }))
}

async function noticed(folder: string, killers: readonly string[]) {
  const failures = await failuresOf(folder, killers)
  return { failures, survived: killers.filter((file) => failures.every((failure) => failure.file !== file)) }
}

/** What it prints of a mutant, and whether each of its files has noticed. */
async function tryOut(tree: Tree, { name, changes, killers }: Mutant): Promise<boolean> {
  const startedAt = performance.now()
  const { failures, survived } = await tree.with(changes, async () => {
    let found = await noticed(tree.folder, killers)
    for (let tries = 1; found.survived.length > 0 && tries < mostTries; tries += 1)
      found = await noticed(tree.folder, killers)
    return found
  })
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  say(`${survived.length === 0 ? 'red     ' : 'SURVIVES'}  ${name} (${seconds} s)`)
  for (const file of killers) {
    const [first, ...more] = failures.filter((failure) => failure.file === file)
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`
    say(`          ${file}: ${first === undefined ? 'all green' : `${first.test}${others}`}`)
  }
  return survived.length === 0
}

async function main(words: readonly string[]): Promise<void> {
  const chosen = mutants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  await using tree = await Tree.copy()
  const files = [...new Set(chosen.flatMap(({ killers }) => killers))]
  const failures = await failuresOf(tree.folder, files)
  if (failures.length > 0) throw new Error(`not green without any mutant: ${failures[0]?.test}`)
  let survivors = 0
  for (const mutant of chosen) if (!(await tryOut(tree, mutant))) survivors += 1
  say(`\n${chosen.length} mutants, ${survivors} survived`)
  if (survivors > 0 || chosen.length === 0) process.exitCode = 1
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main(process.argv.slice(2))
