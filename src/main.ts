import { createInterface } from 'node:readline/promises'
import packageJson from '../package.json' with { type: 'json' }
import { ApiError } from './api/api-error.ts'
import { applyCrd } from './apply-crd.ts'
import { systemClock } from './clock.ts'
import { type Command, helpText, parseCommand } from './command-line.ts'
import { type Config, ConfigError } from './config.ts'
import { overflowConnections } from './controller/lanes.ts'
import { crdText } from './crd-text.ts'
import { CannotListen } from './http/listen.ts'
import { ClockOffset } from './kube/clock-offset.ts'
import { ClusterNotFound } from './kube/credentials.ts'
import { findCluster } from './kube/find-cluster.ts'
import { Transport } from './kube/transport.ts'
import { createLogger, type Log } from './log.ts'
import { Operator } from './operator.ts'
import { uninstall } from './uninstall.ts'

/** For the last lines, when nobody reads them. */
const longestFlushMs = 1_000

/** Exit codes: 0 done, or stopped as asked; 1 no cluster, a failure, or a bug; 2 wrong flags. */
async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2), process.env)
  if (command.kind === 'run') await run(command.config)
  else if (command.kind === 'help') say(helpText())
  else if (command.kind === 'version') say(packageJson.version)
  else if (command.kind === 'print-crd') process.stdout.write(crdText)
  else await runOnce(command)
}

async function run(config: Config): Promise<void> {
  const { log, writer } = createLogger(config.logLevel)
  process.once('exit', () => writer.finish())
  const { version } = packageJson
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const offset = new ClockOffset(systemClock, log)
  try {
    const transport = await open(config, log, (serverTime) => offset.observe(serverTime))
    await new Operator({ config, transport, clock: systemClock, log, offset, version }).run(stop.signal)
  } finally {
    await writer.drained(longestFlushMs)
    // An exit waits for a write that hangs, such as at a terminal that was stopped by Ctrl-S.
    if (writer.isStuck) process.kill(process.pid, 'SIGKILL')
  }
  process.exit()
}

async function runOnce(command: Extract<Command, { kind: 'apply-crd' | 'uninstall' }>): Promise<void> {
  const { config } = command
  const transport = await open(config, createLogger('silent').log)
  if (command.kind === 'apply-crd') say(await applyCrd(transport))
  else {
    const confirm = command.isConfirmed ? async () => true : ask
    const { ok, message } = await uninstall({ transport, clock: systemClock, ...config, confirm })
    say(message)
    if (!ok) process.exitCode = 1
  }
  await transport.close()
}

type OnServerTime = (serverTime: number) => void

function open(config: Config, log: Log['log'], onServerTime?: OnServerTime): Promise<Transport> {
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

/** Whoever ends the question with Ctrl-C or Ctrl-D has said no. */
async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new ConfigError(`${question} nobody is there to answer; say so with --yes`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [yes/no] `).catch(() => null)
  terminal.close()
  if (answer === null) say('')
  return answer?.trim() === 'yes'
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** One sentence for what the user can mend, the whole story for a bug of ours. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ClusterNotFound || error instanceof CannotListen)
    return error.message
  if (error instanceof ApiError) return `the API server did not do it: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Also when nobody can be told. */
function fail(sentence: string, code: number): void {
  process.exitCode = code
  process.stderr.write(`${sentence}\n`, () => process.exit(code))
  void systemClock.sleep(longestFlushMs).then(() => process.exit(code))
}

// Whoever reads has seen enough, as in `crd | head`; anything else has kept the user from getting what was asked for.
// To listen also makes a pipe that nobody reads say so, where it would hold up its writer.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  error.code === 'EPIPE' ? process.exit() : fail(`standard output can't be written: ${error.message}`, 1),
)
process.stderr.on('error', () => process.exit())
main().catch((error: unknown) => fail(explain(error), error instanceof ConfigError ? 2 : 1))
