import { parseArgs } from 'node:util'
import * as z from 'zod'

/** A flag or a variable is wrong. The message is for the user: what it is, and what to write. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

interface Setting {
  readonly flag: string
  readonly variable: string
  readonly help: string
  readonly schema: z.ZodType
}

const text = (sentence: string) => z.string().trim().min(1, sentence)

function whole(min: number, max: number, standard: number): z.ZodType<number> {
  const sentence = `a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, sentence)
    .transform(Number)
    .refine((number) => number >= min && number <= max, sentence)
    .default(standard)
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Every setting: the one table that parsing, `--help` and the README's check go by. */
const settings = {
  kubeconfig: {
    flag: 'kubeconfig',
    variable: 'KUBECONFIG',
    help: 'kubeconfig file; inside a cluster none is needed',
    schema: text('the path of a kubeconfig').optional(),
  },
  context: {
    flag: 'context',
    variable: 'KUBE_CONTEXT',
    help: 'context of the kubeconfig; its current one when absent',
    schema: text('the name of a context').optional(),
  },
  port: { flag: 'port', variable: 'PORT', help: 'port of /healthz and /readyz', schema: whole(0, 65_535, 44_444) },
  host: {
    flag: 'host',
    variable: 'HOST',
    help: 'address that the port is opened at',
    schema: text('an address').default('0.0.0.0'),
  },
  connections: {
    flag: 'connections',
    variable: 'CONNECTIONS',
    help: 'connections for creating Jobs, and so the creates under way at once',
    schema: whole(5, 256, 32),
  },
  createTimeoutSeconds: {
    flag: 'create-timeout-seconds',
    variable: 'CREATE_TIMEOUT_SECONDS',
    help: 'how long the API server may take for one Job',
    schema: whole(1, 30, 10),
  },
  podName: {
    flag: 'pod-name',
    variable: 'POD_NAME',
    help: 'who is named as the source of Events',
    schema: text('a name').default('second-cron-job-operator'),
  },
  logLevel: {
    flag: 'log-level',
    variable: 'LOG_LEVEL',
    help: `one of ${levels.join(', ')}`,
    schema: z.enum(levels, `one of ${levels.join(', ')}`).default('info'),
  },
} as const satisfies Record<string, Setting>

export type Config = Readonly<{ [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['schema']> }>

export type Command =
  | { readonly kind: 'run'; readonly config: Config }
  | { readonly kind: 'print'; readonly text: string }

/** Flags win over variables, variables over defaults; an empty variable is an absent one. Throws ConfigError. */
export function parseCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): Command {
  const flags = parseFlags(argv)
  if (flags['help'] === true) return { kind: 'print', text: helpText() }
  if (flags['version'] === true) return { kind: 'print', text: version }
  const entries = Object.entries(settings).map(([name, setting]) => [name, valueOf(setting, flags, env)])
  return { kind: 'run', config: Object.freeze(Object.fromEntries(entries)) as Config }
}

function valueOf(setting: Setting, flags: Flags, env: Readonly<Record<string, string | undefined>>): unknown {
  const flag = flags[setting.flag]
  const given = flag ?? (env[setting.variable] || undefined)
  const parsed = setting.schema.safeParse(given)
  if (parsed.success) return parsed.data
  const where = flag === undefined ? setting.variable : `--${setting.flag}`
  throw new ConfigError(
    `${where} is ${JSON.stringify(given).slice(0, longestShown)}; write ${parsed.error.issues[0]?.message}`,
  )
}

/** A value may be anything, also a whole file by mistake. */
const longestShown = 80

type Flags = Readonly<Record<string, string | boolean | undefined>>

function parseFlags(argv: readonly string[]): Flags {
  const texts = Object.values(settings).map(({ flag }) => [flag, { type: 'string' as const }])
  const options = { ...Object.fromEntries(texts), help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false }).values as Flags
  } catch (error) {
    throw new ConfigError(`${firstSentence((error as Error).message)}; --help lists the flags`)
  }
}

function firstSentence(message: string): string {
  return message.split(/\.\s/)[0]?.replace(/\.$/, '') ?? message
}

function helpText(): string {
  const rows = Object.values(settings).map(({ flag, variable, help, schema }) => {
    const standard = schema.safeParse(undefined).data
    const ending = standard === undefined ? '' : ` (${String(standard)})`
    return `  --${flag.padEnd(24)}${variable.padEnd(24)}${help}${ending}`
  })
  return [
    'Launches one Job per due second for each SecondCronJob.',
    '',
    `  ${'flag'.padEnd(26)}${'variable'.padEnd(24)}meaning (default)`,
    ...rows,
    '  --help, --version',
  ].join('\n')
}
