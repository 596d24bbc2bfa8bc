import { isDeepStrictEqual } from 'node:util'
import type { V1ValidationRule } from '@kubernetes/client-node'
import { Environment, Optional } from '@marcbachmann/cel-js'
import { asFields, type Fields, isFields } from './objects.ts'

/** A structural schema, as in a CustomResourceDefinition. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  /** Of a field that is null only the name is known. */
  readonly properties?: Readonly<Record<string, Schema | null>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly nullable?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-validations'?: readonly V1ValidationRule[]
  /** Those of `limits`. */
  readonly [keyword: string]: unknown
}

/** Why a field is refused, as in `details.causes`. */
export interface Cause {
  readonly reason: string
  readonly message: string
  readonly field: string
}

export const wrongType = 'FieldValueTypeInvalid'

/** What is wrong with an object, in the words of the API server. */
export class Findings {
  readonly unknown: string[] = []
  readonly causes: Cause[] = []
  /** Asked for only when nothing else is wrong. */
  readonly rules: (() => readonly Cause[])[] = []
}

/** The path is empty for the whole object. */
type Where = readonly [path: string, found: Findings]

/** The value with defaults and without unknown fields; `old` is what it was, undefined when it is new. */
export function admitted(schema: Schema, value: unknown, old: unknown, [path, all]: Where): unknown {
  // What was let in before may stay, also when the schema has become stricter.
  const found = isDeepStrictEqual(value, old) ? new Findings() : all
  const own = problems(schema, value, path)
  found.causes.push(...own)
  if (own.some(({ reason }) => reason === wrongType)) return value
  if (Array.isArray(value)) {
    const { items = {} } = schema
    const before: readonly unknown[] = Array.isArray(old) ? old : []
    return value.map((item, n) => admitted(items, item, before[n], [`${path}[${n}]`, found]))
  }
  const isObject = isFields(value) && schema.type === 'object'
  const result = isObject ? objectOf(schema, value, asFields(old), [path, found]) : value
  const rules = schema['x-kubernetes-validations'] ?? []
  found.rules.push(() => brokenRules(rules, result, old).map((why) => wrong(path, result, why)))
  return result
}

function objectOf(schema: Schema, value: Fields, old: Fields, [path, found]: Where): Fields {
  const result: Fields = {}
  for (const key of new Set([...Object.keys(value), ...Object.keys(schema.properties ?? {})])) {
    const at = path === '' ? key : `${path}.${key}`
    const known = schemaOf(schema, key)
    const given = known === undefined ? undefined : givenOf(known, value[key])
    if (known === undefined) found.unknown.push(at)
    else if (given !== undefined) result[key] = admitted(known, given, old[key], [at, found])
    else if (schema.required?.includes(key) === true) found.causes.push(cause('Required', at, 'Required value'))
  }
  return result
}

/** A null that is not wanted is as good as absent. */
function givenOf({ type, nullable = false, default: other }: Schema, value: unknown): unknown {
  const isAbsent = value === undefined || (value === null && type !== undefined && !nullable)
  return isAbsent ? structuredClone(other) : value
}

/** undefined for a field that is not known. */
function schemaOf({ properties = {}, additionalProperties: others, ...rest }: Schema, key: string): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key] ?? {}
  if (isFields(others)) return others
  return others === true || rest['x-kubernetes-preserve-unknown-fields'] === true ? {} : undefined
}

function problems(schema: Schema, value: unknown, path: string): readonly Cause[] {
  if (value === null && schema.nullable === true) return []
  const [wanted, shown] = mistyped(schema, value) ?? []
  if (wanted !== undefined)
    return [{ ...wrong(path, shown, `${path} in body must be of type ${wanted}: "${shown}"`), reason: wrongType }]
  if (schema.enum?.includes(value) === false) return [unsupported(path, value, schema.enum)]
  return Object.entries(schema).flatMap(([keyword, limit]) => {
    const [isBroken, words, reason] = limits[keyword] ?? []
    if (words === undefined || isBroken?.(value as never, limit as never) !== true) return []
    const text = words(String(limit), String(sizeOf(value)))
    return reason === undefined ? [wrong(path, sizeOf(value), `${path} in body ${text}`)] : [cause(reason, path, text)]
  })
}

/** The type or format that it should be of, and what it is instead. */
function mistyped({ type, format = '' }: Schema, value: unknown): readonly [wanted: string, shown: string] | null {
  const name = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const exact = Number.isInteger(value) ? 'integer' : name
  if (type !== undefined && type !== exact && type !== name) return [type, exact]
  return formats[format]?.test(String(value)) === false ? [format, String(value)] : null
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  'micro-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/,
}

type Limit = readonly [
  isBroken: (value: never, limit: never) => boolean,
  words: (limit: string, size: string) => string,
  /** When the words stand for themselves. */
  reason?: string,
]

/** Of a text in characters, of which some are two units of UTF-16. */
const longer = (value: string | unknown[], most: number) => Array.from(value).length > most
const shorter = (value: string | unknown[], least: number) => Array.from(value).length < least
const tooMany = (most: string, size: string) => `Too many: ${size}: must have at most ${most} items`

/** What is said of a value that does not keep to a keyword of its schema. */
const limits: Readonly<Record<string, Limit>> = {
  minimum: [(value: number, least: number) => value < least, (least) => `should be greater than or equal to ${least}`],
  maximum: [(value: number, most: number) => value > most, (most) => `should be less than or equal to ${most}`],
  minLength: [shorter, (least) => `should be at least ${least} chars long`],
  maxLength: [longer, (most) => `Too long: may not be more than ${most} bytes`, 'TooLong'],
  pattern: [(value, wanted) => !new RegExp(wanted, 'u').test(value), (wanted) => `should match '${wanted}'`],
  minItems: [shorter, (least) => `should have at least ${least} items`],
  maxItems: [longer, tooMany, 'TooMany'],
  maxProperties: [(value, most: number) => Object.keys(value).length > most, tooMany, 'TooMany'],
}

/** What is shown of a value: of a list or an object how many there are. */
function sizeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : value
}

export function unsupported(path: string, value: unknown, all: readonly unknown[]): Cause {
  const [found, ...supported] = [value, ...all].map((each) => JSON.stringify(each))
  return cause('NotSupported', path, `Unsupported value: ${found}: supported values: ${supported.join(', ')}`)
}

/** A reason without `FieldValue`, as in `Required`. */
export function cause(reason: string, field: string, message: string): Cause {
  return { reason: `FieldValue${reason}`, message, field: field === '' ? '<nil>' : field }
}

/** An object is not shown. */
export function wrong(field: string, value: unknown, why: string): Cause {
  return cause('Invalid', field, `Invalid value: ${isFields(value) ? '' : `${JSON.stringify(value)}: `}${why}`)
}

const options = { enableOptionalTypes: true }
const language = new Environment(options).registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn')
const parsed = new Map<string, ReturnType<typeof language.parse>>()

/** The messages of the rules that do not hold. A rule about a change is not asked of what is new, unless it wants to be. */
function brokenRules(rules: readonly V1ValidationRule[], self: unknown, old: unknown): readonly string[] {
  return rules.flatMap(({ rule, message = `failed rule: ${rule}`, optionalOldSelf = false }) => {
    if (!optionalOldSelf && old === undefined && rule.includes('oldSelf')) return []
    const oldSelf = optionalOldSelf ? (old === undefined ? Optional.none() : Optional.of(old)) : old
    const compiled = parsed.get(rule) ?? language.parse(rule)
    parsed.set(rule, compiled)
    return compiled({ self, oldSelf }) === true ? [] : [message]
  })
}
