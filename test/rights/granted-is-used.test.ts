import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifests } from '../support/cluster.ts'
import { notedRights, rightOf } from '../support/rights.ts'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/**
 * Asked for by nobody, but looked at by the API server when a Job names its blocking owner and the admission plugin
 * OwnerReferencesPermissionEnforcement is on, as it is in the end-to-end tests.
 */
const lookedAt = 'update myyrakle.com/secondcronjobs/finalizers'

test('what the role grants is what the operator has asked for in the end-to-end tests: nothing more, nothing less', async () => {
  const roles = (await manifests('deploy/rbac.yaml')).filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
  const granted = roles.flatMap((role) => (role['rules'] as readonly Rule[]).flatMap(expand))
  const asked = await notedRights()
  assert.ok(asked.size > 0, 'run `npm run test:cluster`, which notes what is asked for')
  assert.deepEqual([...asked, lookedAt].sort(), granted.sort())
})

function expand({ apiGroups, resources, verbs }: Rule): readonly string[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((full) => {
      const [resource = '', subresource = ''] = full.split('/')
      return verbs.map((verb) => rightOf(verb, group, resource, subresource))
    }),
  )
}
