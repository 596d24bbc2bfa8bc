import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aJob, aSecondCronJob, definitions, Embedded, jobs, pods, scjs } from '../support/embedded.ts'

let api: Embedded
before(async () => {
  api = await Embedded.start()
})
after(() => api.server.stop())

const refusals: Readonly<Record<string, readonly [spec: object, code: number, message: RegExp]>> = {
  'a value out of range': [
    { intervalSeconds: 0 },
    422,
    /spec.intervalSeconds in body should be greater than or equal to 1/,
  ],
  'a wrong type': [{ command: 'a' }, 422, /spec.command in body must be of type array: "string"/],
  'a value that is not in the enum': [{ firstRun: 'X' }, 422, /Unsupported value: "X": supported values: "AtCreation"/],
  'a rule of the CRD': [{ interval_seconds: 1 }, 422, /spec: Invalid value: write exactly one of intervalSeconds/],
  'a container without a name': [
    { image: null, jobTemplate: { spec: { template: { spec: { containers: [{}] } } } } },
    422,
    /spec.jobTemplate.spec.template.spec.containers\[0\].name: Required value/,
  ],
}
for (const [what, [spec, code, message]] of Object.entries(refusals))
  test(`a create is refused: ${what}`, async () => {
    const said = await api.post(scjs, aSecondCronJob('refused', spec))
    assert.equal(said.code, code)
    assert.match(said.body.message ?? '', message)
    assert.equal((await api.get(`${scjs}/refused`)).code, 404)
  })

test('a name that is too long for its Jobs is refused by the rule of the CRD', async () => {
  const said = await api.post(scjs, aSecondCronJob('a'.repeat(53)))
  assert.match(said.body.message ?? '', /metadata.name must be at most 52/)
})

test('defaults are written, and an unknown field is left out with a warning', async () => {
  const said = await api.post(scjs, aSecondCronJob('defaults', { imagee: 'x' }))
  assert.equal(said.code, 201)
  assert.equal(said.warning, '299 - "unknown field \\"spec.imagee\\""')
  const { spec, metadata } = said.body
  assert.deepEqual(spec, {
    intervalSeconds: 10,
    image: 'busybox',
    concurrencyPolicy: 'Allow',
    activeJobsLimit: 100,
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  })
  assert.equal(metadata['creationTimestamp'], '2026-12-01T09:00:00Z')
  assert.equal(metadata['generation'], 1)
  const strict = await api.post(`${scjs}?fieldValidation=Strict`, aSecondCronJob('strict', { imagee: 'x' }))
  assert.equal(strict.code, 400)
  assert.match(strict.body.message ?? '', /strict decoding error: unknown field "spec.imagee"/)
})

test('the generation counts changes of the spec only; a patch that changes nothing keeps the version', async () => {
  await api.post(scjs, aSecondCronJob('counted'))
  const path = `${scjs}/counted`
  const generation = async (patch: object) => (await api.patch(path, patch)).body.metadata['generation']
  assert.equal(await generation({ metadata: { annotations: { a: 'b' } } }), 1)
  assert.equal(await generation({ spec: { intervalSeconds: 20 } }), 2)
  const version = (await api.get(path)).body.metadata['resourceVersion']
  assert.equal((await api.patch(path, { spec: { intervalSeconds: 20 } })).body.metadata['resourceVersion'], version)
  assert.equal((await api.patch(path, { status: { missedCount: 1 } })).body['status'], undefined)
  const status = await api.patch(`${path}/status`, { spec: { image: 'other' }, status: { missedCount: 1 } })
  assert.deepEqual([status.body['status'], status.body.metadata['generation']], [{ missedCount: 1 }, 2])
  assert.equal((status.body['spec'] as { image: string }).image, 'busybox')
})

test('what a schema let in before can still be patched when it has become stricter', async () => {
  await using own = await Embedded.start()
  await own.post(scjs, aSecondCronJob('old', { intervalSeconds: 1 }))
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/intervalSeconds/minimum'
  await own.patch(`${definitions}/secondcronjobs.myyrakle.com`, [{ op: 'replace', path, value: 5 }], 'json-patch')
  assert.equal((await own.post(scjs, aSecondCronJob('new', { intervalSeconds: 1 }))).code, 422)
  assert.equal((await own.patch(`${scjs}/old`, { spec: { suspend: true } })).code, 200)
  assert.equal((await own.patch(`${scjs}/old`, { spec: { intervalSeconds: 2 } })).code, 422)
})

test('a JSON patch is all or nothing, and its test of null is one of absence', async () => {
  await api.post(scjs, aSecondCronJob('guarded'))
  const path = `${scjs}/guarded`
  const finalizers = '/metadata/finalizers'
  const add = [
    { op: 'test', path: finalizers, value: null },
    { op: 'add', path: finalizers, value: ['a.b/c'] },
  ]
  assert.equal((await api.patch(path, add, 'json-patch')).code, 200)
  const again = await api.patch(path, add, 'json-patch')
  assert.equal(again.code, 422)
  assert.equal(again.body.message, 'the server rejected our request due to an error in our request')
})

function lease(metadata: object, renewTime = '2026-12-01T09:00:00.123000Z'): object {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'one', ...metadata },
    spec: { holderIdentity: 'me', renewTime },
  }
}

test('two writes on one version: the second is a conflict; a Lease without a version is refused', async () => {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
  const { metadata } = (await api.post(leases, lease({}))).body
  const put = async (object: object) => (await api.send('PUT', `${leases}/one`, object)).code
  const version = { resourceVersion: metadata['resourceVersion'] }
  assert.equal(await put(lease(version, '2026-12-01T09:00:01.123000Z')), 200)
  assert.equal(await put(lease(version, '2026-12-01T09:00:02.123000Z')), 409)
  assert.equal(await put(lease({})), 422)
  assert.equal((await api.post(leases, lease({ name: 'two' }, '2026-12-01T09:00:01.123Z'))).code, 400)
})

test('what is broken is refused, and ends nothing', async () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'broken' }, spec: {} }
  for (const metadata of [{ ownerReferences: 'x' }, { ownerReferences: [null] }, { finalizers: 'x' }, { labels: [] }])
    assert.equal((await api.post(pods, { ...pod, metadata: { name: 'broken', ...metadata } })).code, 400)
  await api.post(scjs, aSecondCronJob('patched'))
  assert.equal((await api.patch(`${scjs}/patched`, [null], 'json-patch')).code, 400)
  assert.equal((await api.patch(`${scjs}/patched`, [{ op: 'remove', path: 'spec' }], 'json-patch')).code, 422)
  assert.equal((await api.patch(`${scjs}/patched`, { metadata: { finalizers: 'x' } })).code, 422)
  assert.equal((await api.get(`${scjs}/%ZZ`)).code, 404)
})

test('a Job: the dry run says what the create would, and leaves nothing', async () => {
  const dry = `${jobs}?dryRun=All&fieldValidation=Warn`
  assert.equal((await api.post(dry, aJob('dry'))).code, 201)
  assert.equal((await api.get(`${jobs}/dry`)).code, 404)
  const typo = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b', imagee: 'c' }] } } }
  const said = await api.post(dry, aJob('dry', typo))
  assert.equal(said.warning, '299 - "unknown field \\"spec.template.spec.containers[0].imagee\\""')
  assert.equal((await api.post(dry, aJob('dry', { parallelism: 'x' }))).code, 400)
  assert.equal((await api.post(dry, aJob('dry', { template: { spec: { containers: [] } } }))).code, 422)
  assert.equal((await api.post(jobs, aJob('taken'))).code, 201)
  assert.equal((await api.post(dry, aJob('taken'))).code, 409)
})

test('what is not there says so', async () => {
  const asked = [
    ['/apis/storage.k8s.io/v1/volumeattachments', 'resource volumeattachments in storage.k8s.io/v1'],
    ['/api/v1/namespaces/default/pods/a/log', 'subresource pods/log'],
  ] as const
  for (const [path, what] of asked) {
    const { code, body } = await api.get(path)
    assert.deepEqual([code, body.message], [501, `the embedded API server has no ${what}; a real API server has`])
  }
  await api.post(scjs, aSecondCronJob('applied'))
  assert.equal(
    (await api.send('PATCH', `${scjs}/applied`, {}, { 'content-type': 'application/apply-patch+yaml' })).code,
    501,
  )
  const gone = await api.get('/apis/nobody.example.com/v1/things')
  assert.deepEqual([gone.code, gone.body.message], [404, '404 page not found\n'])
})

test('the request log has what was created, by whom, and when', async () => {
  await api.send('POST', jobs, aJob('logged'), { 'user-agent': 'somebody' })
  const record = api.server.requests().findLast(({ name }) => name === 'logged')
  const { verb, resource, namespace, code, userAgent, dryRun, received } = record ?? {}
  assert.deepEqual(
    [verb, resource, namespace, code, userAgent, dryRun],
    ['create', 'jobs', 'default', 201, 'somebody', false],
  )
  assert.equal(received, api.clock.now())
})
