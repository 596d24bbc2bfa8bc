import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { ClusterNotFound, findCluster, sameTls } from '../../src/kube/credentials.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(`${tmpdir()}/credentials-`)
})
after(() => rm(folder, { recursive: true, force: true }))

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Writes a kubeconfig with this user, and answers its path. */
async function kubeconfig(user: object, name = 'config'): Promise<string> {
  const path = `${folder}/${name}`
  const cluster = { server: 'https://10.0.0.1:6443/prefix', 'certificate-authority-data': base64('the CA') }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'first', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'first',
  }
  await writeFile(path, JSON.stringify(config))
  return path
}

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
  const source = findCluster({ env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, serviceAccountFolder: `${folder}/none` })
  await assert.rejects(
    source.read(false),
    (error: Error) => error instanceof ClusterNotFound && /none\/(ca\.crt|token) can't be read/.test(error.message),
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

test('a kubeconfig with a helper that is executed; asked to, it is executed again', async () => {
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: 'TOKEN', expirationTimestamp: '2099-01-01T00:00:00Z' },
  }
  const helper = `${folder}/helper.sh`
  const script = `#!/bin/sh\necho x >> ${folder}/runs\necho '${JSON.stringify(credential)}' | sed "s/TOKEN/run-$(wc -l < ${folder}/runs | tr -d ' ')/"\n`
  await writeFile(helper, script)
  await chmod(helper, 0o755)
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: helper, interactiveMode: 'Never' }
  const source = findCluster({ kubeconfig: await kubeconfig({ exec }), env: {} })
  assert.equal((await source.read(false)).authorization, 'Bearer run-1')
  assert.equal((await source.read(false)).authorization, 'Bearer run-1')
  assert.equal((await source.read(true)).authorization, 'Bearer run-2')
})

test('a helper that is not there: one sentence', async () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/no/such/helper', interactiveMode: 'Never' }
  const source = findCluster({ kubeconfig: await kubeconfig({ exec }), env: {} })
  await assert.rejects(source.read(false), (error: Error) => {
    return (
      error instanceof ClusterNotFound &&
      /^the credentials of the kubeconfig can't be used: .*helper/.test(error.message)
    )
  })
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
  'a context that is not in it': {
    options: async () => ({ kubeconfig: await kubeconfig({ token: 'a' }), context: 'second', env: {} }),
    want: /^there is no context "second" in the kubeconfig; it has: first$/,
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
