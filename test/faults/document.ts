import { readFile, writeFile } from 'node:fs/promises'
import { describeViolation } from './checker/violation.ts'
import { readNewest, readResults, type Result } from './results.ts'
import { matrix, rowCalled } from './matrix.ts'
import { type Caught, type Pair, pairsOf, readCaught } from './run-mutants.ts'
import type { Round, SoakResult, Taken } from './soak.ts'
import { introduction, legend } from './words.ts'

/** Writes docs/faults.md from the results beside it: `document.ts [FILE]`, or with `--check` says whether it is still that. */

type Soak = SoakResult & Pick<Result, 'date' | 'versions'>

const here = new URL('../../docs/', import.meta.url)
const given = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const file = given ?? new URL('faults.jsonl', here).pathname
const page = new URL('faults.md', here)

const found = await readFile(new URL('found.md', import.meta.url), 'utf8')
const played = await readCaught(new URL('faults-mutants.jsonl', here).pathname)
const soaks = await readNewest<Soak>(
  new URL('faults-soak.jsonl', here).pathname,
  ({ date, minutes }) => `${date} ${minutes}`,
)
const rows = new Set(matrix.map(({ id }) => id))
const wanted = documentOf(await readResults(file), played, soaks)
if (!process.argv.includes('--check')) await writeFile(page, wanted)
else if ((await readFile(page, 'utf8').catch(() => '')) !== wanted) {
  process.stderr.write('docs/faults.md is not what docs/faults.jsonl says: run `node test/faults/document.ts`\n')
  process.exitCode = 1
}

function documentOf(results: readonly Result[], caught: readonly Caught[], long: readonly Soak[]): string {
  const sorted = results.filter(({ id }) => rows.has(id)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return `# What faults do

<!-- Made from docs/faults.jsonl by \`node test/faults/document.ts\`; edit neither by hand. -->

${introduction}
| row | what is done | times | slots due | violations | latest launch | recovered after | longest without a leader or API | seed | measured |
|---|---|--:|--:|--:|--:|--:|--:|--:|---|
${sorted.map(rowOf).join('\n')}

${notPlayed(sorted)}${legend}
${sorted.map(storyOf).join('\n')}

${versionsOf(sorted)}

## An hour of it

${long.length === 0 ? 'Not played yet.' : long.map(soakOf).join('\n\n')}

${found}
## What the matrix is good for

A matrix that no mistake turns red proves nothing: \`npm run test:faults -- --mutants\` breaks the operator on purpose and plays the
row that has to notice.

| the operator, broken | row | what it says |
|---|---|---|
${pairsOf()
  .map((pair) => caughtOf(pair, caught))
  .join('\n')}
`
}

function caughtOf(pair: Pair, caught: readonly Caught[]): string {
  const { mutant, row } = pair
  const one = caught.find((other) => other.mutant === mutant && other.row === row)
  const counts = Object.entries(one?.kinds ?? {}).map(([kind, count]) => `${count} ${kind}`)
  const silent = one === undefined ? 'not played yet' : '**nothing**'
  const said = counts.length === 0 ? silent : `${counts.join(', ')}; ${one?.example}`
  return `| ${mutant} | ${row} | ${said.replaceAll('|', '\\|')} |`
}

function rowOf(result: Result): string {
  const { id, runs, due, violations, worstLatenessMs, recoveryMs, longestOutageMs, seed, date, versions } = result
  const latest = worstLatenessMs === null ? '–' : `${worstLatenessMs} ms`
  const outage = longestOutageMs === 0 ? '–' : seconds(longestOutageMs)
  const numbers = [runs, due, violations, latest, seconds(recoveryMs), outage, seed]
  return `| ${[id, rowCalled(id).done, ...numbers, `${date}, ${versions['operator']}`].join(' | ')} |`
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function storyOf({ id, seconds: period, launched, examples, ...rest }: Result): string {
  const { writesPerLaunch, lists, createsAtOnce, mostRssMb, mostSockets } = rest
  const wrong = examples.map((one) => `\n  - ${describeViolation(one)}`)
  const asked = lists === undefined ? '' : `${writesPerLaunch} writes a launch and ${lists} lists, `
  const atOnce = createsAtOnce === undefined ? '' : `${createsAtOnce} creates at once, `
  const took = `${asked}${atOnce}at most ${mostRssMb} MB and ${mostSockets} sockets`
  return `- **${id}**: ${rowCalled(id).holds}. ${period} s of faults, ${launched} launched, ${took}.${wrong.join('')}`
}

function notPlayed(results: readonly Result[]): string {
  const ids = new Set(results.map(({ id }) => id))
  const missing = [...rows].filter((id) => !ids.has(id))
  return missing.length === 0 ? '' : `Not played yet: ${missing.join(', ')}.\n\n`
}

function versionsOf(results: readonly Result[]): string {
  const all = results.map(({ versions: { node, kubernetes } }) => `Node ${node} and Kubernetes ${kubernetes}`)
  return `*Measured* says when, and with which commit; all with ${[...new Set(all)].join('; ')}, on two processors.`
}

function taken({ rssMb, sockets, timers }: Taken): string {
  return `${rssMb} MB, ${sockets} sockets and ${timers} timers`
}

function soakOf({ minutes, rate, seed, rounds, spoiled, begin, end, date, versions }: Soak): string {
  const launched = rounds.reduce((sum, one) => sum + one.launched, 0)
  const violations = rounds.reduce((sum, one) => sum + one.violations, 0)
  const latest = Math.max(...rounds.map(({ worstLatenessMs }) => worstLatenessMs ?? 0))
  const faults = Map.groupBy(rounds, ({ id }) => id.replace(/^soak-\d+-/, ''))
  const times = [...faults].map(([id, same]) => `${id} (${same.length})`).toSorted()
  return `${minutes} minutes at about ${rate} launches a second (seed ${seed}; ${date}, ${versions['operator']}), on one process: ${rounds.length}
rounds of two minutes with a fault each (about a minute and a half under load, then at rest, to be looked at), ${launched} launches, the latest ${latest} ms after its second, **${violations} violations**. At the
start ${taken(begin)}, at the end ${taken(end)}. The faults: ${times.join(', ')}.${anewOf(spoiled)}`
}

function anewOf(spoiled: readonly Round[]): string {
  if (spoiled.length === 0) return ''
  const longest = Math.max(...spoiled.map(({ stoodStillMs = 0 }) => stoodStillMs))
  return ` Played anew, since the machine itself stood still in them for up to ${longest} ms: ${spoiled.map(({ id }) => id).join(', ')}.`
}
