import { mutants } from '../mutants/mutants.ts'
import { Tree } from '../mutants/tree.ts'
import { buildVariant } from '../mutants/variant.ts'
import { pairings } from './mutants.ts'
import { describeViolation } from './checker/violation.ts'
import { rowCalled } from './matrix.ts'
import { append, readNewest } from './results.ts'
import { runRow, startCluster } from './run-row.ts'

/** What became of a row that was played with a mutant: one line of the results. */
export interface Caught {
  readonly mutant: string
  readonly row: string
  /** How many of each kind; empty when the row has not noticed. */
  readonly kinds: Readonly<Record<string, number>>
  readonly example: string
  readonly date: string
}

export interface MutantOptions {
  readonly seconds: number
  readonly folder: string
  /** The results, which are added to; pairs that are there are left out. */
  readonly path: string
  /** Words in the name of a mutant; all of them when absent. */
  readonly words: string | undefined
}

/** Plays each mutant on the rows that have to turn red for it. Answers whether all of them did. */
export async function runMutants(options: MutantOptions, say: (line: string) => void): Promise<boolean> {
  const finished = new Set((await readCaught(options.path)).map(keyOf))
  const chosen = pairings.filter(({ mutant }) => mutant.includes(options.words ?? ''))
  const pairs = chosen.flatMap(({ mutant, rows }) => rows.map((row) => ({ mutant, row })))
  let isClean = pairs.length > 0
  await using tree = await Tree.copy()
  for (const pair of pairs.filter((one) => !finished.has(keyOf(one)))) {
    const caught = await play(tree, pair, options)
    await append(options.path, caught)
    const isRed = Object.keys(caught.kinds).length > 0
    say(`${isRed ? 'red     ' : 'SURVIVES'}  ${pair.mutant}, on ${pair.row}: ${JSON.stringify(caught.kinds)}`)
    isClean &&= isRed
  }
  return isClean
}

/** Those of a file; the newest of each pair counts. */
export function readCaught(path: string): Promise<readonly Caught[]> {
  return readNewest<Caught>(path, keyOf)
}

async function play(tree: Tree, { mutant, row }: Pair, { seconds, folder }: MutantOptions): Promise<Caught> {
  const found = mutants.find(({ name }) => name === mutant)
  if (found === undefined) throw new Error(`no mutant is called "${mutant}"`)
  const variant = await buildVariant(tree, found.changes)
  const played = rowCalled(row)
  await using cluster = await startCluster(played)
  const {
    examples,
    kinds = {},
    date,
  } = await runRow(cluster, played, { seconds, folder: `${folder}/mutants`, ...variant })
  const [first] = examples
  const example = first === undefined ? '' : describeViolation(first)
  return { mutant, row, kinds, example, date }
}

interface Pair {
  readonly mutant: string
  readonly row: string
}

function keyOf({ mutant, row }: Pair): string {
  return `${mutant} on ${row}`
}
