import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { type Component, freePort } from '../control-plane/component.ts'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { container, ProjectedVolume, skipUncontained } from '../support/container.ts'
import { account, shortToken } from '../support/service-account.ts'
import { describeLateness } from '../support/verdict.ts'

const skip = skipUncontained
const tokenSeconds = 20
/** The API server remembers for so long that it has seen a token. */
const rememberedSeconds = 10

let cluster: Cluster
let pod: KubeObject
let volume: ProjectedVolume
let operator: Component
let port: number

before(async () => {
  if (skip !== false) return
  cluster = await Cluster.start()
  pod = await cluster.operatorPod()
  volume = new ProjectedVolume(`${cluster.plane.folder}/volume`)
  await mkdir(volume.folder)
  port = await freePort()
})
after(async () => {
  await operator?.end('SIGKILL')
  await cluster?.[Symbol.asyncDispose]()
})

const probe = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status

async function project(token: string, ca: string): Promise<void> {
  await volume.write({ token, 'ca.crt': ca, namespace: account.namespace })
}

describe('the bundle in a container, with nothing but its service account', { skip }, () => {
  test('it finds the cluster by its environment and the projected volume', async () => {
    await project(await shortToken(cluster.plane, pod, tokenSeconds), await cluster.plane.ca())
    const { hostname, port: serverPort } = new URL(cluster.plane.url)
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: serverPort, PORT: String(port) }
    const { folder } = cluster.plane
    operator = container({ name: 'operator', folder, volume, args: ['run', '--log-level', 'debug'], env, user: 65_532 })
    operator.start()
    await operator.until(async () => (await probe('/readyz')) === 200, 20_000)
  })

  test('its token ends and is renewed, twice: no slot is lost, and no request is refused for long', async (t) => {
    const object = await cluster.create('rotated', { intervalSeconds: 1 })
    const from = createdAt(object) + 2_000
    await untilTime(from + 5_000)
    const second = await shortToken(cluster.plane, pod, tokenSeconds)
    await project(second, await cluster.plane.ca())
    await untilTime(from + 5_000 + tokenSeconds * 800)
    await project(await shortToken(cluster.plane, pod, 600), await cluster.plane.ca())
    await untilTime(from + 5_000 + (tokenSeconds + rememberedSeconds) * 1_000 + 5_000)
    const until = Date.now() - 1_000
    const verdict = await cluster.judge([expectationOf(object, from, until)])
    t.diagnostic(`${verdict.due} slots due, ${describeLateness(verdict)}`)
    assert.deepEqual([verdict.lost, verdict.twice], [[], []])
    assert.equal(await isTaken(second), false)
    await cluster.delete('rotated')
  })

  test('the CA of the API server is another one, and the file follows two seconds later: back within five seconds', async (t) => {
    const object = await cluster.create('ca', { intervalSeconds: 1 })
    await cluster.hasRun('ca', 2)
    const oldCa = await cluster.plane.ca()
    await cluster.plane.replaceCa()
    const backAt = Date.now()
    await untilTime(backAt + 2_000)
    const token = await shortToken(cluster.plane, pod, 600)
    const renewedAt = Date.now()
    await project(token, `${oldCa}\n${await cluster.plane.ca()}`)
    await waitFor('a Job', 5_000, async () => {
      return (await cluster.launchesOf('ca')).some(({ received }) => received > backAt)
    })
    const launches = await cluster.launchesOf('ca')
    const first = launches.find(({ received }) => received > backAt)?.received ?? Number.NaN
    t.diagnostic(`first Job ${Math.round(first - renewedAt)} ms after the new CA was there`)
    await untilTime(renewedAt + 10_000)
    const verdict = await cluster.judge([expectationOf(object, renewedAt + 6_000, renewedAt + 9_500)])
    assert.deepEqual([verdict.lost, verdict.twice], [[], []])
    assert.equal(await probe('/readyz'), 200)
  })

  test('the token is mounted, but nothing names the server: one sentence, exit code 1', async () => {
    const { folder } = cluster.plane
    const lost = container({ name: 'lost', folder, volume, args: ['run'], env: { HOME: '/' }, user: 65_532 })
    lost.start()
    await waitFor('it to end', 10_000, async () => !lost.isRunning)
    assert.equal(await lost.end('SIGKILL'), 1)
    assert.equal(
      await lost.log(),
      'no cluster found: set KUBECONFIG or --kubeconfig to a file that names one, or run inside a cluster\n',
    )
  })

  test('SIGTERM, as the first process of its container: exit code 0', async () => {
    assert.equal(await operator.end('SIGTERM'), 0)
  })
})

/** Whether the API server still takes this token. */
async function isTaken(token: string): Promise<boolean> {
  const answer = await cluster.admin.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token },
  })
  return (answer as { status: { authenticated?: boolean } }).status.authenticated === true
}
