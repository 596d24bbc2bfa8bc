import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { embeddedGround, resourcesOf } from '../../sandbox/ground.ts'
import { create, readManifests } from '../../sandbox/manifests.ts'
import { startOperator } from '../../sandbox/operator.ts'
import { Component } from '../control-plane/component.ts'
import { type KubeObject, waitFor } from '../support/admin.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

function everyTenSeconds(name: string, namespace = 'default') {
  const kinds = { apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob', metadata: { name, namespace } }
  return { ...kinds, spec: { intervalSeconds: 10, image: 'busybox' } }
}

test('the sandbox: what `kubectl get -o yaml` prints is a manifest, one object or a List of them', async () => {
  const said: string[] = []
  await using before = await embeddedGround()
  const file = `${before.folder}/printed.yaml`
  assert.ok(
    await create(
      before,
      ['a', 'b', 'c'].map((name) => everyTenSeconds(name)),
      (line) => said.push(line),
    ),
  )
  const [a, ...others] = await resourcesOf(before)
  const list = { apiVersion: 'v1', items: others, kind: 'List', metadata: { resourceVersion: '' } }
  await writeFile(file, `${stringify(a)}---\n${stringify(list)}`)

  await using after = await embeddedGround()
  assert.ok(await create(after, await readManifests(file), (line) => said.push(line)), said.join('\n'))
  const specs = (await resourcesOf(after)).map(({ metadata, spec }) => [metadata.name, spec])
  assert.deepEqual(
    specs,
    (await resourcesOf(before)).map(({ metadata, spec }) => [metadata.name, spec]),
  )
  await writeFile(file, stringify({ ...list, items: [a, { kind: 'SecondCronJob' }] }))
  await assert.rejects(readManifests(file), /document 1, item 2: write apiVersion, kind and metadata/)
})

test('the sandbox: namespaces that the manifests are in, and that nobody makes, are created before, and it is said', async () => {
  const said: string[] = []
  await using ground = await embeddedGround()
  const inside = ['prod', 'prod', 'default', 'own'].map((namespace, index) => everyTenSeconds(`n${index}`, namespace))
  const made = [{ name: 'own', labels: { team: 'a' } }, { name: 'default' }].map((metadata) => {
    return { apiVersion: 'v1', kind: 'Namespace', metadata }
  })
  assert.ok(await create(ground, [...inside, ...made], (line) => said.push(line)), said.join('\n'))
  assert.deepEqual(said, [
    'namespace default is there already',
    'namespace prod is not there, and in no manifest: it is created',
  ])
  const found = (await resourcesOf(ground)).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
  assert.deepEqual(found.toSorted(), ['default/n2', 'own/n3', 'prod/n0', 'prod/n1'])
  const { metadata } = (await ground.request('GET', '/api/v1/namespaces/own')) as KubeObject
  assert.deepEqual((metadata['labels'] as Record<string, string>)['team'], 'a')
})

test('the sandbox: a second operator that is told nothing but the kubeconfig stands by, under the same Lease', async () => {
  await using ground = await embeddedGround()
  const first = await startOperator(ground, null)
  const holders = async () => {
    const { items } = (await ground.request('GET', '/apis/coordination.k8s.io/v1/leases')) as { items: KubeObject[] }
    return items.map(
      ({ metadata, spec }) => `${metadata.namespace} ${(spec as { holderIdentity: string }).holderIdentity}`,
    )
  }
  const [leader] = await waitFor('the first to lead', 20_000, async () => {
    const found = await holders()
    return found.length > 0 && found
  })
  const args = ['--kubeconfig', ground.kubeconfig, '--host', '127.0.0.1', '--port', '0']
  const second = new Component('second', ground.folder, [process.execPath, main, ...args])
  second.start()
  await second.until(async () => (await second.log()).includes('competes for the lease'), 20_000)
  const asked = async () => (await ground.requests()).filter(({ resource }) => resource === 'leases').length
  const before = await asked()
  await waitFor('both to have asked for their Lease again', 20_000, async () => (await asked()) >= before + 6)
  assert.deepEqual(await holders(), [leader])
  assert.doesNotMatch(await second.log(), /leadership begins/)
  await Promise.all([first, second].map((operator) => operator.end('SIGTERM')))
})
