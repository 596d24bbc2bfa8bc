import { type Fields, isFields } from './objects.ts'

/** A structural schema, as in a CustomResourceDefinition. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
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
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-validations'?: readonly Rule[]
}

export interface Rule {
  readonly rule: string
  readonly message?: string
  readonly optionalOldSelf?: boolean
}

/** The value with defaults, without fields that the schema does not know; these are added to `unknown`. */
export function normalized(schema: Schema, value: unknown, path: string, unknown: string[]): unknown {
  const { items } = schema
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item, n) => normalized(items, item, `${path}[${n}]`, unknown))
  if (!isFields(value) || schema.type !== 'object') return value
  const result: Fields = {}
  for (const [key, field] of Object.entries(value)) {
    const known = schemaOf(schema, key)
    const at = path === '' ? key : `${path}.${key}`
    if (known === undefined) unknown.push(at)
    else if (field !== null || known.nullable === true || isFree(known))
      result[key] = normalized(known, field, at, unknown)
  }
  for (const [key, property] of Object.entries(schema.properties ?? {}))
    if (property.default !== undefined && result[key] === undefined)
      result[key] = normalized(property, structuredClone(property.default), key, unknown)
  return result
}

const anything: Schema = {}

function isFree(schema: Schema): boolean {
  return schema.type === undefined
}

/** undefined for a field that is not known. */
export function schemaOf(schema: Schema, key: string): Schema | undefined {
  const { properties = {}, additionalProperties: others } = schema
  if (Object.hasOwn(properties, key)) return properties[key]
  if (isFields(others)) return others
  return others === true || schema['x-kubernetes-preserve-unknown-fields'] === true ? anything : undefined
}
