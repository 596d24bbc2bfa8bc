import { Environment, Optional } from '@marcbachmann/cel-js'
import type { Rule } from './schema.ts'

const language = new Environment({ enableOptionalTypes: true })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn')
const parsed = new Map<string, ReturnType<typeof language.parse>>()

/** The messages of the rules that do not hold. A rule about a change is not asked of what is new, unless it wants to be. */
export function brokenRules(rules: readonly Rule[], self: unknown, old: unknown): readonly string[] {
  return rules.flatMap(({ rule, message = `failed rule: ${rule}`, optionalOldSelf = false }) => {
    if (!optionalOldSelf && old === undefined && rule.includes('oldSelf')) return []
    const optional = old === undefined ? Optional.none() : Optional.of(old)
    return holds(rule, { self, oldSelf: optionalOldSelf ? optional : old }) ? [] : [message]
  })
}

function holds(rule: string, variables: { readonly self: unknown; readonly oldSelf: unknown }): boolean {
  const compiled = parsed.get(rule) ?? language.parse(rule)
  parsed.set(rule, compiled)
  return compiled(variables) === true
}
