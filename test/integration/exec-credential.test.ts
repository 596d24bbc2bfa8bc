import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { ClusterNotFound } from '../../src/kube/credentials.ts'
import { findCluster } from '../../src/kube/find-cluster.ts'
import { base64, folder, kubeconfig } from '../support/kubeconfig-file.ts'

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

const helperUser = (command: string) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' },
})

/** A helper that runs this shell script. */
async function aHelper(script: string): Promise<string> {
  const path = `${folder}/helper-${base64(script).slice(-12).replaceAll('/', '_')}.sh`
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

test('a helper is asked again a minute before its token ends', async () => {
  const end = Date.parse('2026-01-01T12:10:00Z')
  let now = end - 60_001
  const status = { token: 'TOKEN', expirationTimestamp: new Date(end).toISOString() }
  const command = await aHelper(`echo x >> ${folder}/asked; cat << END\n${JSON.stringify({ status })}\nEND`)
  const source = findCluster({ kubeconfig: await kubeconfig(helperUser(command)), env: {}, now: () => now })
  await source.read(false)
  await source.read(false)
  assert.equal(await readFile(`${folder}/asked`, 'utf8'), 'x\n')
  now += 1
  await source.read(false)
  assert.equal(await readFile(`${folder}/asked`, 'utf8'), 'x\nx\n')
})

test('a helper that gives a certificate; it is told that nobody is there to answer it', async () => {
  const command = await aHelper(
    `case "$KUBERNETES_EXEC_INFO" in *'"interactive":false'*) ;; *) exit 1;; esac\n` +
      `echo '{"status":{"clientCertificateData":"the certificate","clientKeyData":"the key"}}'`,
  )
  const { authorization, ca, cert, key } = await findCluster({
    kubeconfig: await kubeconfig(helperUser(command)),
    env: {},
  }).read(false)
  assert.deepEqual([authorization, ca, cert, key], [null, 'the CA', 'the certificate', 'the key'])
})

const uselessHelpers: Record<string, { script: string; want: RegExp }> = {
  'one that fails': { script: 'echo "log in first" >&2; echo more >&2; exit 3', want: /failed \(3\): log in first$/ },
  'one that prints no JSON': { script: 'echo secret', want: /did not print an ExecCredential with a token or a/ },
  'one that prints nothing of use': { script: `echo '{"status":{"token":null}}'`, want: /did not print/ },
}
for (const [name, { script, want }] of Object.entries(uselessHelpers))
  test(`a helper, ${name}: one sentence, and no secret in it`, async () => {
    const source = findCluster({ kubeconfig: await kubeconfig(helperUser(await aHelper(script))), env: {} })
    await assert.rejects(source.read(false), (error: Error) => {
      return error instanceof ClusterNotFound && want.test(error.message) && !error.message.includes('secret')
    })
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
