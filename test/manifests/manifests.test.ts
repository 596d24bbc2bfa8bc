import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { kustomized, skipWithoutKubectl } from '../support/kubectl.ts'
import { leaseName, termAnnotation } from '../../src/api/names.ts'
import { checks, speaking } from './checks.ts'
import { exceptions } from './exceptions.ts'
import { score } from './kubesec.ts'
import { objectBreakages } from './object-breakages.ts'
import { type AdmissionPolicy, type AdmissionPolicyBinding, type FlowSchema, ofKind, type Thing } from './objects.ts'
import { type Change, one } from './parts.ts'
import { podBreakages } from './pod-breakages.ts'

const breakages = { ...podBreakages, ...objectBreakages }
const kubesecScore = 14

describe('kubectl apply -k deploy, as kube-linter, Polaris and kubesec see it', { skip: skipWithoutKubectl }, () => {
  let shipped: readonly Thing[]
  before(async () => {
    shipped = (await kustomized()) as Thing[]
  })

  function changed(change: Change): Thing[] {
    const copy = structuredClone([...shipped])
    change(copy)
    return copy
  }

  for (const [name, check] of Object.entries(checks)) {
    test(name, () => {
      const complaints = check(shipped)
      if (exceptions[name] === undefined) assert.deepEqual(complaints, [])
      else assert.notDeepEqual(complaints, [], 'the exception is not needed')
    })
  }

  test(`kubesec: ${kubesecScore} points`, (t) => {
    const points = score(one('Deployment', shipped))
    t.diagnostic(`kubesec: ${points} points`)
    assert.equal(points, kubesecScore)
  })

  for (const [name, [change, expected]] of Object.entries(breakages)) {
    test(`it would be seen: ${name}`, () => {
      const usual = new Set(speaking(shipped))
      const heard = speaking(changed(change)).filter((check) => !usual.has(check))
      assert.deepEqual(heard.sort(), expected.split(' ').sort())
    })
  }

  for (const [name, { mend }] of Object.entries(exceptions)) {
    test(`the exception is of one thing: ${name}`, () => {
      assert.deepEqual(checks[name]?.(changed(mend)), [])
    })
  }
})

describe('kubectl apply -k deploy-namespaces', { skip: skipWithoutKubectl }, () => {
  let objects: readonly Thing[]
  before(async () => {
    objects = (await kustomized('deploy-namespaces')) as Thing[]
  })

  test('no more checks complain than of deploy', () => {
    assert.deepEqual(speaking(objects).sort(), Object.keys(exceptions).sort())
    assert.equal(score(one('Deployment', objects)), kubesecScore)
  })

  test('the role is bound in each namespace of the list', () => {
    const { env = [] } = one('Deployment', objects).spec.template.spec.containers[0] ?? {}
    const list = env.find(({ name }) => name === 'NAMESPACES')?.value
    const bound = ofKind(objects, 'RoleBinding')
      .filter(({ roleRef }) => roleRef.kind === 'ClusterRole')
      .map(({ metadata }) => metadata.namespace)
    assert.equal(bound.join(','), list)
  })

  test('in all namespaces it may get and patch SecondCronJobs, and nothing else', () => {
    const { roleRef } = one('ClusterRoleBinding', objects)
    const role = ofKind(objects, 'ClusterRole').find(({ metadata }) => metadata.name === roleRef.name)
    assert.deepEqual(role?.rules, [
      { apiGroups: ['myyrakle.com'], resources: ['secondcronjobs'], verbs: ['get', 'patch'] },
    ])
  })
})

describe('kubectl apply -k deploy-flowschema', { skip: skipWithoutKubectl }, () => {
  test('one FlowSchema, for the service account and the verbs that deploy gives it for the Lease, and for nothing else', async () => {
    const [schema, ...others] = (await kustomized('deploy-flowschema')) as FlowSchema[]
    assert.ok(schema !== undefined)
    assert.deepEqual([schema.kind, others], ['FlowSchema', []])
    const { priorityLevelConfiguration, matchingPrecedence, rules } = schema.spec
    assert.equal(priorityLevelConfiguration.name, 'leader-election')
    // Before the cluster's own for all service accounts, which takes what is left.
    assert.ok(matchingPrecedence < 9_000)
    assert.equal(rules.length, 1)
    const shipped = (await kustomized()) as Thing[]
    const { serviceAccountName: name } = one('Deployment', shipped).spec.template.spec
    const { namespace } = one('Deployment', shipped).metadata
    assert.deepEqual(rules[0]?.subjects, [{ kind: 'ServiceAccount', serviceAccount: { namespace, name } }])
    const granted = ofKind(shipped, 'Role').flatMap(({ rules: own }) => own)
    const leases = granted.filter(({ resources }) => resources.includes('leases'))
    const [rule, ...more] = rules[0]?.resourceRules ?? []
    assert.deepEqual(
      { ...rule, verbs: rule?.verbs.toSorted() },
      {
        apiGroups: ['coordination.k8s.io'],
        resources: ['leases'],
        namespaces: [namespace],
        verbs: [...new Set(leases.flatMap(({ verbs }) => verbs))].toSorted(),
      },
    )
    assert.deepEqual(more, [])
  })
})

describe('kubectl apply -k deploy-fence', { skip: skipWithoutKubectl }, () => {
  test('one policy for the Jobs of the service account, bound to the Lease; what it cannot judge it lets through', async () => {
    const [policy, binding, ...others] = (await kustomized('deploy-fence')) as [AdmissionPolicy, AdmissionPolicyBinding]
    const shipped = (await kustomized()) as Thing[]
    const { serviceAccountName } = one('Deployment', shipped).spec.template.spec
    const { namespace } = one('Deployment', shipped).metadata
    assert.deepEqual(others, [])
    assert.equal(policy.spec.failurePolicy, 'Ignore')
    assert.deepEqual(
      policy.spec.matchConstraints.resourceRules.map(({ operations, resources }) => [operations, resources]),
      [[['CREATE'], ['jobs']]],
    )
    const [sender, said] = policy.spec.matchConditions.map(({ expression }) => expression)
    assert.equal(sender, `request.userInfo.username == 'system:serviceaccount:${namespace}:${serviceAccountName}'`)
    assert.ok(said?.startsWith(`'${termAnnotation}' in`))
    assert.ok(policy.spec.validations.every(({ expression }) => expression.includes(`'${termAnnotation}'`)))
    assert.deepEqual(binding.spec, {
      policyName: policy.metadata.name,
      paramRef: { namespace, name: leaseName, parameterNotFoundAction: 'Allow' },
      validationActions: ['Deny'],
    })
  })
})

test('each check is heard, of a breakage or by its exception', () => {
  const heard = new Set([
    ...Object.values(breakages).flatMap(([, names]) => names.split(' ')),
    ...Object.keys(exceptions),
  ])
  assert.deepEqual([...heard].sort(), Object.keys(checks).sort())
})

test('docs/security.md says how many checks there are, why some are not heeded, and the score', async () => {
  const page = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name, reason]) => [name, reason])
  assert.deepEqual(
    rows,
    Object.entries(exceptions).map(([name, { reason }]) => [name, reason]),
  )
  const counted = ['kube-linter', 'polaris', 'kubesec'].map(
    (tool) => Object.keys(checks).filter((name) => name.startsWith(`${tool}/`)).length,
  )
  assert.ok(page.includes(`${counted[0]} of kube-linter, ${counted[1]} of Polaris, ${counted[2]} of kubesec`))
  assert.ok(page.includes(`The kubesec score is ${kubesecScore}.`))
})
