import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { ClusterNotFound, sameTls, usable } from '../../src/kube/credentials.ts'
import { findCluster } from '../../src/kube/find-cluster.ts'
import { plainCredentials } from '../support/a-transport.ts'
import { garbage } from '../support/garbage-credentials.ts'
import { base64, folder, kubeconfig } from '../support/kubeconfig-file.ts'

test('in a cluster: token and CA of the mount, read afresh each time, without the newline', async () => {
  await writeFile(`${folder}/token`, 'one\n')
  await writeFile(`${folder}/ca.crt`, 'first CA')
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
  const source = findCluster({ env, serviceAccountFolder: folder })
  assert.equal(source.server.href, 'https://10.0.0.1/')
  const first = await source.read(false)
  assert.deepEqual([first.authorization, first.ca], ['Bearer one', 'first CA'])
  await writeFile(`${folder}/token`, 'two')
  const rotated = await source.read(false)
  assert.equal(rotated.authorization, 'Bearer two')
  assert.ok(sameTls(first, rotated), 'a new token needs no new connections')
  await writeFile(`${folder}/ca.crt`, 'second CA')
  assert.ok(!sameTls(first, await source.read(false)), 'a new CA does')
})

test('in a cluster over IPv6', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }
  assert.equal(findCluster({ env }).server.href, 'https://[fd00::1]:6443/')
})

test('in a cluster without a token: one sentence that names the file', async () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
  const source = findCluster({ env, serviceAccountFolder: `${folder}/none` })
  await assert.rejects(
    source.read(false),
    (error: Error) => error instanceof ClusterNotFound && /none\/(ca\.crt|token) can't be read/.test(error.message),
  )
})

test('several kubeconfigs are one, as kubectl has it: the first has the current context, the second may have others', async () => {
  const first = await kubeconfig({ token: 'one' })
  const other = {
    clusters: [{ name: 'd', cluster: { server: 'https://10.0.0.2' } }],
    users: [{ name: 'v', user: { token: 'two' } }],
    contexts: [{ name: 'second', context: { cluster: 'd', user: 'v' } }],
  }
  await writeFile(`${folder}/other`, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...other }))
  const both = `${first}:${folder}/other`
  assert.equal((await findCluster({ kubeconfig: both, env: {} }).read(false)).authorization, 'Bearer one')
  assert.equal(
    (await findCluster({ kubeconfig: both, context: 'second', env: {} }).read(false)).authorization,
    'Bearer two',
  )
})

test('a kubeconfig with a token', async () => {
  const source = findCluster({ kubeconfig: await kubeconfig({ token: 'secret' }), env: {} })
  assert.equal(source.server.href, 'https://10.0.0.1:6443/prefix')
  const { authorization, ca, cert } = await source.read(false)
  assert.deepEqual([authorization, ca, cert], ['Bearer secret', 'the CA', undefined])
})

test('a kubeconfig with a client certificate', async () => {
  const user = { 'client-certificate-data': base64('the certificate'), 'client-key-data': base64('the key') }
  const { authorization, cert, key } = await findCluster({ kubeconfig: await kubeconfig(user), env: {} }).read(false)
  assert.deepEqual([authorization, cert, key], [null, 'the certificate', 'the key'])
})

test('a kubeconfig that acts as somebody else keeps doing so', async () => {
  const { impersonate } = await findCluster({
    kubeconfig: await kubeconfig({ token: 'secret', as: 'somebody' }),
    env: {},
  }).read(false)
  assert.equal(impersonate, 'somebody')
})

test('a kubeconfig with a server over plain HTTP', async () => {
  const source = findCluster({ kubeconfig: await kubeconfig({ token: 'secret' }, 'http://127.0.0.1:8001'), env: {} })
  assert.equal(source.server.href, 'http://127.0.0.1:8001/')
  assert.equal((await source.read(false)).authorization, 'Bearer secret')
})

const changed = async (change: object) => ({
  kubeconfig: await kubeconfig({ token: 'a' }, 'https://10.0.0.1', change),
  env: {},
})

test('a context without a user is nobody on purpose', async () => {
  const contexts = [{ name: 'first', context: { cluster: 'c' } }]
  const { authorization } = await findCluster(await changed({ contexts })).read(false)
  assert.equal(authorization, null)
})

const wrong: Record<string, { options: () => Promise<Parameters<typeof findCluster>[0]>; want: RegExp }> = {
  'a kubeconfig that is not there': {
    options: async () => ({ kubeconfig: '/no/such/file', env: {} }),
    want: /^the kubeconfig \/no\/such\/file can't be read: ENOENT/,
  },
  'a kubeconfig that is none': {
    options: async () => {
      await writeFile(`${folder}/text`, 'just: [text')
      return { kubeconfig: `${folder}/text`, env: {} }
    },
    want: /^the kubeconfig .*text can't be read: /,
  },
  // The parser drew the place in the file, over several lines.
  'a kubeconfig of bytes': {
    options: async () => {
      await writeFile(`${folder}/bytes`, Buffer.from([0x61, 0x3a, 0x0a, 0x00, 0xff, 0x0a, 0x62]))
      return { kubeconfig: `${folder}/bytes`, env: {} }
    },
    want: /^the kubeconfig [^\n]*bytes can't be read: [^\n]*$/,
  },
  'a server that is no URL': {
    options: async () => ({ kubeconfig: await kubeconfig({ token: 'a' }, '10.0.0.1:6443'), env: {} }),
    want: /^the server "10.0.0.1:6443" is no URL; write https:\/\/HOST:PORT$/,
  },
  'half of what a cluster sets': {
    options: async () => ({ env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } }),
    want: /^no cluster found: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must both be set/,
  },
  'a context that is not in it': {
    options: async () => ({ kubeconfig: await kubeconfig({ token: 'a' }), context: 'second', env: {} }),
    want: /^there is no context "second" in the kubeconfig; it has: first$/,
  },
  'a current context that is not in it': {
    options: () => changed({ 'current-context': 'second' }),
    want: /^the current-context "second" is not in the kubeconfig; write --context with one of: first$/,
  },
  'no current context': {
    options: () => changed({ 'current-context': undefined }),
    want: /^the kubeconfig has no current-context; write --context with one of: first$/,
  },
  // It went on as nobody, and the API server refused everything.
  'a user that is not in it': {
    options: () => changed({ users: [{ name: 'v', user: {} }] }),
    want: /^the context "first" names the user "u", which is not in the kubeconfig; it has: v$/,
  },
  'a cluster that is not in it': {
    options: () => changed({ clusters: [] }),
    want: /^the context "first" names the cluster "c", which is not in the kubeconfig; it has: none$/,
  },
  'a cluster that is reached through a proxy': {
    options: () =>
      changed({ clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1', 'proxy-url': 'http://proxy' } }] }),
    want: /^the cluster "c" has a proxy-url, which is not supported; /,
  },
  'nothing in it': {
    options: () => changed({ clusters: [], users: [], contexts: [], 'current-context': undefined }),
    want: /^no cluster found: set KUBECONFIG or --kubeconfig to a file that names one, or run inside a cluster$/,
  },
}
for (const [name, { options, want }] of Object.entries(wrong))
  test(`one sentence: ${name}`, async () => {
    const given = await options()
    assert.throws(
      () => findCluster(given),
      (error: Error) => error instanceof ClusterNotFound && want.test(error.message),
    )
  })

for (const [name, found] of Object.entries(garbage))
  test(`one sentence: ${name}`, () => {
    assert.throws(
      () => usable({ ...plainCredentials, ...found }),
      (error: Error) => error instanceof ClusterNotFound && /^[^\n]*can(?:'t)? be used[^\n]*$/.test(error.message),
    )
  })
