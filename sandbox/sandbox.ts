import { setTimeout as delay } from 'node:timers/promises'
import { Cluster } from '../test/support/cluster.ts'
import { type Arguments, parseArguments, usage, UsageError } from './arguments.ts'
import { follow } from './launches.ts'
import { isAllRight, judgeSamples, Sample, summaryOf } from './samples.ts'
import { whenToldToEnd } from './told-to-end.ts'

/**
 * The operator at work on a real control plane of its own: two sample resources, each launch with its lateness as the
 * API server's audit log has it. `--for 20s` ends by itself, every signal that asks for it ends it too; then the exit
 * code is 0 only if every due slot has exactly one Job. Nothing is left behind.
 */
async function main(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2))
  if (parsed.kind === 'help') say(usage)
  else await run(parsed)
}

async function run({ forMs }: Extract<Arguments, { kind: 'run' }>): Promise<void> {
  const stop = new AbortController()
  let isUp = false
  whenToldToEnd(() => {
    if (isUp) stop.abort()
    // What has been started so far goes with this process.
    else process.exit()
  })
  say('starting etcd, kube-apiserver and kube-controller-manager …')
  await using cluster = await Cluster.start({ runMs: 500 })
  await (await cluster.operator()).start()
  const samples = [
    new Sample(await cluster.create('every-second', { intervalSeconds: 1 })),
    new Sample(await cluster.create('every-five-seconds', { interval_seconds: 5, name: 'hello', image: 'busybox' })),
  ]
  isUp = true
  say(`the operator runs; look around with\n  export KUBECONFIG=${cluster.plane.kubeconfig}\n  kubectl get scj,jobs\n`)
  const following = follow(cluster, samples, stop.signal, say)
  await delay(forMs, undefined, { signal: stop.signal }).catch(() => undefined)
  stop.abort()
  await following
  const verdict = judgeSamples(samples, await cluster.audit())
  say(`\n${summaryOf(samples, verdict).join('\n')}`)
  if (!isAllRight(verdict)) process.exitCode = 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof UsageError ? 2 : 1)
})
