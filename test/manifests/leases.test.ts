import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { leaseName } from '../../src/api/names.ts'
import { kustomized, skipWithoutKubectl } from '../support/kubectl.ts'
import { type Asked, differences } from '../support/rights.ts'
import { leaseBreakages, leaseGrants } from './lease-breakages.ts'
import { ofKind, type Thing } from './objects.ts'

const expected = [
  'Role myyrakle: create',
  `Role myyrakle: get ${leaseName}`,
  `Role myyrakle: update ${leaseName}`,
  `Role myyrakle: watch ${leaseName}`,
]

/** What the operator asks for, as the audit log has it. */
function usual(): readonly Asked[] {
  const scj = 'myyrakle.com/secondcronjobs'
  const named = [`get ${scj}`, `patch ${scj}`, `patch ${scj}/status`, 'get batch/jobs', 'delete batch/jobs']
  const unnamed = ['create batch/jobs', 'create events.k8s.io/events']
  const whole = [`list ${scj}`, `watch ${scj}`, 'list batch/jobs', 'watch batch/jobs']
  const leases = ['get', 'watch', 'update'].map((verb) => `${verb} coordination.k8s.io/leases`)
  return [
    ...['default', 'team'].flatMap((namespace) => [
      ...named.map((right) => ({ right, namespace, name: '*' })),
      ...unnamed.map((right) => ({ right, namespace, name: '' })),
    ]),
    ...whole.map((right) => ({ right, namespace: '', name: '' })),
    ...leases.map((right) => ({ right, namespace: 'myyrakle', name: leaseName })),
    { right: 'create coordination.k8s.io/leases', namespace: 'myyrakle', name: '' },
  ]
}

/** Without the roles that are for users. */
function own(objects: readonly Thing[]): readonly Thing[] {
  return objects.filter(({ kind, metadata }) => !kind.endsWith('Role') || metadata.name === 'second-cron-job-operator')
}

/** Both tests of the rights were blind for names and namespaces: every Lease of kube-system could have been taken. */
describe('the Lease of the operator, and no other', { skip: skipWithoutKubectl }, () => {
  let shipped: readonly Thing[]
  before(async () => {
    shipped = (await kustomized()) as Thing[]
  })

  test('it is granted by name, in its own namespace', () => {
    assert.deepEqual(leaseGrants(shipped), expected)
    assert.equal(ofKind(own(shipped), 'ClusterRole').length, 1)
    assert.deepEqual(differences(own(shipped), usual()), [])
  })

  test('the same holds of deploy-namespaces', async () => {
    assert.deepEqual(leaseGrants((await kustomized('deploy-namespaces')) as Thing[]), expected)
  })

  for (const [name, change] of Object.entries(leaseBreakages)) {
    test(`it would be seen, here and after the end-to-end tests: ${name}`, () => {
      const copy = structuredClone([...shipped])
      change(copy)
      assert.notDeepEqual(leaseGrants(copy), expected)
      assert.notDeepEqual(differences(own(copy), usual()), [])
    })
  }

  test('a right that is granted and not used, or used and not granted, would be seen after the end-to-end tests', () => {
    const [first, ...others] = usual()
    assert.ok(first !== undefined)
    const unused = others.filter(({ right }) => right !== first.right)
    assert.deepEqual(differences(own(shipped), unused), [`${first.right} is granted, but not asked for`])
    const secrets = { right: 'get secrets', namespace: 'default', name: 'a' }
    assert.deepEqual(differences(own(shipped), [...usual(), secrets]), [
      'get secrets is asked for, but not granted: default/a',
    ])
  })
})
