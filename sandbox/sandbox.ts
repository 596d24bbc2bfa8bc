import { parseArgs } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import type { KubeObject } from '../test/support/admin.ts'
import { Cluster, createdAt, expectationOf } from '../test/support/cluster.ts'
import { describeLateness } from '../test/support/verdict.ts'
import { printLaunches } from './launches.ts'

/**
 * The operator at work on a real control plane of its own: two sample resources, each launch with its lateness as the
 * API server's audit log has it. `--for 20s` ends by itself; then the exit code is 0 only if every due slot has exactly
 * one Job. Ctrl-C leaves nothing behind.
 */
async function main(): Promise<void> {
  const forMs = parseDuration(parseArgs({ options: { for: { type: 'string' } } }).values.for)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  say('starting etcd, kube-apiserver and kube-controller-manager …')
  await using cluster = await Cluster.start({ runMs: 500 })
  await (await cluster.operator()).start()
  const samples = [
    await cluster.create('every-second', { intervalSeconds: 1 }),
    await cluster.create('every-five-seconds', { interval_seconds: 5, name: 'hello', image: 'busybox' }),
  ]
  say(`the operator runs; look around with\n  export KUBECONFIG=${cluster.plane.kubeconfig}\n  kubectl get scj,jobs\n`)
  const printing = printLaunches(cluster, stop.signal, say)
  await delay(forMs, undefined, { signal: stop.signal }).catch(() => undefined)
  stop.abort()
  await printing
  await summarise(cluster, samples)
}

async function summarise(cluster: Cluster, samples: readonly KubeObject[]): Promise<void> {
  // A slot that has just become due may still be on its way.
  const until = Date.now() - 500
  const verdict = await cluster.judge(samples.map((sample) => expectationOf(sample, createdAt(sample) + 1_000, until)))
  const { due, lost, twice, early, offGrid } = verdict
  say(
    `\n${due} slots due, ${lost.length} lost, ${twice.length} twice, ${early.length} early; ${describeLateness(verdict)}`,
  )
  if (lost.length + twice.length + early.length + offGrid.length > 0) process.exitCode = 1
}

/** Milliseconds of `20s` or `2m`; without it as good as for ever. */
function parseDuration(text: string | undefined): number {
  if (text === undefined) return 2_000_000_000
  const [, number, unit] = /^(\d+)(s|m)$/.exec(text) ?? []
  if (number === undefined)
    throw new Error(`--for is "${text}"; write a number of seconds or minutes, such as 20s or 2m`)
  return Number(number) * (unit === 'm' ? 60_000 : 1_000)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
