import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { Rule } from '../manifests/objects.ts'
import { mayDo, serviceAccount, type Subject, userNamed } from '../support/access.ts'
import { Admin, waitFor } from '../support/admin.ts'
import { skipWithoutKubectl } from '../support/kubectl.ts'
import { startDeployed } from '../support/applied.ts'

const rbac = 'rbac.authorization.k8s.io'
const namespace = 'myyrakle'
const name = 'second-cron-job-operator'
const account = serviceAccount(namespace, name)
const theirs = 'secondcronjobs.myyrakle.com'
const reading = ['get', 'list', 'watch']
const writing = ['create', 'update', 'patch', 'delete', 'deletecollection']
const everyVerb = [...reading, ...writing]
const subresourceVerbs = ['get', 'create', 'update', 'patch']

/** What the operator may not, whatever else changes. */
const forbidden: readonly (readonly [verbs: readonly string[], resources: string])[] = [
  [everyVerb, 'pods secrets configmaps namespaces nodes serviceaccounts events deployments.apps cronjobs.batch'],
  [everyVerb, 'customresourcedefinitions.apiextensions.k8s.io'],
  [everyVerb, 'validatingwebhookconfigurations.admissionregistration.k8s.io jobs.batch/status'],
  [[...everyVerb, 'escalate', 'bind'], `roles.${rbac} clusterroles.${rbac}`],
  [[...everyVerb, 'bind'], `rolebindings.${rbac} clusterrolebindings.${rbac}`],
  [subresourceVerbs, 'pods/exec pods/attach pods/log pods/ephemeralcontainers serviceaccounts/token'],
  [['update', 'patch', 'deletecollection'], 'jobs.batch'],
  [['create', 'update', 'delete', 'deletecollection'], theirs],
  [['update'], `${theirs}/status`],
  [everyVerb.filter((verb) => verb !== 'create'), 'events.events.k8s.io'],
  [['impersonate'], 'users groups serviceaccounts'],
  [['*'], `*.* * jobs.batch ${theirs}`],
  [everyVerb, '*.* *'],
]

const ruleKeys = ['apiGroups', 'resources', 'resourceNames', 'verbs']
const asText = (rules: readonly Rule[]) => rules.map((rule) => JSON.stringify(rule, ruleKeys)).sort()

/** What the operator may do with the Leases of a namespace that have this name, or with every one. */
async function verbsOnLeases({ admin }: ControlPlane, where: string, lease = ''): Promise<readonly string[]> {
  const answers = everyVerb.map((verb) => mayDo(admin, account, [verb, 'leases.coordination.k8s.io', lease], where))
  const isAllowed = await Promise.all(answers)
  return everyVerb.filter((_, at) => isAllowed[at])
}

describe('who may what, after kubectl apply -k deploy', { skip: skipWithoutKubectl }, () => {
  let plane: ControlPlane
  before(async () => {
    ;({ plane } = await startDeployed({ controllers: ['clusterrole-aggregation-controller'] }))
  })
  after(() => plane.stop())

  /** Binds a user of this name to the role of this name, in the namespace `team`. */
  async function user(role: string): Promise<Subject> {
    const metadata = { name: role, namespace: 'team' }
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: role }
    const subjects = [{ apiGroup: rbac, kind: 'User', name: `${role}or` }]
    await plane.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } })
    await plane.admin.apply({ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects })
    const subject = userNamed(`${role}or`)
    await waitFor('the role to be aggregated', 20_000, () => mayDo(plane.admin, subject, ['get', theirs], 'team'))
    return subject
  }

  /** Of the verbs, those that are allowed. */
  async function allowed(
    subject: Subject,
    verbs: readonly string[],
    resource: string,
    where?: string,
  ): Promise<readonly string[]> {
    const answers = await Promise.all(verbs.map((verb) => mayDo(plane.admin, subject, [verb, resource], where)))
    return verbs.filter((_, at) => answers[at])
  }

  for (const [role, verbs] of Object.entries({ edit: everyVerb, admin: everyVerb, view: reading })) {
    test(`whoever is bound to ${role} in a namespace may ${verbs.join(', ')} there, not elsewhere, and no status`, async () => {
      const subject = await user(role)
      await waitFor(
        'all verbs',
        20_000,
        async () => (await allowed(subject, verbs, theirs, 'team')).length === verbs.length,
      )
      assert.deepEqual(await allowed(subject, everyVerb, theirs, 'team'), verbs)
      assert.deepEqual(await allowed(subject, writing, `${theirs}/status`, 'team'), [])
      assert.deepEqual(await allowed(subject, ['get'], `${theirs}/status`, 'team'), ['get'])
      assert.deepEqual(await allowed(subject, ['update'], `${theirs}/finalizers`, 'team'), [])
      assert.deepEqual(await allowed(subject, everyVerb, theirs, 'default'), [])
      assert.deepEqual(await allowed(subject, everyVerb, theirs), [])
    })
  }

  test('whoever may start Jobs in a namespace is who may start them on a schedule', async () => {
    for (const role of ['edit', 'admin', 'view']) {
      const subject = await user(role)
      const jobs = await allowed(subject, writing, 'jobs.batch', 'team')
      assert.deepEqual(await allowed(subject, writing, theirs, 'team'), jobs)
    }
  })

  test('whoever is bound to nothing may nothing', async () => {
    const subject = userNamed('stranger')
    for (const where of ['team', 'default', undefined])
      for (const resource of [theirs, `${theirs}/status`])
        assert.deepEqual(await allowed(subject, everyVerb, resource, where), [])
  })

  for (const [verbs, resources] of forbidden) {
    test(`the operator may not ${verbs.join(', ')} ${resources.replaceAll(' ', ', ')}`, async () => {
      for (const resource of resources.split(' '))
        for (const where of [undefined, namespace, 'default'])
          assert.deepEqual(await allowed(account, verbs, resource, where), [], resource)
    })
  }

  test('the operator may take its own Lease, and no other', async () => {
    // A create can't be limited to a name.
    assert.deepEqual(await verbsOnLeases(plane, namespace, name), ['get', 'watch', 'create', 'update'])
    assert.deepEqual(await verbsOnLeases(plane, namespace, 'another'), ['create'])
    assert.deepEqual(await verbsOnLeases(plane, namespace), ['create'])
    for (const where of ['kube-system', 'default', ''])
      for (const lease of ['kube-controller-manager', name, ''])
        assert.deepEqual(await verbsOnLeases(plane, where, lease), [], `${where}/${lease}`)
  })

  /** What the API server says to a token of this service account that it may do. */
  async function rulesOf(who: string): Promise<string[]> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${who}/token`
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const { status } = (await plane.admin.request('POST', path, request)) as { status: { token: string } }
    const client = new Admin(plane.url, `${plane.folder}/certs/apiserver.crt`, status.token)
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } }
    const answer = await client.request('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', review)
    await client.close()
    return asText((answer as { status: { resourceRules: readonly Rule[] } }).status.resourceRules)
  }

  test('the operator may what its ClusterRole says in every namespace, what its Role says in its own, and else what everybody may', async () => {
    const role = await plane.admin.get(`/apis/${rbac}/v1/clusterroles/${name}`)
    const { rules } = role as unknown as { rules: readonly Rule[] }
    for (const { apiGroups, resources, verbs } of rules) {
      const [resource = '', subresource] = String(resources).split('/')
      const full = [`${resource}.${String(apiGroups)}`, subresource ?? []].flat().join('/')
      assert.deepEqual(await allowed(account, verbs, full), verbs)
    }
    const everybodys = new Set(await rulesOf('default'))
    const own = (await rulesOf(name)).filter((rule) => !everybodys.has(rule))
    const lease = await plane.admin.get(`/apis/${rbac}/v1/namespaces/${namespace}/roles/${name}`)
    const all = [...rules, ...(lease as unknown as { rules: readonly Rule[] }).rules]
    assert.deepEqual(own.toSorted(), asText(all).toSorted())
  })
})
