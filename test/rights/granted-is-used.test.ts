import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Thing } from '../manifests/objects.ts'
import { manifests } from '../support/manifests.ts'
import { differences, notedRights } from '../support/rights.ts'

test('what the roles grant is what the operator has asked for in the end-to-end tests: nothing more, nothing less, nowhere else', async () => {
  const asked = await notedRights()
  assert.ok(asked.length > 0, 'run `npm run test:cluster`, which notes what is asked for')
  assert.deepEqual(differences((await manifests('deploy/rbac.yaml')) as unknown as readonly Thing[], asked), [])
})
