import { Environment, Optional } from '@marcbachmann/cel-js'

/** Of `x-kubernetes-validations`. */
export interface Rule {
  readonly rule: string
  readonly message?: string
  readonly optionalOldSelf?: boolean
}

const options = { enableOptionalTypes: true }
const language = new Environment(options).registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn')
const parsed = new Map<string, ReturnType<typeof language.parse>>()

/** The messages of the rules that do not hold. A rule about a change is not asked of what is new, unless it wants to be. */
export function brokenRules(rules: readonly Rule[], self: unknown, old: unknown): readonly string[] {
  return rules.flatMap(({ rule, message = `failed rule: ${rule}`, optionalOldSelf = false }) => {
    if (!optionalOldSelf && old === undefined && rule.includes('oldSelf')) return []
    const oldSelf = optionalOldSelf ? (old === undefined ? Optional.none() : Optional.of(old)) : old
    const compiled = parsed.get(rule) ?? language.parse(rule)
    parsed.set(rule, compiled)
    return compiled({ self, oldSelf }) === true ? [] : [message]
  })
}
