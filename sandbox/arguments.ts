import { parseArgs } from 'node:util'

/** The command line is wrong. The message is one sentence for the user: what it is, and what to write. */
export class UsageError extends Error {}

export type Arguments =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'run'
      readonly forMs: number
      /** The user's manifests instead of the samples. */
      readonly file: string | null
      readonly real: boolean
      /** Another main file of the operator. */
      readonly operator: string | null
    }

/** A timer holds no more than 24 days; nobody watches for so long. */
const asGoodAsForEver = 2_000_000_000
const duration = 'a number of seconds or minutes below 10000, such as 20s or 2m'

export const usage = `npm run sandbox -- [--for 20s] [--file my.yaml] [--real]

Shows the operator at work on an API server of its own; Ctrl-C ends it and leaves nothing behind.

  --for DURATION   end after ${duration}
  --file FILE      load these manifests instead of the samples
  --real           on etcd, kube-apiserver and kube-controller-manager instead of the embedded server
  --operator FILE  run this main file instead of src/main.ts: a build, or a broken one, to see it found out
  --help           print this

Exit codes, by what the API server has noted of each resource up to two seconds before its first change:
  0    with an interval, every due slot has exactly one Job, the one of the creation left out;
       with a schedule, or a policy other than Allow, no slot has two Jobs: none at all is right as well;
       suspended, or with a template that is not accepted, there is no Job, which is right
  1    a Job is lost, twice, early or not due; or a manifest was refused; or the sandbox has failed
  2    wrong flags, or a --file that is no manifest
  129, 130, 143   ended by SIGHUP, SIGINT or SIGTERM before the operator ran: nothing was judged`

/** Throws UsageError. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { values, tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true })
  const given = new Set<string>()
  for (const token of tokens)
    if (token.kind === 'positional') throw new UsageError(`${JSON.stringify(token.value)} is one word too many; ${ask}`)
    else if (token.kind === 'option') checkFlag(token, given)
  if (values['help'] !== undefined) return { kind: 'help' }
  return {
    kind: 'run',
    forMs: parseDuration(values['for']),
    file: parsePath('file', values['file']),
    real: values['real'] !== undefined,
    operator: parsePath('operator', values['operator']),
  }
}

const options = {
  for: { type: 'string' },
  file: { type: 'string' },
  real: { type: 'boolean' },
  operator: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const ask = 'write --for 20s, --file my.yaml, --real, --help, or nothing'

/** That there is such a flag, and that it is given once: of two values one would be dropped without a word. */
function checkFlag({ name, rawName }: { name: string; rawName: string }, given: Set<string>): void {
  if (!(name in options)) throw new UsageError(`${rawName} is no flag; ${ask}`)
  if (given.has(name)) throw new UsageError(`--${name} is given twice; write it once`)
  given.add(name)
}

function parsePath(flag: string, value: string | boolean | undefined): string | null {
  if (typeof value === 'boolean' || value === '')
    throw new UsageError(`--${flag} has no value; write the path of a file`)
  return value ?? null
}

/** Milliseconds of `20s` or `2m`. */
function parseDuration(text: string | boolean | undefined): number {
  if (text === undefined) return asGoodAsForEver
  if (typeof text === 'boolean') throw new UsageError(`--for has no value; write ${duration}`)
  const [, number, unit] = /^([1-9]\d{0,3})(s|m)$/.exec(text) ?? []
  if (number === undefined) throw new UsageError(`--for is ${JSON.stringify(text)}; write ${duration}`)
  return Number(number) * (unit === 'm' ? 60_000 : 1_000)
}
