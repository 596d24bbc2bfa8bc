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

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Each of them is watched on connections of its own. */
const mostNamespaces = 50

const namespaces = z
  .string()
  .transform((list) => [...new Set(list.split(',').map((name) => name.trim()))])
  .refine((names) => names.every((name) => label.test(name)), 'names of namespaces, separated by commas')
  .refine((names) => names.length <= mostNamespaces, `at most ${mostNamespaces} namespaces, or none for all`)

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
  namespaces: {
    flag: 'namespaces',
    variable: 'NAMESPACES',
    help: 'the namespaces that are served, such as a,b; all when absent',
    schema: namespaces.optional(),
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

/** The flags of a command line: a text for a setting, true for a switch. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>

export type Environment = Readonly<Record<string, string | undefined>>

/** Flags win over variables, variables over defaults; an empty variable is an absent one. Throws ConfigError. */
export function readConfig(flags: Flags, env: Environment): Config {
  const entries = Object.entries(settings).map(([name, setting]) => [name, valueOf(setting, flags, env)])
  return Object.freeze(Object.fromEntries(entries)) as Config
}

function valueOf(setting: Setting, flags: Flags, env: Environment): unknown {
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

/** The names of all flags that take a value. */
export const settingFlags: readonly string[] = Object.values(settings).map(({ flag }) => flag)

/** A line for each setting: flag, variable, meaning and default. */
export function settingsHelp(): readonly string[] {
  return Object.values(settings).map(({ flag, variable, help, schema }) => {
    const standard = schema.safeParse(undefined).data
    const ending = standard === undefined ? '' : ` (${String(standard)})`
    return `  --${flag.padEnd(24)}${variable.padEnd(24)}${help}${ending}`
  })
}
