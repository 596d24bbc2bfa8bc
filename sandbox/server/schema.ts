import { isDeepStrictEqual } from 'node:util'
import type { Cause } from './failure.ts'
import { asFields, type Fields, isFields } from './objects.ts'
import { brokenRules, type Rule } from './rules.ts'

/** A structural schema, as in a CustomResourceDefinition. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly pattern?: string
  readonly nullable?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-validations'?: readonly Rule[]
}

export const wrongType = 'FieldValueTypeInvalid'

/** What is wrong with an object, in the words of the API server. */
export class Findings {
  readonly unknown: string[] = []
  readonly causes: Cause[] = []
  /** Asked for only when nothing else is wrong. */
  readonly rules: (() => readonly Cause[])[] = []
}

/** The value with defaults and without unknown fields; `old` is what it was, undefined when it is new. */
export function admitted(schema: Schema, value: unknown, old: unknown, at: Place): unknown {
  const { path } = at
  // What was let in before may stay, also when the schema has become stricter.
  const found = isDeepStrictEqual(value, old) ? new Findings() : at.found
  const own = problems(schema, value, path)
  found.causes.push(...own)
  const rules = schema['x-kubernetes-validations'] ?? []
  if (own.some(({ reason }) => reason === wrongType)) return value
  if (Array.isArray(value)) {
    const { items = {} } = schema
    const before: readonly unknown[] = Array.isArray(old) ? old : []
    return value.map((item, n) => admitted(items, item, before[n], { path: `${path}[${n}]`, found }))
  }
  const result =
    isFields(value) && schema.type === 'object' ? objectOf(schema, value, asFields(old), { path, found }) : value
  found.rules.push(() => brokenRules(rules, result, old).map((why) => wrong(path, result, why)))
  return result
}

interface Place {
  /** Empty for the whole object. */
  readonly path: string
  readonly found: Findings
}

function objectOf(schema: Schema, value: Fields, old: Fields, { path, found }: Place): Fields {
  const result: Fields = {}
  for (const key of new Set([...Object.keys(value), ...Object.keys(schema.properties ?? {})])) {
    const at = { path: path === '' ? key : `${path}.${key}`, found }
    const known = schemaOf(schema, key)
    const given = known === undefined ? undefined : givenOf(known, value[key])
    if (known === undefined) found.unknown.push(at.path)
    else if (given !== undefined) result[key] = admitted(known, given, old[key], at)
    else if (schema.required?.includes(key) === true) found.causes.push(cause('Required', at.path, 'Required value'))
  }
  return result
}

/** A null that is not wanted is as good as absent. */
function givenOf({ type, nullable = false, default: other }: Schema, value: unknown): unknown {
  const isAbsent = value === undefined || (value === null && type !== undefined && !nullable)
  return isAbsent ? structuredClone(other) : value
}

/** undefined for a field that is not known. */
function schemaOf(
  { properties = {}, additionalProperties: others, ...schema }: Schema,
  key: string,
): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key]
  if (isFields(others)) return others
  return others === true || schema['x-kubernetes-preserve-unknown-fields'] === true ? {} : undefined
}

function problems(schema: Schema, value: unknown, path: string): readonly Cause[] {
  const name = typeName(value)
  const isFree = schema.type === undefined || (schema.nullable === true && value === null)
  if (!isFree && schema.type !== name && !(schema.type === 'number' && name === 'integer')) {
    const why = `${path} in body must be of type ${schema.type}: "${name}"`
    return [{ ...wrong(path, name, why), reason: wrongType }]
  }
  return [...enumCauses(schema, value, path), ...limitCauses(schema, value, path)]
}

function typeName(value: unknown): string {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function enumCauses({ enum: allowed }: Schema, value: unknown, path: string): readonly Cause[] {
  if (allowed === undefined || allowed.includes(value)) return []
  const supported = allowed.map((item) => JSON.stringify(item)).join(', ')
  return [cause('NotSupported', path, `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`)]
}

function limitCauses(schema: Schema, value: unknown, path: string): readonly Cause[] {
  if (typeof value === 'number') return numberCauses(schema, value, path)
  if (typeof value === 'string') return textCauses(schema, value, path)
  if (Array.isArray(value)) return sizeCauses(value.length, [schema.minItems, schema.maxItems], path)
  return sizeCauses(Object.keys(asFields(value)).length, [undefined, schema.maxProperties], path)
}

function numberCauses(
  { minimum = -Infinity, maximum = Infinity }: Schema,
  value: number,
  path: string,
): readonly Cause[] {
  if (value < minimum) return [wrong(path, value, `${path} in body should be greater than or equal to ${minimum}`)]
  return value > maximum ? [wrong(path, value, `${path} in body should be less than or equal to ${maximum}`)] : []
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  'micro-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/,
}

function textCauses(schema: Schema, value: string, path: string): readonly Cause[] {
  const { minLength = 0, maxLength = Infinity, pattern } = schema
  const characters = Array.from(value).length
  if (characters > maxLength) return [cause('TooLong', path, `Too long: may not be more than ${maxLength} bytes`)]
  const wrongly = (why: string) => [wrong(path, value, `${path} in body ${why}`)]
  if (characters < minLength) return wrongly(`should be at least ${minLength} chars long`)
  const isMatch = pattern === undefined || new RegExp(pattern, 'u').test(value)
  return isMatch ? formatCauses(schema, value, path) : wrongly(`should match '${pattern}'`)
}

function formatCauses({ format = '' }: Schema, value: string, path: string): readonly Cause[] {
  if (formats[format]?.test(value) !== false) return []
  const found = wrong(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`)
  return [format === 'micro-time' ? { ...found, reason: wrongType } : found]
}

type Limits = readonly [least: number | undefined, most: number | undefined]

function sizeCauses(size: number, [least = 0, most = Infinity]: Limits, path: string): readonly Cause[] {
  if (size < least) return [wrong(path, size, `${path} in body should have at least ${least} items`)]
  return size > most ? [cause('TooMany', path, `Too many: ${size}: must have at most ${most} items`)] : []
}

function cause(reason: string, field: string, message: string): Cause {
  return { reason: `FieldValue${reason}`, message, field: field === '' ? '<nil>' : field }
}

/** An object is not shown. */
export function wrong(field: string, value: unknown, why: string): Cause {
  return cause('Invalid', field, `Invalid value: ${isFields(value) ? '' : `${JSON.stringify(value)}: `}${why}`)
}
