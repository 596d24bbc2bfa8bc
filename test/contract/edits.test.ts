import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifests } from '../support/manifests.ts'
import { edits } from './rows/edits.ts'
import { editsInTime } from './rows/edits-in-time.ts'

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: Fields } } }
    }[]
  }
}

interface Fields {
  readonly properties: Readonly<Record<string, unknown>>
}

test('each field of the spec is edited by a row that begins with its name', async () => {
  const [definition] = (await manifests('deploy/crd.yaml')) as unknown as Definition[]
  const fields = Object.keys(definition?.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {})
  assert.ok(fields.length >= 16, String(fields))
  const names = [...edits.rows, ...editsInTime.rows].map(({ name }) => name)
  assert.deepEqual(
    fields.filter((field) => !names.some((name) => name.startsWith(`${field}:`))),
    [],
  )
})
