import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { finalizer } from '../../src/api/names.ts'
import { systemClock } from '../../src/clock.ts'
import { jobManifest, trialManifest } from '../../src/controller/job-manifest.ts'
import { KubeJobControl } from '../../src/kube/job-control.ts'
import { listMetadata } from '../../src/kube/paged-list.ts'
import { KubeSecondCronJobControl } from '../../src/kube/secondcronjob-control.ts'
import type { Transport } from '../../src/kube/transport.ts'
import { aTransport } from '../support/a-transport.ts'
import { aJob, aSecondCronJob, template } from '../support/builders.ts'
import { failure, json, page, ScriptedApiServer } from '../support/scripted-api-server.ts'
import { at } from '../support/times.ts'

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

const metadata = { uid: 'u', namespace: 'default', name: 'beat', resourceVersion: '9' }
const raw = { metadata, spec: { intervalSeconds: 10, image: 'busybox' } }
const object = aSecondCronJob({ resourceVersion: '8' })
const path = '/apis/myyrakle.com/v1/namespaces/default/secondcronjobs/beat'
const uid = { op: 'test', path: '/metadata/uid', value: object.uid }

/** The only request so far. */
function asked() {
  const { method, url, body, headers } = server.received[0] ?? assert.fail('nothing was asked')
  return { method, url, body, type: headers['content-type'] }
}

test('a Job is created with a limit for the server; its warnings are told, and the identity of the Job', async () => {
  const manifest = jobManifest(object, template, at('12:00:10'))
  server.expect(json(201, { metadata }, { warning: '299 - "unknown field \\"spec.a\\""' }))
  const { job, warnings } = await new KubeJobControl(transport).create('default', manifest, { timeoutMs: 10_000 })
  assert.deepEqual(warnings, ['unknown field "spec.a"'])
  assert.deepEqual([job?.uid, job?.resourceVersion], ['u', '9'])
  const { method, url, body } = asked()
  assert.match(server.received[0]?.headers.accept ?? '', /as=PartialObjectMetadata;/)
  assert.deepEqual(
    [method, url],
    ['POST', '/apis/batch/v1/namespaces/default/jobs?fieldManager=second-cron-job-operator&timeout=10000ms'],
  )
  assert.deepEqual(body, JSON.parse(JSON.stringify(manifest)))
})

test('a trial is a dry run that warns of unknown fields', async () => {
  server.expect(json(201, {}))
  await new KubeJobControl(transport).create('default', trialManifest(object, template), {
    dryRun: true,
    timeoutMs: 5_000,
  })
  assert.match(asked().url, /timeout=5000ms&dryRun=All&fieldValidation=Warn$/)
})

test('a Job is deleted as the very one that was seen, and its Pods in the background', async () => {
  const job = aJob()
  server.expect(json(200, {}))
  await new KubeJobControl(transport).delete(job)
  const { method, body } = asked()
  assert.equal(method, 'DELETE')
  assert.deepEqual(body, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    preconditions: { uid: job.uid, resourceVersion: job.resourceVersion },
    propagationPolicy: 'Background',
  })
})

test('deleting a Job that is gone is no error; one that has changed is', async () => {
  server.expect(failure(404, 'NotFound', { name: 'a', kind: 'jobs' }), failure(409, 'Conflict'))
  const control = new KubeJobControl(transport)
  await control.delete(aJob())
  await assert.rejects(control.delete(aJob()), { kind: 'Conflict' })
})

test('absence is believed only when the API server names the object', async () => {
  server.expect(
    failure(404, 'NotFound', { name: 'beat', kind: 'secondcronjobs' }),
    json(404, '404 page not found'),
    failure(403, 'Forbidden'),
  )
  const control = new KubeSecondCronJobControl(transport)
  assert.equal(await control.get('default', 'beat'), null)
  await assert.rejects(control.get('default', 'beat'), { kind: 'NoSuchResource' })
  await assert.rejects(control.get('default', 'beat'), { kind: 'Forbidden' })
})

test('the finalizer is added to none, or to what was there, and never over anything', async () => {
  server.expect(json(200, raw), json(200, raw))
  const control = new KubeSecondCronJobControl(transport)
  await control.addFinalizer({ ...object, finalizers: [] })
  await control.addFinalizer({ ...object, finalizers: ['other'] })
  assert.deepEqual(
    server.received.map(({ body }) => body),
    [
      [
        uid,
        { op: 'test', path: '/metadata/finalizers', value: null },
        { op: 'add', path: '/metadata/finalizers', value: [finalizer] },
      ],
      [
        uid,
        { op: 'test', path: '/metadata/finalizers', value: ['other'] },
        { op: 'add', path: '/metadata/finalizers/-', value: finalizer },
      ],
    ],
  )
  assert.equal(asked().type, 'application/json-patch+json')
})

test('the finalizer is removed at its index; an object that goes with it is null', async () => {
  const deleted = { ...raw, metadata: { ...metadata, deletionTimestamp: '2026-01-01T12:00:00Z' } }
  server.expect(json(200, deleted))
  const control = new KubeSecondCronJobControl(transport)
  assert.equal(await control.removeFinalizer({ ...object, finalizers: ['other', finalizer] }), null)
  assert.deepEqual(asked().body, [
    uid,
    { op: 'test', path: '/metadata/finalizers/1', value: finalizer },
    { op: 'remove', path: '/metadata/finalizers/1' },
  ])
})

test('a status is written over the one that was seen: by its version the first time, by handledUntil from then on', async () => {
  server.expect(json(200, raw), json(200, raw), json(200, raw))
  const control = new KubeSecondCronJobControl(transport)
  const status = { handledUntil: '2026-01-01T12:00:10Z' }
  const handledUntil = '2026-01-01T12:00:00Z'
  for (const stored of [{}, { missedCount: 0 }, { handledUntil }])
    await control.patchStatus({ ...object, status: stored }, status)
  const guards = [
    { op: 'test', path: '/metadata/resourceVersion', value: '8' },
    // Somebody who writes the object all the time wins no race here.
    { op: 'test', path: '/status/handledUntil', value: null },
    { op: 'test', path: '/status/handledUntil', value: handledUntil },
  ]
  assert.deepEqual(
    server.received.map((request) => [request.path, request.body]),
    guards.map((guard) => [`${path}/status`, [uid, guard, { op: 'add', path: '/status', value: status }]]),
  )
})

test('the scan asks for identities only, without a version, in pages; one that grew old starts afresh', async () => {
  server.expect(
    page([{ metadata }], { resourceVersion: '1', continue: 'next' }),
    failure(410, 'Expired'),
    page([{ metadata }], { resourceVersion: '2' }),
  )
  assert.deepEqual(await listMetadata({ transport, path: '/things' }), [metadata])
  assert.deepEqual(
    server.received.map(({ url }) => url),
    ['/things?limit=20', '/things?limit=40&continue=next', '/things?limit=20'],
  )
  assert.equal(server.received[0]?.headers.accept, 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1')
})

test('a Job is looked up by its name, and the Jobs of a resource by its label', async () => {
  const rawJob = { metadata: { ...metadata, name: 'beat-1' } }
  server.expect(
    json(200, rawJob),
    failure(404, 'NotFound', { name: 'beat-1' }),
    page([rawJob], { resourceVersion: '1' }),
  )
  const control = new KubeJobControl(transport)
  assert.equal((await control.get('default', 'beat-1'))?.name, 'beat-1')
  assert.equal(await control.get('default', 'beat-1'), null)
  assert.equal((await control.list('default', 'beat')).length, 1)
  const jobs = '/apis/batch/v1/namespaces/default/jobs'
  assert.deepEqual(
    server.received.map(({ url }) => url),
    [`${jobs}/beat-1`, `${jobs}/beat-1`, `${jobs}?limit=20&labelSelector=myyrakle.com%2Fsecond-cron-job%3Dbeat`],
  )
})

test('the finalizer of an object that is gone already: null; a guard that fails is an error', async () => {
  server.expect(failure(404, 'NotFound', { name: 'beat' }), failure(422, 'Invalid'))
  const control = new KubeSecondCronJobControl(transport)
  const held = { ...object, finalizers: [finalizer] }
  assert.equal(await control.removeFinalizer(held), null)
  await assert.rejects(control.removeFinalizer(held), { kind: 'Invalid' })
})
