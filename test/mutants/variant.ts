import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Change, Tree } from './tree.ts'

/** Builds the bundle from the sources with these changes; it is at `bundle` for as long as the tree is. */
export async function buildVariant(tree: Tree, changes: readonly Change[]): Promise<{ readonly bundle: string }> {
  const build = () => promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: tree.folder })
  await tree.with(changes, build)
  return { bundle: `${tree.folder}/dist/operator.js` }
}

/**
 * Told by SIGUSR2, it stops between the look at the fence and the system call that sends a Job, the next time; and what it
 * gives up when it wakes up is given up too late, which otherwise is a matter of luck.
 */
export const stopsBeforeItSends: readonly Change[] = [
  { file: 'src/kube/fenced.ts', text: 'const abort = () => limit.abort()', by: 'const abort = () => undefined' },
  { file: 'src/kube/transport.ts', text: ' ms`)), timeoutMs)', by: ' ms`)), 10 * timeoutMs)' },
  {
    file: 'src/kube/write-guard.ts',
    text: 'isWanted === undefined ? handler : guarded(handler, isWanted)',
    by: 'isWanted === undefined ? handler : guarded(handler, () => isWanted() && stopped(options))',
  },
  {
    file: 'src/kube/write-guard.ts',
    text: 'function guarded(',
    by: `let isTold = false
process.on('SIGUSR2', () => { isTold = true })
function stopped({ method, path }: Dispatcher.RequestOptions): boolean {
  const isLaunch = method === 'POST' && path.includes('/jobs?') && !path.includes('dryRun')
  if (isTold && isLaunch) { isTold = false; process.kill(process.pid, 'SIGSTOP') }
  return true
}
function guarded(`,
  },
]

const elector = 'src/leader/elector.ts'
const term = 'src/leader/term.ts'

/** Whoever competes takes the Lease, whoever holds it; and who has had it once believes to have it for ever. */
export const everybodyLeads: readonly Change[] = [
  { file: 'src/leader/lease.ts', text: 'return endsAt(known) <= now ? known', by: 'return now > 0 ? known' },
  { file: elector, text: 'this.term?.end(`the lease is held by', by: 'void (`the lease is held by' },
  { file: elector, text: 'return Math.max(endsAt(known), soonest)', by: 'return soonest' },
  { file: term, text: ' && this.sinceRenewal() < this.#times.renewDeadlineMs', by: '' },
  { file: term, text: 'await this.#passed(this.#times.renewDeadlineMs, this.#over.signal)', by: 'return' },
]
