import type { Cause } from './failure.ts'
import { asFields, type Fields, isFields } from './objects.ts'
import { brokenRules } from './rules.ts'
import { type Schema, schemaOf } from './schema.ts'

/** What is wrong with a value, in the words of the API server; `old` is what it was, undefined when it is new. */
export function validate(schema: Schema, value: unknown, path: string, old: unknown): readonly Cause[] {
  const wrongType = typeCause(schema, value, path)
  if (wrongType !== null) return [wrongType]
  const own = [...scalarCauses(schema, value, path), ...sizeCauses(schema, value, path)]
  const below = Array.isArray(value) ? itemCauses(schema, value, path, old) : fieldCauses(schema, value, path, old)
  return [...own, ...below]
}

/** The rules of a schema, and of the schemas below it; they are asked when everything else is right. */
export function validateRules(schema: Schema, value: unknown, path: string, old: unknown): readonly Cause[] {
  const own = brokenRules(schema['x-kubernetes-validations'] ?? [], value, old).map((message) =>
    cause('Invalid', path, value, message),
  )
  if (!isFields(value)) return own
  const below = Object.entries(value).flatMap(([key, field]) => {
    const known = schemaOf(schema, key)
    return known === undefined ? [] : validateRules(known, field, childPath(path, key), asFields(old)[key])
  })
  return [...own, ...below]
}

function itemCauses({ items }: Schema, value: readonly unknown[], path: string, old: unknown): readonly Cause[] {
  if (items === undefined) return []
  return value.flatMap((item, n) => validate(items, item, `${path}[${n}]`, Array.isArray(old) ? old[n] : undefined))
}

function fieldCauses(schema: Schema, value: unknown, path: string, old: unknown): readonly Cause[] {
  if (!isFields(value)) return []
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined)
  const below = Object.entries(value).flatMap(([key, field]) => {
    const known = schemaOf(schema, key)
    return known === undefined ? [] : validate(known, field, childPath(path, key), asFields(old)[key])
  })
  return [...missing.map((key) => required(childPath(path, key))), ...below]
}

function childPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

export function required(field: string): Cause {
  return { reason: 'FieldValueRequired', message: 'Required value', field }
}

/** `Invalid value: 0: …`; an object or a list is not shown, its type is. */
export function cause(reason: string, field: string, value: unknown, why: string): Cause {
  const shown = typeof value === 'string' ? JSON.stringify(value) : isFields(value) ? '"object"' : String(value)
  const said = field === '' ? '<nil>' : field
  return { reason: `FieldValue${reason}`, message: `Invalid value: ${shown}: ${why}`, field: said }
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

function typeCause({ type, nullable }: Schema, value: unknown, path: string): Cause | null {
  const found = typeName(value)
  const isRight = type === undefined || type === found || (type === 'number' && found === 'integer')
  if (isRight || (value === null && nullable === true)) return null
  const why = `${path} in body must be of type ${type}: "${found}"`
  return { reason: 'FieldValueTypeInvalid', message: `Invalid value: "${found}": ${why}`, field: path }
}

/** Hundreds of resources have the same patterns. */
const patterns = new Map<string, RegExp>()

function matches(pattern: string, text: string): boolean {
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, compiled)
  return compiled.test(text)
}

function scalarCauses(schema: Schema, value: unknown, path: string): readonly Cause[] {
  const causes: Cause[] = []
  const wrong = (why: string) => causes.push(cause('Invalid', path, value, `${path} in body ${why}`))
  const { minimum = -Infinity, maximum = Infinity, pattern, format, enum: allowed } = schema
  if (typeof value === 'number' && value < minimum) wrong(`should be greater than or equal to ${minimum}`)
  if (typeof value === 'number' && value > maximum) wrong(`should be less than or equal to ${maximum}`)
  if (typeof value === 'string' && pattern !== undefined && !matches(pattern, value)) wrong(`should match '${pattern}'`)
  if (typeof value === 'string' && format === 'date-time' && !isDateTime(value))
    wrong(`must be of type date-time: ${JSON.stringify(value)}`)
  if (allowed !== undefined && !allowed.includes(value)) causes.push(unsupported(path, value, allowed))
  return causes
}

function unsupported(field: string, value: unknown, allowed: readonly unknown[]): Cause {
  const supported = allowed.map((item) => JSON.stringify(item)).join(', ')
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`
  return { reason: 'FieldValueNotSupported', message, field }
}

function isDateTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  )
}

function sizeCauses(schema: Schema, value: unknown, path: string): readonly Cause[] {
  const [least = 0, most = Infinity, unit] = limitsOf(schema, value)
  const size = sizeOf(value)
  if (size < least)
    return [
      cause(
        'Invalid',
        path,
        typeof value === 'string' ? value : size,
        `${path} in body should ${atLeast(least, unit)}`,
      ),
    ]
  if (size <= most) return []
  if (unit === 'chars')
    return [{ reason: 'FieldValueTooLong', message: `Too long: may not be more than ${most} bytes`, field: path }]
  return [{ reason: 'FieldValueTooMany', message: `Too many: ${size}: must have at most ${most} ${unit}`, field: path }]
}

function atLeast(least: number, unit: string): string {
  return unit === 'chars' ? `be at least ${least} chars long` : `have at least ${least} ${unit}`
}

function limitsOf(
  schema: Schema,
  value: unknown,
): readonly [least: number | undefined, most: number | undefined, unit: string] {
  if (typeof value === 'string') return [schema.minLength, schema.maxLength, 'chars']
  return Array.isArray(value) ? [schema.minItems, schema.maxItems, 'items'] : [0, schema.maxProperties, 'items']
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return [...value].length
  return Array.isArray(value) ? value.length : Object.keys(asFields(value) as Fields).length
}
