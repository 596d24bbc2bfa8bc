import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedOf } from '../../faults/proxy/asked.ts'
import { isAbout } from '../../faults/proxy/rules.ts'
import { writeKinds, writes } from '../../faults/kinds.ts'

const scj = '/apis/myyrakle.com/v1/namespaces/a/secondcronjobs/b'
const jobs = '/apis/batch/v1/namespaces/a/jobs'
const lease = '/apis/coordination.k8s.io/v1/namespaces/a/leases/l'

/** `METHOD URL`, a body, and what it is about: `verb resource/subresource namespace/name`. */
const cases: readonly (readonly [request: string, body: string, about: string])[] = [
  ['GET /apis/batch/v1/jobs?limit=500', '', 'list jobs/ /'],
  ['GET /apis/batch/v1/jobs?watch=true', '', 'watch jobs/ /'],
  [`GET ${jobs}/c`, '', 'get jobs/ a/c'],
  [`POST ${jobs}?fieldManager=x`, '{"metadata":{"name":"c"}}', 'create jobs/ a/c'],
  [`POST ${jobs}`, 'no JSON', 'create jobs/ a/'],
  [`PATCH ${scj}/status`, '[]', 'patch secondcronjobs/status a/b'],
  [`PUT ${lease}`, '{}', 'update leases/ a/l'],
  [`DELETE ${jobs}/c`, '', 'delete jobs/ a/c'],
  [`DELETE ${jobs}`, '', 'deletecollection jobs/ a/'],
  ['GET /api/v1/namespaces/a/pods', '', 'list pods/ a/'],
  ['GET /api/v1/namespaces/a', '', 'get namespaces/ /a'],
  ['GET /version', '', 'get / /'],
]

const ask = (request: string, body: string) => {
  const [method = '', url = ''] = request.split(' ')
  return askedOf({ method, url, body, accept: '' })
}

for (const [request, body, about] of cases)
  test(`fault proxy, what is asked: ${request}`, () => {
    const { verb, resource, subresource, namespace, name } = ask(request, body)
    assert.equal(`${verb} ${resource}/${subresource} ${namespace}/${name}`, about)
  })

/** One write of each kind, as the operator sends it. */
const sent: readonly (readonly [kind: string, request: string, body: string])[] = [
  ['finalizer-add', `PATCH ${scj}`, '[{"op":"test"},{"op":"add","path":"/metadata/finalizers"}]'],
  ['job-create', `POST ${jobs}?timeout=10s`, '{"metadata":{"name":"c"}}'],
  ['status-patch', `PATCH ${scj}/status`, '[{"op":"add"}]'],
  ['event', 'POST /apis/events.k8s.io/v1/namespaces/a/events', '{}'],
  ['job-delete', `DELETE ${jobs}/c`, '{}'],
  ['finalizer-remove', `PATCH ${scj}`, '[{"op":"test"},{"op":"remove","path":"/metadata/finalizers/0"}]'],
  ['lease', `PUT ${lease}`, '{}'],
]

for (const [kind, request, body] of sent)
  test(`matrix: ${kind} is one kind of write, and no other one`, () => {
    const asked = ask(request, body)
    assert.deepEqual(
      writeKinds.filter((each) => isAbout(writes[each], asked)),
      [kind],
    )
  })

test('matrix: the trial of a template is no create', () => {
  assert.equal(isAbout(writes['job-create'], ask(`POST ${jobs}?dryRun=All`, '{}')), false)
})
