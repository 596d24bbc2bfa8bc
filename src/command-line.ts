import { parseArgs } from 'node:util'
import {
  type Config,
  ConfigError,
  type Environment,
  type Flags,
  readConfig,
  settingFlags,
  settingsHelp,
} from './config.ts'

export type Command =
  | { readonly kind: 'run'; readonly config: Config }
  | { readonly kind: 'apply-crd'; readonly config: Config }
  | { readonly kind: 'uninstall'; readonly config: Config; readonly isConfirmed: boolean }
  | { readonly kind: 'print-crd' }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }

/** What may be asked for, with the flags that each takes; `run` takes every setting. */
const commands = {
  run: { flags: settingFlags, usage: 'run', help: 'start Jobs until it is told to stop (the default)' },
  crd: {
    flags: ['apply', 'kubeconfig', 'context', 'log-level'],
    usage: 'crd [--apply]',
    help: 'print the CustomResourceDefinition, or apply it to the cluster',
  },
  uninstall: {
    flags: ['yes', 'kubeconfig', 'context', 'namespaces', 'pod-namespace', 'log-level'],
    usage: 'uninstall [--yes]',
    help: 'take the finalizer off every SecondCronJob, when the operator has gone before them',
  },
} as const satisfies Record<string, { flags: readonly string[]; usage: string; help: string }>

type CommandName = keyof typeof commands

const switches = ['apply', 'yes', 'help', 'version'] as const

/** Throws ConfigError, whose message is one sentence for the user. */
export function parseCommand(argv: readonly string[], env: Environment): Command {
  const { flags, words } = parse(argv)
  if (flags['help'] === true) return { kind: 'help' }
  if (flags['version'] === true) return { kind: 'version' }
  const name = nameOf(words)
  const own: readonly string[] = commands[name].flags
  const stray = Object.keys(flags).find((flag) => !own.includes(flag))
  if (stray !== undefined) throw new ConfigError(`--${stray} does not go with ${name}; --help lists the flags`)
  if (name === 'crd' && flags['apply'] !== true) return { kind: 'print-crd' }
  const config = readConfig(flags, env, own)
  if (name === 'uninstall') return { kind: 'uninstall', config, isConfirmed: flags['yes'] === true }
  return { kind: name === 'crd' ? 'apply-crd' : 'run', config }
}

function nameOf([word = 'run', ...others]: readonly string[]): CommandName {
  if (others.length > 0) throw new ConfigError(`${quoted(others[0])} is one word too many; --help lists the commands`)
  if (Object.hasOwn(commands, word)) return word as CommandName
  throw new ConfigError(`${quoted(word)} is no command; write one of ${Object.keys(commands).join(', ')}, or --help`)
}

/** A word may be anything, also a whole file by mistake. */
function quoted(word: string | undefined): string {
  return JSON.stringify(word).slice(0, 80)
}

function parse(argv: readonly string[]): { readonly flags: Flags; readonly words: readonly string[] } {
  const texts = settingFlags.map((flag) => [flag, { type: 'string' as const }])
  const booleans = switches.map((flag) => [flag, { type: 'boolean' as const }])
  const options = { ...Object.fromEntries([...texts, ...booleans]), help: { type: 'boolean' as const, short: 'h' } }
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    return { flags: values as Flags, words: positionals }
  } catch (error) {
    throw new ConfigError(`${firstSentence((error as Error).message)}; --help lists the flags`)
  }
}

function firstSentence(message: string): string {
  return message.split(/\.\s/)[0]?.replace(/\.$/, '') ?? message
}

export function helpText(): string {
  return [
    'Launches one Job per due second for each SecondCronJob.',
    '',
    ...Object.values(commands).map(({ usage, help }) => `  ${usage.padEnd(26)}${help}`),
    '',
    `  ${'flag'.padEnd(26)}${'variable'.padEnd(24)}meaning (default)`,
    ...settingsHelp(),
    '  --help, --version',
    '',
    'Exit codes: 0 done, 1 no cluster or a failure, 2 wrong flags.',
  ].join('\n')
}
