import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { customResourceDefinition } from '../../../scripts/crd.ts'
import { structuralSchema } from '../../../scripts/structural-schema.ts'

/** Every schema in the CRD, by its path. */
function schemas(node: unknown, path = ''): [string, Record<string, unknown>][] {
  if (typeof node !== 'object' || node === null) return []
  const record = node as Record<string, unknown>
  const inner = Object.entries(record).flatMap(([key, child]) => schemas(child, `${path}.${key}`))
  return 'type' in record && typeof record['type'] === 'string' ? [[path, record], ...inner] : inner
}

const all = schemas(customResourceDefinition()['spec'])

test('nothing that a structural schema may not say', () => {
  const text = JSON.stringify(customResourceDefinition())
  for (const word of [
    '$ref',
    'oneOf',
    'anyOf',
    'propertyNames',
    'uniqueItems',
    '9007199254740991',
    '"const"',
    'examples',
  ])
    assert.ok(!text.includes(word), word)
})

test('every text and list of the spec has a limit, so that no rule can cost too much', () => {
  const free = all
    .filter(
      ([path, schema]) =>
        path.includes('.spec') && !path.includes('Columns') && !('enum' in schema) && !('pattern' in schema),
    )
    .filter(
      ([path]) =>
        !path.includes('template.properties.spec') &&
        !path.includes('.metadata') &&
        !path.includes('.kind') &&
        !path.includes('.apiVersion'),
    )
    .filter(
      ([, schema]) =>
        (schema['type'] === 'string' && !('maxLength' in schema) && !('format' in schema)) ||
        (schema['type'] === 'array' && !('maxItems' in schema)),
    )
  assert.deepEqual(
    free.map(([path]) => path),
    [],
  )
})

test('a rule across fields lets an unchanged spec pass, or old objects could never be patched again', () => {
  const rules = all.flatMap(
    ([, schema]) => (schema['x-kubernetes-validations'] ?? []) as { rule: string; optionalOldSelf?: boolean }[],
  )
  assert.equal(rules.length, 4)
  for (const { rule, optionalOldSelf } of rules) {
    assert.match(rule, /^\(?oldSelf\.hasValue\(\)/)
    assert.equal(optionalOldSelf, true)
  }
})

test('what has no structural form stops the generator', () => {
  assert.throws(
    () => structuralSchema(z.object({ a: z.union([z.string(), z.int()]) })),
    /\.a: anyOf has no place in a structural schema/,
  )
})
