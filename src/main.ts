import packageJson from '../package.json' with { type: 'json' }
import { systemClock } from './clock.ts'
import { type Config, ConfigError, parseCommand } from './config.ts'
import { ClockOffset } from './kube/clock-offset.ts'
import { ClusterNotFound } from './kube/credentials.ts'
import { findCluster } from './kube/find-cluster.ts'
import { Transport } from './kube/transport.ts'
import { createLogger } from './log.ts'
import { Operator } from './operator.ts'

/** Exit codes: 0 stopped as asked, 1 no cluster or a bug, 2 wrong flags. */
async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2), process.env, packageJson.version)
  if (command.kind === 'print') process.stdout.write(`${command.text}\n`)
  else await run(command.config)
}

async function run(config: Config): Promise<void> {
  const log = createLogger(config.logLevel)
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const offset = new ClockOffset(systemClock, log)
  const transport = await Transport.open({
    source: findCluster({ ...config, env: process.env }),
    clock: systemClock,
    log,
    connections: config.connections,
    userAgent: `second-cron-job-operator/${packageJson.version}`,
    onServerTime: (serverTime) => offset.observe(serverTime),
  })
  await new Operator({ config, transport, clock: systemClock, log }).run(stop.signal)
  log.flush()
}

/** One sentence for what the user can mend, the whole story for a bug of ours. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ClusterNotFound) return error.message
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use; free it, or choose another one with --port`
  return error.stack ?? error.message
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`, () => process.exit(error instanceof ConfigError ? 2 : 1))
})
