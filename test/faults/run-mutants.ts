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

/** A mutant, and a row that has to turn red for it. */
export interface Pair {
  readonly mutant: string
  readonly row: string
}

/** Plays each mutant on the rows that have to turn red for it. Answers whether all of them did, now or before. */
export async function runMutants(options: MutantOptions, say: (line: string) => void): Promise<boolean> {
  const before = await readCaught(options.path)
  const pairs = pairsOf(options.words)
  const results: Caught[] = []
  await using tree = await Tree.copy()
  for (const pair of pairs) {
    const known = newest(pair, before)
    const caught = known ?? (await play(tree, pair, options))
    if (known === undefined) await append(options.path, caught)
    results.push(caught)
    say(`${isRed(caught) ? 'red     ' : 'SURVIVES'}  ${pair.mutant}, on ${pair.row}: ${JSON.stringify(caught.kinds)}`)
  }
  return areAllRed(pairs, results)
}

/** Those of the mutants with these words in their names; of all of them when there are none. */
export function pairsOf(words = ''): readonly Pair[] {
  const chosen = pairings.filter(({ mutant }) => mutant.includes(words))
  return chosen.flatMap(({ mutant, rows }) => rows.map((row) => ({ mutant, row })))
}

/** Whether each pair has a result, and by the newest one its row has noticed: whenever it was played. No for no pairs. */
export function areAllRed(pairs: readonly Pair[], results: readonly Caught[]): boolean {
  return pairs.length > 0 && pairs.every((pair) => isRed(newest(pair, results)))
}

function newest(pair: Pair, results: readonly Caught[]): Caught | undefined {
  return results.findLast((result) => keyOf(result) === keyOf(pair))
}

/** That a row could not be played, or a busy machine let a probe wait, says nothing of what was broken. */
function isRed(result: Caught | undefined): boolean {
  return Object.keys(result?.kinds ?? {}).some((kind) => kind !== 'process')
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

function keyOf({ mutant, row }: Pair): string {
  return `${mutant} on ${row}`
}
