import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Arguments, parseArguments, usage, UsageError } from './arguments.ts'
import { follow } from './follow.ts'
import { embeddedGround, realGround } from './ground.ts'
import { create, readManifests } from './manifests.ts'
import { startOperator } from './operator.ts'
import { judgeSamples } from './samples.ts'
import { isAllRight, summaryOf } from './summary.ts'
import { whenToldToEnd } from './told-to-end.ts'
import { liveTable, plainLines } from './views.ts'

/**
 * The operator at work on an API server of its own: each resource with its last launch and how late it was, as the API
 * server itself has noted it. `--for 20s` ends by itself, every signal that asks for it ends it too; then the exit code
 * is 0 only if every due slot has exactly one Job, and no manifest was refused. Nothing is left behind.
 */
async function main(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2))
  if (parsed.kind === 'help') say(usage)
  else await run(parsed)
}

async function run({ forMs, file, real, operator }: Extract<Arguments, { kind: 'run' }>): Promise<void> {
  const manifests = await readManifests(file ?? fileURLToPath(new URL('samples.yaml', import.meta.url)))
  const stop = new AbortController()
  let isUp = false
  whenToldToEnd(() => {
    if (isUp) stop.abort()
    // What has been started so far goes with this process.
    else process.exit()
  })
  if (real) say('starting etcd, kube-apiserver and kube-controller-manager …')
  await using ground = await (real ? realGround() : embeddedGround())
  const running = await startOperator(ground, operator)
  const isAllCreated = await create(ground, manifests, say)
  isUp = true
  say(`the operator runs; look around with\n  export KUBECONFIG=${ground.kubeconfig}\n  kubectl get scj,jobs\n`)
  const following = follow(ground, stop.signal, process.stdout.isTTY ? liveTable(process.stdout) : plainLines(say))
  await delay(forMs, undefined, { signal: stop.signal }).catch(() => undefined)
  stop.abort()
  const samples = await following
  const verdict = judgeSamples(samples, await ground.requests())
  await running.end('SIGTERM')
  say(`\n${summaryOf(samples, verdict).join('\n')}`)
  if (!isAllRight(verdict) || !isAllCreated) process.exitCode = 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof UsageError ? 2 : 1)
})
