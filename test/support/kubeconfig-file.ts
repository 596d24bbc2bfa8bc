import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { after, before } from 'node:test'

/** A folder that goes when the tests of this file have ended. */
export let folder: string
before(async () => {
  folder = await mkdtemp(`${tmpdir()}/kubeconfig-`)
})
after(() => rm(folder, { recursive: true, force: true }))

export const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Writes a kubeconfig with this user, and answers its path; `change` is of its top level. */
export async function kubeconfig(
  user: object,
  server = 'https://10.0.0.1:6443/prefix',
  change: object = {},
): Promise<string> {
  const path = `${folder}/config`
  const cluster = { server, 'certificate-authority-data': base64('the CA') }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'first', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'first',
    ...change,
  }
  await writeFile(path, JSON.stringify(config))
  return path
}
