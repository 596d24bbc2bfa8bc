import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiErrorFacts } from '../../../src/api/api-error.ts'
import { errorOfAnswer, errorOfTransport, type FailedAnswer } from '../../../src/kube/classify-error.ts'

const status = (reason: string, more: object = {}) => ({ kind: 'Status', reason, message: `${reason}!`, ...more })

const cases: Record<string, { answer: Partial<FailedAnswer>; want: Partial<ApiErrorFacts> }> = {
  'a 404 that names the object': {
    answer: { code: 404, body: status('NotFound', { details: { name: 'a', kind: 'jobs' } }) },
    want: { kind: 'NotFound', detailsKind: 'jobs', message: 'NotFound!' },
  },
  'a 404 in plain text: the CRD is gone, which says nothing about the object': {
    answer: { code: 404, body: '404 page not found\n' },
    want: { kind: 'NoSuchResource', message: '404 page not found' },
  },
  'a 404 Status without a name': { answer: { code: 404, body: status('NotFound') }, want: { kind: 'NoSuchResource' } },
  'the name is taken': { answer: { code: 409, body: status('AlreadyExists') }, want: { kind: 'AlreadyExists' } },
  'an old resourceVersion': { answer: { code: 409, body: status('Conflict') }, want: { kind: 'Conflict' } },
  'a terminating namespace': {
    answer: { code: 403, body: status('Forbidden', { details: { causes: [{ reason: 'NamespaceTerminating' }] } }) },
    want: { kind: 'Forbidden', causes: ['NamespaceTerminating'] },
  },
  'throttled, with a time to come back': {
    answer: { code: 429, body: status('TooManyRequests'), retryAfter: '2' },
    want: { kind: 'Throttled', retryAfterMs: 2_000 },
  },
  'a list from the future': {
    answer: { code: 504, body: status('Timeout', { details: { retryAfterSeconds: 1 } }) },
    want: { kind: 'ServerError', retryAfterMs: 1_000 },
  },
  'a proxy that wants an hour gets a minute': {
    answer: { code: 503, body: '', retryAfter: '3600' },
    want: { kind: 'ServerError', retryAfterMs: 60_000 },
  },
  'a Retry-After that is a date': {
    answer: { code: 503, body: '', retryAfter: 'Wed, 21 Oct 2026' },
    want: { kind: 'ServerError', retryAfterMs: null, message: 'HTTP 503' },
  },
  'too old': { answer: { code: 410, body: status('Expired') }, want: { kind: 'Gone' } },
  'not let in': { answer: { code: 401, body: status('Unauthorized') }, want: { kind: 'Unauthorized' } },
  'a webhook denies: 400 without a reason': { answer: { code: 400, body: status('') }, want: { kind: 'BadRequest' } },
  'a bad value, or a failed test of a JSON patch': {
    answer: { code: 422, body: status('Invalid') },
    want: { kind: 'Invalid' },
  },
  'a proxy at lunch': { answer: { code: 302, body: '' }, want: { kind: 'Unexpected' } },
}

for (const [name, { answer, want }] of Object.entries(cases))
  test(`classify: ${name}`, () => {
    const error = errorOfAnswer({ code: 500, body: '', retryAfter: undefined, ...answer })
    for (const [field, value] of Object.entries(want))
      assert.deepEqual(error[field as keyof ApiErrorFacts], value, field)
  })

test('no answer at all: unanswered, with the cause and its code', () => {
  const error = errorOfTransport(Object.assign(new Error('connection lost'), { code: 'UND_ERR_SOCKET' }))
  assert.deepEqual([error.kind, error.code, error.message], ['Unanswered', 0, 'connection lost (UND_ERR_SOCKET)'])
})
