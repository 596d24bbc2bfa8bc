import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { systemClock } from '../../src/clock.ts'
import { KubeLeaseControl } from '../../src/kube/lease-control.ts'
import type { Transport } from '../../src/kube/transport.ts'
import { aTransport } from '../support/a-transport.ts'
import { json, ScriptedApiServer } from '../support/scripted-api-server.ts'

let server: ScriptedApiServer
let transport: Transport
beforeEach(async () => {
  server = await ScriptedApiServer.start()
  transport = await aTransport(server, { clock: systemClock })
})
afterEach(async () => {
  await transport.close()
  await server.end()
})

const ours = { labels: { team: 'a' }, annotations: { note: 'b' }, finalizers: ['c/d'] }
const lease = { metadata: { name: 'l', namespace: 'n', resourceVersion: '7', ...ours }, spec: { holderIdentity: 'a' } }
const claim = { holder: 'a', durationMs: 6_000, transitions: 1, acquired: 0, renewed: 0 }

interface Body {
  readonly metadata: object
  readonly spec: { readonly leaseTransitions: number }
}

async function updated(transitions = 1): Promise<Body> {
  const control = new KubeLeaseControl(transport, 'n', 'l')
  server.expect(json(200, lease), json(200, { ...lease, metadata: { ...lease.metadata, resourceVersion: '8' } }))
  await control.get(1_000)
  await control.update('7', { ...claim, transitions }, 1_000)
  return server.received[1]?.body as Body
}

test('what others have put on the Lease stays there when it is renewed', async () => {
  assert.deepEqual((await updated()).metadata, lease.metadata)
})

test('an int32 of transitions is not counted beyond its end: the API server would refuse the claim for ever', async () => {
  assert.equal((await updated(2_147_483_648)).spec.leaseTransitions, 2_147_483_647)
})
