import { parseArgs } from 'node:util'

/** The command line is wrong. The message is one sentence for the user: what it is, and what to write. */
export class UsageError extends Error {}

export type Arguments = { readonly kind: 'help' } | { readonly kind: 'run'; readonly forMs: number }

/** A timer holds no more than 24 days; nobody watches for so long. */
const asGoodAsForEver = 2_000_000_000
const duration = 'a number of seconds or minutes below 10000, such as 20s or 2m'

export const usage = `npm run sandbox -- [--for 20s]

Shows the operator at work on a real control plane of its own; Ctrl-C ends it and leaves nothing behind.

  --for DURATION   end after ${duration}
  --help           print this

Exit codes: 0 all went well, 1 a run was lost, twice, early or off the grid, or a failure, 2 wrong flags.`

/** Throws UsageError. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: { for: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  })
  for (const token of tokens)
    if (token.kind === 'positional') throw new UsageError(`${JSON.stringify(token.value)} is one word too many; ${ask}`)
    else if (token.kind === 'option' && token.name !== 'for' && token.name !== 'help')
      throw new UsageError(`${token.rawName} is no flag; ${ask}`)
  return values['help'] === undefined ? { kind: 'run', forMs: parseDuration(values['for']) } : { kind: 'help' }
}

const ask = 'write --for 20s, --help, or nothing'

/** Milliseconds of `20s` or `2m`. */
function parseDuration(text: string | boolean | undefined): number {
  if (text === undefined) return asGoodAsForEver
  if (typeof text === 'boolean') throw new UsageError(`--for has no value; write ${duration}`)
  const [, number, unit] = /^([1-9]\d{0,3})(s|m)$/.exec(text) ?? []
  if (number === undefined) throw new UsageError(`--for is ${JSON.stringify(text)}; write ${duration}`)
  return Number(number) * (unit === 'm' ? 60_000 : 1_000)
}
