import * as z from 'zod'

/** A structural schema of apiextensions/v1, as plain JSON. */
export type StructuralSchema = { [keyword: string]: unknown }

/** What a structural schema may say; anything else that zod writes is a mistake of ours, and stops the generator. */
const keywords = new Set([
  'type',
  'format',
  'description',
  'properties',
  'items',
  'required',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'pattern',
  'additionalProperties',
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
])

/** The structural schema of a zod schema, by way of OpenAPI 3.0. Throws on what has no structural form. */
export function structuralSchema(schema: z.ZodType): StructuralSchema {
  return walk(z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }) as StructuralSchema, '')
}

function walk(node: StructuralSchema, path: string): StructuralSchema {
  const result: StructuralSchema = {}
  for (const [keyword, value] of Object.entries(node)) {
    if (isImplied(keyword, node)) continue
    if (!keywords.has(keyword)) throw new Error(`${path || 'the root'}: ${keyword} has no place in a structural schema`)
    result[keyword] = value
  }
  return withChildren(openedUp(result, node), path)
}

/** What zod writes beside the format or the enum that says it already, or what no structural schema may have. */
function isImplied(keyword: string, node: StructuralSchema): boolean {
  if (keyword === 'propertyNames') return true
  if (keyword === 'additionalProperties') return node[keyword] === false
  if (keyword === 'pattern') return node['format'] === 'date-time'
  return keyword === 'maximum' && node[keyword] === Number.MAX_SAFE_INTEGER
}

/** A loose object lists what it knows and keeps the rest. */
function openedUp(result: StructuralSchema, node: StructuralSchema): StructuralSchema {
  const { additionalProperties, ...rest } = result
  if (node['properties'] === undefined || additionalProperties === undefined) return result
  return { ...rest, 'x-kubernetes-preserve-unknown-fields': true }
}

function withChildren(node: StructuralSchema, path: string): StructuralSchema {
  const { properties, items, additionalProperties, ...rest } = node
  const inner = (child: unknown, name: string) => walk(child as StructuralSchema, `${path}.${name}`)
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as object).map(([name, child]) => [name, inner(child, name)]),
          ),
        }),
    ...(items === undefined ? {} : { items: inner(items, '[]') }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inner(additionalProperties, '*') }),
  }
}
