import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import * as z from 'zod'
import { customResourceDefinition } from '../../../scripts/crd.ts'
import { structuralSchema } from '../../../scripts/structural-schema.ts'
import { specSchema } from '../../../src/api/schema.ts'

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

test('every field says what it is, for kubectl explain', () => {
  const silent = all
    .filter(([path]) => /\.properties\.(spec|status)(\.|$)/.test(path) && /\.properties\.\w+$/.test(path))
    .filter(([, schema]) => typeof schema['description'] !== 'string')
  assert.deepEqual(
    silent.map(([path]) => path),
    [],
  )
})

test('a rule across fields lets an unchanged spec pass, or old objects could never be patched again', () => {
  const rules = all.flatMap(
    ([, schema]) => (schema['x-kubernetes-validations'] ?? []) as { rule: string; optionalOldSelf?: boolean }[],
  )
  assert.equal(rules.length, 11)
  for (const { rule, optionalOldSelf } of rules) {
    // Last: asked first, at each write of a status, the comparison took a tenth of all the time of the API server.
    assert.match(rule, /^(?!.*oldSelf.*\|\|).* \|\| \(?oldSelf\.hasValue\(\)/s)
    assert.equal(optionalOldSelf, true)
  }
})

test('the root requires nothing: an old object that lacks it could never lose its finalizer', () => {
  for (const [path, schema] of all) if (path.endsWith('openAPIV3Schema')) assert.ok(!('required' in schema))
})

test('the file is what the generator makes of the schema', async () => {
  const file = await readFile(new URL('../../../deploy/crd.yaml', import.meta.url), 'utf8')
  assert.deepEqual(parse(file), customResourceDefinition())
})

const limits: Record<string, { field: string; good: readonly unknown[]; bad: readonly unknown[] }> = {
  'the interval': { field: 'intervalSeconds', good: [1, 31_536_000], bad: [0, -1, 1.5, '10', 31_536_001] },
  'the older spelling': { field: 'interval_seconds', good: [1, 31_536_000], bad: [0, 31_536_001] },
  'the deadline': { field: 'startingDeadlineSeconds', good: [1], bad: [0] },
  'completed Jobs kept': { field: 'successfulJobsHistoryLimit', good: [0, 1_000], bad: [-1, 1_001] },
  'failed Jobs kept': { field: 'failedJobsHistoryLimit', good: [0, 1_000], bad: [-1, 1_001] },
  'the first run': { field: 'firstRun', good: ['AtCreation', 'AfterInterval'], bad: ['Never', ''] },
  'the schedule': { field: 'schedule', good: ['', '@daily', 'a'.repeat(600)], bad: [5, 'a'.repeat(601)] },
  'the time zone': { field: 'timeZone', good: ['UTC', 'a'.repeat(64)], bad: [0, 'a'.repeat(65)] },
  'the image': { field: 'image', good: ['a', 'a'.repeat(4_096)], bad: ['', 'a'.repeat(4_097)] },
  'the container': { field: 'name', good: ['a', 'a'.repeat(63), 'a-1'], bad: ['', 'A', 'a.b', '-a', 'a'.repeat(64)] },
  'the command': { field: 'command', good: [[], ['date']], bad: ['date', [1], Array(513).fill('a')] },
}
const fields = specSchema.shape as Record<string, z.ZodType>
for (const [name, { field, good, bad }] of Object.entries(limits))
  test(`zod and the CRD draw the same limit: ${name}`, () => {
    const [, schema] = all.find(([path]) => path.endsWith(`.spec.properties.${field}`)) ?? []
    assert.ok(schema !== undefined)
    for (const value of [...good, ...bad]) {
      const wanted = good.includes(value)
      assert.equal(fields[field]?.safeParse(value).success, wanted, `zod on ${JSON.stringify(value)}`)
      assert.equal(allows(schema as unknown as Limits, value), wanted, `the CRD on ${JSON.stringify(value)}`)
    }
  })

interface Limits {
  readonly type?: string
  readonly minimum: number
  readonly maximum: number
  readonly maxItems: number
  readonly items: Limits
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

/** What the API server does with the keywords that the CRD uses. */
function allows(schema: Limits, value: unknown): boolean {
  if (schema.type === 'integer')
    return Number.isInteger(value) && Number(value) >= schema.minimum && Number(value) <= schema.maximum
  if (schema.type === 'array')
    return Array.isArray(value) && value.length <= schema.maxItems && value.every((item) => allows(schema.items, item))
  return typeof value === 'string' && allowsText(schema, value)
}

function allowsText({ enum: words, minLength = 0, maxLength = Infinity, pattern = '' }: Limits, text: string): boolean {
  if (words !== undefined) return words.includes(text)
  return text.length >= minLength && text.length <= maxLength && new RegExp(pattern).test(text)
}

test('what has no structural form stops the generator', () => {
  assert.throws(
    () => structuralSchema(z.object({ a: z.union([z.string(), z.int()]) })),
    /\.a: anyOf has no place in a structural schema/,
  )
})
