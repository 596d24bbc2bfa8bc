import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Change, Tree } from './tree.ts'

/** Builds the bundle from the sources with these changes; it is at `bundle` for as long as the tree is. */
export async function buildVariant(tree: Tree, changes: readonly Change[]): Promise<{ readonly bundle: string }> {
  const build = () => promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: tree.folder })
  await tree.with(changes, build)
  return { bundle: `${tree.folder}/dist/operator.js` }
}

const elector = 'src/leader/elector.ts'
const term = 'src/leader/term.ts'

/** Whoever competes takes the Lease, whoever holds it; and who has had it once believes to have it for ever. */
export const everybodyLeads: readonly Change[] = [
  { file: elector, text: 'const isFree = known === null ||', by: 'const isFree = known !== undefined ||' },
  { file: elector, text: 'this.term?.end(`the lease is held by', by: 'void (`the lease is held by' },
  { file: elector, text: 'return Math.max(endsAt(known), soonest)', by: 'return soonest' },
  { file: term, text: ' && this.sinceRenewal() < this.#times.renewDeadlineMs', by: '' },
  { file: term, text: 'await this.#passed(this.#times.renewDeadlineMs, this.#over.signal)', by: 'return' },
]
