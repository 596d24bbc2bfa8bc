import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeSecondCronJob } from '../../src/api/decode.ts'
import { finalizer } from '../../src/api/names.ts'
import { KubeJobControl } from '../../src/kube/job-control.ts'
import { KubeSecondCronJobControl } from '../../src/kube/secondcronjob-control.ts'
import type { Transport } from '../../src/kube/transport.ts'
import { aTransport } from '../support/a-transport.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { json, ScriptedApiServer } from '../support/scripted-api-server.ts'

let server: ScriptedApiServer
let transport: Transport
before(async () => {
  server = await ScriptedApiServer.start()
  transport = await aTransport(server, { clock: new ManualClock('2026-01-01T12:00:00Z') })
})
after(async () => {
  await transport.close()
  await server.end()
})

const identity = { uid: 'u', namespace: 'default', name: 'beat', resourceVersion: '7' }
const jobTemplate = {
  spec: { brandNew: 1, template: { spec: { containers: [{ name: 'a', args: ['x'.repeat(20_000)] }] } } },
}
const raw = { metadata: identity, spec: { intervalSeconds: 1, jobTemplate } }
const many = Array.from({ length: 1_000 }, (_, n) => `a.b/${n}`)

test('a large template is read whole, and what is held of its object is not', async () => {
  server.expect(json(200, raw))
  const control = new KubeSecondCronJobControl(transport)
  const found = await control.getWithTemplate('default', 'beat', new AbortController().signal)
  assert.deepEqual(found?.template, { metadata: { labels: {}, annotations: {} }, spec: jobTemplate.spec })
  assert.ok(found.object.spec.valid)
  assert.equal(found.object.spec.jobTemplate.json, null)
})

test('a large Job is sent as the bytes that it was written as', async () => {
  server.expect(json(201, { metadata: { ...identity, name: 'beat-1' } }))
  const manifest = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'beat-1', namespace: 'default' },
    spec: {},
  } as const
  const whole = { ...manifest, spec: { args: 'ä'.repeat(20_000) } }
  const bytes = new TextEncoder().encode(JSON.stringify(whole))
  await new KubeJobControl(transport).create('default', { ...manifest, json: bytes }, { timeoutMs: 1_000 })
  assert.deepEqual(server.received.at(-1)?.body, whole)
})

test('a thousand finalizers of others: ours is added at the end, and taken off from where it is', async () => {
  const control = new KubeSecondCronJobControl(transport)
  const finalized = { ...raw, metadata: { ...identity, finalizers: [...many, finalizer] } }
  server.expect(json(200, finalized), json(200, finalized), json(200, raw))
  const added = await control.addFinalizer(decodeSecondCronJob({ ...raw, metadata: { ...identity, finalizers: many } }))
  assert.deepEqual(server.received.at(-1)?.body, [
    { op: 'test', path: '/metadata/uid', value: 'u' },
    { op: 'add', path: '/metadata/finalizers/-', value: finalizer },
  ])
  await control.removeFinalizer(added)
  const path = '/metadata/finalizers/1000'
  assert.deepEqual(server.received.at(-1)?.body, [
    { op: 'test', path: '/metadata/uid', value: 'u' },
    { op: 'test', path, value: finalizer },
    { op: 'remove', path },
  ])
})
