import * as z from 'zod'
import { duration, levels, namespaceName, namespaces, podNames, text, whole } from './setting-values.ts'

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
  /** As it is written, when it is kept otherwise. */
  readonly standard?: string
}

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
  port: {
    flag: 'port',
    variable: 'PORT',
    help: 'port of /healthz, /readyz and /metrics',
    schema: whole(0, 65_535, 44_444),
  },
  host: {
    flag: 'host',
    variable: 'HOST',
    help: 'address that the port is opened at; :: is every one, of IPv6 and IPv4',
    schema: text('an address').default('::'),
  },
  connections: {
    flag: 'connections',
    variable: 'CONNECTIONS',
    help: 'connections for creating Jobs, and so the creates under way at once; more are opened while some hang',
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
    help: 'who is named as the holder of the Lease, and as the source of Events',
    schema: podNames.default('second-cron-job-operator'),
  },
  podNamespace: {
    flag: 'pod-namespace',
    variable: 'POD_NAMESPACE',
    help: 'where the Lease is; the same for all that serve one cluster',
    schema: namespaceName.default('myyrakle'),
  },
  leaseDuration: {
    flag: 'lease-duration',
    variable: 'LEASE_DURATION',
    help: 'how long a leader that is not heard of is waited for, in whole seconds',
    standard: '6s',
    schema: duration('6s').refine((ms) => ms % 1_000 === 0, 'whole seconds, such as 6s'),
  },
  renewDeadline: {
    flag: 'renew-deadline',
    variable: 'RENEW_DEADLINE',
    help: 'how long a leader writes after its last renewal',
    standard: '4.5s',
    schema: duration('4.5s'),
  },
  retryPeriod: {
    flag: 'retry-period',
    variable: 'RETRY_PERIOD',
    help: 'how often a leader renews',
    standard: '1s',
    schema: duration('1s'),
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

/**
 * Flags win over variables, variables over defaults; an empty variable is an absent one. A variable of a flag that is not
 * among `own` is somebody else's, such as the `PORT` of a Service, and not looked at. Throws ConfigError.
 */
export function readConfig(flags: Flags, env: Environment, own: readonly string[]): Config {
  const entries = Object.entries(settings).map(([name, setting]) => [
    name,
    valueOf(setting, flags, own.includes(setting.flag) ? env : {}),
  ])
  const config = Object.freeze(Object.fromEntries(entries)) as Config
  checkTimes(config)
  return config
}

/** Half a second before a lease ends, what is on its way is aborted; before that the leader must have stopped writing. */
const abortMarginMs = 500

function checkTimes({ leaseDuration, renewDeadline, retryPeriod }: Config): void {
  const [lease, renew, retry] = [leaseDuration, renewDeadline, retryPeriod].map((ms) => `${ms / 1_000}s`)
  if (leaseDuration < renewDeadline + 2 * abortMarginMs)
    throw new ConfigError(
      `the lease times do not fit: --lease-duration ${lease} must be at least --renew-deadline ${renew} + 1s = ${(renewDeadline + 2 * abortMarginMs) / 1_000}s`,
    )
  if (renewDeadline < 3 * retryPeriod)
    throw new ConfigError(
      `the lease times do not fit: --renew-deadline ${renew} must be at least 3 × --retry-period ${retry} = ${(3 * retryPeriod) / 1_000}s`,
    )
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
  return Object.values<Setting>(settings).map(({ flag, variable, help, schema, standard: written }) => {
    const standard = written ?? (schema.safeParse(undefined).data as string | number | undefined)
    const ending = standard === undefined ? '' : ` (${standard})`
    return `  --${flag.padEnd(24)}${variable.padEnd(24)}${help}${ending}`
  })
}
