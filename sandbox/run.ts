import { fileURLToPath } from 'node:url'
import { type Arguments, parseArguments, usage, UsageError } from './arguments.ts'
import { follow } from './follow.ts'
import { embeddedGround, realGround } from './ground.ts'
import { create, readManifests } from './manifests.ts'
import { startOperator } from './operator.ts'
import { judgeSamples } from './samples.ts'
import { isAllRight, summaryOf } from './summary.ts'
import { liveTable, plainLines } from './views.ts'

/**
 * The operator at work on an API server of its own: each resource with its last launch and how late it was, as the API
 * server itself has noted it. `--for 20s` ends by itself, as does who aborts what `whenUp` answers; then the exit code
 * is 0 only if every due slot has exactly one Job, and no manifest was refused. Nothing is left behind.
 */
export async function main(whenUp: () => AbortController): Promise<void> {
  try {
    const parsed = parseArguments(process.argv.slice(2))
    if (parsed.kind === 'help') say(usage)
    else await run(parsed, whenUp)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(error instanceof UsageError ? 2 : 1)
  }
}

type Run = Extract<Arguments, { kind: 'run' }>

async function run({ forMs, file, real, operator }: Run, whenUp: () => AbortController): Promise<void> {
  const manifests = await readManifests(file ?? fileURLToPath(new URL('samples.yaml', import.meta.url)))
  if (real) say('starting etcd, kube-apiserver and kube-controller-manager …')
  await using ground = await (real ? realGround() : embeddedGround())
  const running = await startOperator(ground, operator)
  const isAllCreated = await create(ground, manifests, say)
  const stop = whenUp()
  setTimeout(() => stop.abort(), forMs).unref()
  say(`the operator runs; look around with\n  export KUBECONFIG=${ground.kubeconfig}\n  kubectl get scj,jobs\n`)
  const samples = await follow(ground, stop.signal, process.stdout.isTTY ? liveTable(process.stdout) : plainLines(say))
  const verdict = judgeSamples(samples, await ground.requests())
  await running.end('SIGTERM')
  say(`\n${summaryOf(samples, verdict).join('\n')}`)
  if (!isAllRight(verdict) || !isAllCreated) process.exitCode = 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
