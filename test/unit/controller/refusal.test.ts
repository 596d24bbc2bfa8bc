import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiErrorFacts } from '../../../src/api/api-error.ts'
import { verdictOnError } from '../../../src/controller/acceptance.ts'
import { delayAfter, laterPauseMs, type Refusal, refusalOf } from '../../../src/controller/refusal.ts'
import { anApiError } from '../../support/builders.ts'

interface Case {
  readonly error: Partial<ApiErrorFacts>
  readonly reason: Refusal['reason']
  readonly verdict: 'True' | 'False' | 'Unknown'
  readonly unknown?: boolean
}

const cases: Record<string, Case> = {
  'a bad value': {
    error: { kind: 'Invalid', code: 422, message: 'Job "a" is invalid' },
    reason: 'Invalid',
    verdict: 'False',
  },
  'a wrong type': {
    error: { kind: 'BadRequest', code: 400, message: 'cannot be handled as a Job' },
    reason: 'Invalid',
    verdict: 'False',
  },
  'the quota is reached': {
    error: { kind: 'Forbidden', code: 403, message: 'exceeded quota: small' },
    reason: 'QuotaExceeded',
    verdict: 'Unknown',
  },
  'no right': {
    error: { kind: 'Forbidden', code: 403, message: 'cannot create resource' },
    reason: 'Forbidden',
    verdict: 'Unknown',
  },
  'the namespace goes': {
    error: { kind: 'Forbidden', code: 403, causes: ['NamespaceTerminating'] },
    reason: 'NamespaceTerminating',
    verdict: 'Unknown',
  },
  'the namespace is gone': {
    error: { kind: 'NotFound', code: 404, detailsKind: 'namespaces' },
    reason: 'NamespaceNotFound',
    verdict: 'Unknown',
  },
  'a webhook denies': {
    error: { kind: 'BadRequest', code: 400, message: 'admission webhook "a" denied the request' },
    reason: 'WebhookDenied',
    verdict: 'Unknown',
  },
  'a webhook can’t be reached': {
    error: { kind: 'ServerError', code: 500, message: 'failed calling webhook "a"' },
    reason: 'WebhookFailed',
    verdict: 'Unknown',
    unknown: false,
  },
  'a policy denies': {
    error: { kind: 'Invalid', code: 422, message: "ValidatingAdmissionPolicy 'a' denied request" },
    reason: 'PolicyDenied',
    verdict: 'Unknown',
  },
  'the name is taken (in a trial: then all else was right)': {
    error: { kind: 'AlreadyExists', code: 409 },
    reason: 'Unavailable',
    verdict: 'True',
  },
  'the server gave up': {
    error: { kind: 'ServerError', code: 504 },
    reason: 'Unavailable',
    verdict: 'Unknown',
    unknown: true,
  },
  'no answer': { error: { kind: 'Unanswered' }, reason: 'Unavailable', verdict: 'Unknown', unknown: true },
  throttled: { error: { kind: 'Throttled', code: 429 }, reason: 'Unavailable', verdict: 'Unknown', unknown: false },
}
for (const [name, { error, reason, verdict, unknown }] of Object.entries(cases))
  test(`refusal: ${name}`, () => {
    const refusal = refusalOf(anApiError(error))
    assert.equal(refusal.reason, reason)
    assert.equal(refusal.unknown, unknown ?? false)
    assert.equal(verdictOnError(1, anApiError(error)).status, verdict)
  })

test('pauses: a refusal from a second to a minute, no answer from a tenth to five seconds, never before Retry-After', () => {
  const refused = refusalOf(anApiError({ kind: 'Forbidden' }))
  const away = refusalOf(anApiError({ kind: 'Unanswered' }))
  assert.deepEqual(
    [1, 2, 7, 50].map((failures) => delayAfter(refused, failures)),
    [1_000, 2_000, 60_000, 60_000],
  )
  assert.deepEqual(
    [1, 2, 7, 50].map((failures) => delayAfter(away, failures)),
    [100, 200, 5_000, 5_000],
  )
  assert.equal(delayAfter({ ...away, retryAfterMs: 7_000 }, 1), 7_000)
})

test('what no slot waits for is tried again within ten seconds of an API server that is back, within thirty where the cluster says no, within two where somebody else has written', () => {
  const pauses = [{ kind: 'Throttled' }, { kind: 'Unanswered' }, { kind: 'Forbidden' }, { kind: 'Conflict' }] as const
  assert.deepEqual(
    pauses.map((facts) => laterPauseMs(anApiError(facts), 9, 1_000)),
    [10_000, 10_000, 30_000, 2_000],
  )
  assert.equal(laterPauseMs(anApiError({ kind: 'Throttled', retryAfterMs: 20_000 }), 9, 1_000), 20_000)
  assert.equal(laterPauseMs(anApiError({ kind: 'Forbidden' }), 1, 1_000), 1_000)
})
