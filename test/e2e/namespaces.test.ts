import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mayDo, serviceAccount } from '../support/access.ts'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { objectPath } from '../support/object-path.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { kustomized, skipWithoutKubectl } from '../support/kubectl.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { account, operatorUser } from '../support/service-account.ts'

/** Of the shipped list. */
const shipped = ['team-a', 'team-b']
const listed = [...shipped, 'later', 'never']
const kinds = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'ServiceAccount',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
])

const subject = serviceAccount(account.namespace, account.name)
const theirs = 'secondcronjobs.myyrakle.com'
const everything = {
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  resources: [
    theirs,
    `${theirs}/status`,
    `${theirs}/finalizers`,
    'jobs.batch',
    'events.events.k8s.io',
    'secrets',
    'pods',
  ],
}

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

describe('kubectl apply -k deploy-namespaces: a few namespaces, and the rights in these alone', {
  skip: skipWithoutKubectl,
}, () => {
  let cluster: Cluster
  let operator: OperatorProcess
  let bindings: readonly KubeObject[]

  before(async () => {
    const objects = (await kustomized('deploy-namespaces')) as KubeObject[]
    bindings = objects.filter(
      ({ kind, metadata }) => kind === 'RoleBinding' && shipped.includes(metadata.namespace ?? ''),
    )
    const rights = objects.filter(({ kind }) => kinds.has(String(kind)))
    const first = [...[...shipped, 'team-c'].map(namespace), ...rights]
    cluster = await Cluster.start({ first })
    const args = ['--namespaces', listed.join(',')]
    operator = await (await cluster.operator({ args })).start()
  })
  after(() => cluster?.[Symbol.asyncDispose]())

  /** The shipped RoleBinding, for this namespace. */
  function binding(of: string): KubeObject {
    const [one] = bindings
    assert.ok(one !== undefined)
    return { ...one, metadata: { ...one.metadata, namespace: of } }
  }

  const bind = (of: string) => cluster.admin.apply(binding(of))
  const unbind = (of: string) => cluster.admin.delete(objectPath(binding(of)))
  const isReady = async () => (await operator.probe('/readyz')) === 200

  async function namespaceIsGone(name: string, limitMs: number): Promise<void> {
    const path = `/api/v1/namespaces/${name}`
    await waitFor(`${name} to be gone`, limitMs, async () => (await cluster.admin.get(path)) === null)
  }

  /** No slot of these from their third second until now was lost or run twice. */
  async function areServed(...objects: readonly KubeObject[]): Promise<void> {
    const until = Date.now() - 1_000
    const expectations = objects.map((object) => expectationOf(object, createdAt(object) + 2_000, until))
    const { due, lost, twice, offGrid, early } = await cluster.judge(expectations)
    assert.ok(due >= 3 * objects.length, `${due} due`)
    assert.deepEqual({ lost, twice, offGrid, early }, { lost: [], twice: [], offGrid: [], early: [] })
  }

  test('what is left of the rights in another namespace is what the finalizer needs', async () => {
    const { verbs, resources } = everything
    for (const place of ['team-c', 'myyrakle', ''])
      for (const resource of resources) {
        const answers = verbs.map(async (verb) =>
          (await mayDo(cluster.admin, subject, [verb, resource], place)) ? [verb] : [],
        )
        const expected = resource === theirs ? ['get', 'patch'] : []
        assert.deepEqual((await Promise.all(answers)).flat(), expected, `${resource} in ${place}`)
      }
    assert.ok(await mayDo(cluster.admin, subject, ['create', 'jobs.batch'], 'team-a'))
  })

  test('those of the list are served to the second, another one is not touched, and nothing is asked outside', async () => {
    const objects = [
      await cluster.create('one', { intervalSeconds: 1 }, 'team-a'),
      await cluster.create('one', { intervalSeconds: 1 }, 'team-b'),
    ]
    await cluster.create('one', { intervalSeconds: 1 }, 'team-c')
    await untilTime(Math.max(...objects.map(createdAt)) + 13_000)
    await areServed(...objects)
    const stranger = await cluster.get('one', 'team-c')
    assert.deepEqual([stranger?.metadata['finalizers'], stranger?.['status']], [undefined, undefined])
    assert.deepEqual(await cluster.jobsOf('one', 'team-c'), [])
    const asked = (await cluster.audit()).filter(({ user, resource }) => user === operatorUser && resource !== '')
    const places = new Set(asked.map((record) => record.namespace))
    assert.deepEqual([...places].sort(), [...listed, account.namespace].sort())
    const refused = asked.filter(({ code }) => code === 403).map((record) => record.namespace)
    assert.deepEqual([...new Set(refused)].sort(), ['later', 'never'])
  })

  test('one that is not there yet: ready all the same, and served as soon as it is there and bound', async () => {
    assert.ok(await isReady())
    await cluster.createNamespace('later')
    const object = await cluster.create('one', { intervalSeconds: 1 }, 'later')
    await bind('later')
    await cluster.hasRun('one', 1, 'later')
    const from = Date.now() + 1_000
    await untilTime(from + 6_000)
    const { due, lost } = await cluster.judge([expectationOf(object, from, from + 5_000)])
    assert.deepEqual([due, lost], [5, []])
    assert.ok(await isReady())
  })

  test('a binding is taken away: not ready, the others lose nothing; served again with the binding; a namespace that goes meanwhile is not held', async (t) => {
    const undisturbed = await cluster.create('two', { intervalSeconds: 1 }, 'team-a')
    const begun = Date.now()
    await unbind('team-b')
    await unbind('later')
    await waitFor('/readyz to say no', 60_000, async () => !(await isReady()))
    t.diagnostic(`not ready after ${Date.now() - begun} ms`)
    const deletedAt = Date.now()
    await cluster.admin.delete('/api/v1/namespaces/later')
    await waitFor('the finalizer to be taken off', 20_000, async () => (await cluster.get('one', 'later')) === null)
    t.diagnostic(`the resource of an unbound namespace is gone after ${Date.now() - deletedAt} ms`)
    await namespaceIsGone('later', 20_000)
    await bind('team-b')
    await waitFor('/readyz to say yes', 15_000, isReady)
    const from = Date.now() + 2_000
    await untilTime(from + 6_000)
    const again = await cluster.get('one', 'team-b')
    assert.ok(again !== null)
    const { lost, twice } = await cluster.judge([expectationOf(again, from, from + 5_000)])
    assert.deepEqual([lost, twice], [[], []])
    await areServed(undisturbed)
  })

  test('a namespace is deleted and its binding goes first: it is gone within 20 s, the other one loses nothing', async (t) => {
    const undisturbed = await cluster.create('two', { intervalSeconds: 1 }, 'team-b')
    await untilTime(createdAt(undisturbed) + 3_000)
    const begun = Date.now()
    await unbind('team-a')
    await cluster.admin.delete('/api/v1/namespaces/team-a')
    await namespaceIsGone('team-a', 20_000)
    t.diagnostic(`gone after ${Date.now() - begun} ms`)
    await areServed(undisturbed)
    assert.ok(await isReady())
  })
})
