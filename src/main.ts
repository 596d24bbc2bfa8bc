import { createInterface } from 'node:readline/promises'
import packageJson from '../package.json' with { type: 'json' }
import { ApiError } from './api/api-error.ts'
import { applyCrd } from './apply-crd.ts'
import { systemClock } from './clock.ts'
import { type Command, helpText, parseCommand } from './command-line.ts'
import { type Config, ConfigError } from './config.ts'
import { overflowConnections } from './controller/lanes.ts'
import { crdText } from './crd-text.ts'
import { ClockOffset } from './kube/clock-offset.ts'
import { ClusterNotFound } from './kube/credentials.ts'
import { findCluster } from './kube/find-cluster.ts'
import { Transport } from './kube/transport.ts'
import { createLogger } from './log.ts'
import { Operator } from './operator.ts'
import { uninstall } from './uninstall.ts'

/** Exit codes: 0 done, or stopped as asked; 1 no cluster, a failure, or a bug; 2 wrong flags. */
async function main(): Promise<void> {
  // Whoever reads has seen enough, as in `crd | head`.
  process.stdout.on('error', () => process.exit())
  const command = parseCommand(process.argv.slice(2), process.env)
  if (command.kind === 'run') await run(command.config)
  else if (command.kind === 'help') say(helpText())
  else if (command.kind === 'version') say(packageJson.version)
  else if (command.kind === 'print-crd') process.stdout.write(crdText)
  else await runOnce(command)
}

async function run(config: Config): Promise<void> {
  const log = createLogger(config.logLevel)
  const { version } = packageJson
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const offset = new ClockOffset(systemClock, log)
  const transport = await open(config, log, (serverTime) => offset.observe(serverTime))
  await new Operator({ config, transport, clock: systemClock, log, offset, version }).run(stop.signal)
  log.flush()
}

async function runOnce(command: Extract<Command, { kind: 'apply-crd' | 'uninstall' }>): Promise<void> {
  const { config } = command
  const transport = await open(config, createLogger('silent'))
  if (command.kind === 'apply-crd') say(await applyCrd(transport))
  else {
    const confirm = command.isConfirmed ? async () => true : ask
    const { ok, message } = await uninstall({ transport, clock: systemClock, namespaces: config.namespaces, confirm })
    say(message)
    if (!ok) process.exitCode = 1
  }
  await transport.close()
}

type OnServerTime = (serverTime: number) => void

function open(config: Config, log: ReturnType<typeof createLogger>, onServerTime?: OnServerTime): Promise<Transport> {
  return Transport.open({
    source: findCluster({ ...config, env: process.env }),
    clock: systemClock,
    log,
    connections: config.connections,
    overflowConnections: overflowConnections(config.connections),
    userAgent: `second-cron-job-operator/${packageJson.version} (${config.podName})`,
    ...(onServerTime === undefined ? {} : { onServerTime }),
  })
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new ConfigError(`${question} nobody is there to answer; say so with --yes`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [yes/no] `)
  terminal.close()
  return answer.trim() === 'yes'
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** One sentence for what the user can mend, the whole story for a bug of ours. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ClusterNotFound) return error.message
  if (error instanceof ApiError) return `the API server did not do it: ${error.message}`
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use; free it, or choose another one with --port`
  return error.stack ?? error.message
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`, () => process.exit(error instanceof ConfigError ? 2 : 1))
})
