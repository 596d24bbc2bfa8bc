import { readFile, writeFile } from 'node:fs/promises'
import { describeViolation } from './checker/violation.ts'
import { readResults, type Result } from './results.ts'
import { type Caught, pairsOf, readCaught } from './run-mutants.ts'

/** Writes docs/faults.md from the results beside it: `document.ts [FILE]`, or with `--check` says whether it is still that. */

const here = new URL('../../docs/', import.meta.url)
const given = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const file = given ?? new URL('faults.jsonl', here).pathname
const page = new URL('faults.md', here)

const found = await readFile(new URL('found.md', import.meta.url), 'utf8')
const played = await readCaught(new URL('faults-mutants.jsonl', here).pathname)
// A pair that was given up is told of in found.md.
const caught = played.filter((one) => pairsOf().some(({ mutant, row }) => one.mutant === mutant && one.row === row))
const wanted = documentOf(await readResults(file), caught)
if (!process.argv.includes('--check')) await writeFile(page, wanted)
else if ((await readFile(page, 'utf8').catch(() => '')) !== wanted) {
  process.stderr.write('docs/faults.md is not what docs/faults.jsonl says: run `node test/faults/document.ts`\n')
  process.exitCode = 1
}

function documentOf(results: readonly Result[], mutants: readonly Caught[]): string {
  const sorted = results.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return `# What faults do

<!-- Made from docs/faults.jsonl by \`node test/faults/document.ts\`; edit neither by hand. -->

Each row: fifty resources of one to five seconds on a real control plane, behind a proxy that does what the row says, while
others are created, edited, suspended and deleted; then eight seconds of quiet; then everything is suspended, and looked at.
The checker replays every change of every spec from the API server's audit log, and says of each slot of each resource whether
it was lost, run twice, early, late, off the grid, run after the resource was stopped, or run later than the newest one after an
outage; of each Job whether it was left behind or deleted at work; and of each status whether it is true, counts every
missed slot, and never went back. \`npm run test:faults\` plays them all; its seeds are fixed.

| row | what is done | times | slots due | violations | latest launch | recovered after | longest without a leader or API |
|---|---|--:|--:|--:|--:|--:|--:|
${sorted.map(rowOf).join('\n')}

*Slots due* are those that had to be launched: outages, and the moments after a change of the spec, are not among them. *Latest
launch* is of those. *Recovered after* is from the end of the fault to the last slot that was missing or late. The last column
is as the operator says it of itself, with half a second before it and, after it, another half, or one and a half where more than
the leader was hit.

${sorted.map(storyOf).join('\n')}

${versionsOf(sorted)}

${found}
## What the matrix is good for

A matrix that no mistake turns red proves nothing: \`npm run test:faults -- --mutants\` breaks the operator on purpose and plays the
row that has to notice.

| the operator, broken | row | what it says |
|---|---|---|
${mutants.map(caughtOf).join('\n')}
`
}

function caughtOf({ mutant, row, kinds, example }: Caught): string {
  const counts = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`)
  const said = counts.length === 0 ? '**nothing**' : `${counts.join(', ')}; ${example}`
  return `| ${mutant} | ${row} | ${said.replaceAll('|', '\\|')} |`
}

function rowOf({ id, done, runs, due, violations, worstLatenessMs, recoveryMs, longestOutageMs }: Result): string {
  const latest = worstLatenessMs === null ? '–' : `${worstLatenessMs} ms`
  const outage = longestOutageMs === 0 ? '–' : seconds(longestOutageMs)
  return `| ${id} | ${done} | ${runs} | ${due} | ${violations} | ${latest} | ${seconds(recoveryMs)} | ${outage} |`
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function storyOf({ id, holds, seed, seconds: period, examples, ...rest }: Result): string {
  const { writesPerLaunch, lists, createsAtOnce, mostRssMb, mostSockets } = rest
  const wrong = examples.map((one) => `\n  - ${describeViolation(one)}`)
  const asked = lists === undefined ? '' : `${writesPerLaunch} writes a launch and ${lists} lists, `
  const atOnce = createsAtOnce === undefined ? '' : `${createsAtOnce} creates at once, `
  const took = `${asked}${atOnce}at most ${mostRssMb} MB and ${mostSockets} sockets`
  return `- **${id}**: ${holds}. ${period} s of faults, seed ${seed}, ${took}.${wrong.join('')}`
}

function versionsOf(results: readonly Result[]): string {
  const all = results.map(({ date, versions }) => `${date}: ${Object.entries(versions).flat().join(' ')}`)
  return [...new Set(all)].map((line) => `Measured ${line}.`).join('\n')
}
