import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeSamples, Sample } from '../../../sandbox/samples.ts'
import { isAllRight, summaryOf } from '../../../sandbox/summary.ts'
import type { KubeObject } from '../../support/admin.ts'
import type { AuditRecord } from '../../support/audit.ts'
import { at } from '../../support/times.ts'

/** As the API server answers; each change of the spec and the mark of a deletion count the generation up. */
function resource(change: Record<string, unknown> = {}, spec: Record<string, unknown> = {}): KubeObject {
  const metadata = { namespace: 'default', uid: 'u1', generation: 1, creationTimestamp: '2026-01-01T12:00:00Z' }
  return { metadata: { name: 'beat', ...metadata, ...change }, spec: { intervalSeconds: 1, ...spec } }
}

/** A sample that was last seen unchanged at 12:00:10 and is `then` 200 ms later. */
function sample(then?: KubeObject | null): Sample {
  const beat = new Sample(resource())
  beat.observe(resource(), at('12:00:10'))
  if (then !== undefined) beat.observe(then, at('12:00:10.200'))
  return beat
}

/** The create of the Job of the second after 12:00:00, by one operator or another. */
function created(second: number, user = 'operator'): AuditRecord {
  const slot = at('12:00:00') + second * 1_000
  const name = `beat-${slot / 1_000}`
  const what = { verb: 'create', group: 'batch', resource: 'jobs', subresource: '', namespace: 'default', name }
  return { ...what, user, userAgent: '', code: 201, dryRun: false, received: slot + 3, completed: slot + 5 }
}

const seconds = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => created(first + n))
const changed = 'beat was changed at 12:00:10 UTC and is judged up to two seconds before'

test('samples: unchanged, each due slot is to have its Job', () => {
  const verdict = judgeSamples([sample()], seconds(0, 10))
  assert.equal(verdict.due, 9)
  assert.ok(isAllRight(verdict))
  const { lost } = judgeSamples([sample()], [...seconds(0, 4), ...seconds(6, 10)])
  assert.deepEqual(lost, [created(5).name])
})

const changes: Record<string, KubeObject | null> = {
  'suspended or edited': resource({ generation: 2 }),
  'on its way to be gone': resource({ generation: 2, deletionTimestamp: '2026-01-01T12:00:10Z' }),
  gone: null,
  'another one of the same name': resource({ uid: 'u2' }),
}

for (const [change, then] of Object.entries(changes))
  test(`samples: ${change}, nothing is lost after it, and the summary says so`, () => {
    const beat = sample(then)
    // Much later; it even looks again as it did.
    beat.observe(resource(), at('12:00:30'))
    const verdict = judgeSamples([beat], seconds(0, 8))
    assert.deepEqual([verdict.due, verdict.lost], [7, []])
    assert.ok(summaryOf([beat], verdict).includes(changed))
  })

test('samples: what was lost well before a change is lost', () => {
  assert.deepEqual(judgeSamples([sample(null)], seconds(0, 6)).lost, [created(7).name])
})

test('samples: after an edit the Jobs may lie on another grid', () => {
  const slow = new Sample({ ...resource(), spec: { intervalSeconds: 5 } })
  slow.observe(resource(), at('12:00:10'))
  slow.observe(resource({ generation: 2 }), at('12:00:10.200'))
  const verdict = judgeSamples([slow], [created(0), created(5), ...seconds(10, 20)])
  assert.ok(isAllRight(verdict))
})

test('samples: an annotation, a finalizer or a status is no change', () => {
  const verdict = judgeSamples([sample(resource({ resourceVersion: '99' }))], seconds(0, 10))
  assert.deepEqual([verdict.due, verdict.lost], [9, []])
})

test('samples: a second operator may have launched it', () => {
  const records = Array.from({ length: 11 }, (_, n) => created(n, n % 2 === 0 ? 'operator' : 'admin'))
  assert.ok(isAllRight(judgeSamples([sample()], records)))
})

test('samples: twice is wrong, whoever it was, and after a change as well', () => {
  const both = [...seconds(0, 10), created(5, 'admin')]
  assert.deepEqual(judgeSamples([sample()], both).twice, [created(5).name])
  const later = [...seconds(0, 8), created(20), created(20, 'admin')]
  const verdict = judgeSamples([sample(null)], later)
  assert.deepEqual(verdict.twice, [created(20).name])
  assert.ok(!isAllRight(verdict))
})

test('samples: ended before anything was due, there is no number that is none', () => {
  const verdict = judgeSamples([new Sample(resource())], [created(0)])
  const lines = summaryOf([], verdict)
  assert.equal(lines[0], '0 slots due, 0 lost, 0 twice, 0 early, 0 that were not due; no run to tell the lateness of')
  assert.match(lines[1] ?? '', /the run at creation is left out/)
})

/** Unchanged from 12:00:00 to 12:00:10. */
function unchanged(spec: Record<string, unknown>): Sample {
  const beat = new Sample(resource({}, spec))
  beat.observe(resource({}, spec), at('12:00:10'))
  return beat
}

test('samples: a suspended one is to have no Job at all', () => {
  assert.ok(isAllRight(judgeSamples([unchanged({ suspend: true })], [])))
  assert.deepEqual(judgeSamples([unchanged({ suspend: true })], [created(3)]).offGrid, [created(3).name])
})

test('samples: one whose template the API server has refused is to have none either', () => {
  const trial = { ...created(0), name: 'beat-0000000000', dryRun: true, code: 422 }
  assert.ok(isAllRight(judgeSamples([unchanged({})], [trial])))
  assert.ok(!isAllRight(judgeSamples([unchanged({})], [{ ...trial, code: 201 }])))
})

test('samples: under Forbid a slot may be skipped, but none may have two', () => {
  const forbid = unchanged({ concurrencyPolicy: 'Forbid' })
  assert.ok(isAllRight(judgeSamples([forbid], [created(1), created(7)])))
  assert.deepEqual(judgeSamples([forbid], [created(1), created(1)]).twice, [created(1).name])
})

for (const spec of [{ schedule: '*/5 * * * * *', intervalSeconds: undefined }, { concurrencyPolicy: 'Forbid' }])
  test(`samples: ${JSON.stringify(spec)} is looked at for doubles only, and the line of the counts says so`, () => {
    const beat = new Sample(resource({}, spec))
    beat.observe(resource({}, spec), at('12:00:10'))
    const verdict = judgeSamples([beat], seconds(0, 3))
    assert.deepEqual([verdict.due, verdict.lost, verdict.twice], [0, [], []])
    const [counts, , runs] = summaryOf([beat], verdict)
    assert.match(counts ?? '', /^0 slots due without those of beat, 0 lost, .*; lateness p50 3\.0 .* of 3$/)
    assert.match(runs ?? '', /^beat: 3 runs, looked at for doubles and early ones only: /)
    assert.deepEqual(judgeSamples([beat], [...seconds(0, 3), created(3)]).twice, [created(3).name])
  })

test('samples: a suspended one with a cron text is not among those that are not counted: it is to have no Job', () => {
  const spec = { schedule: '*/5 * * * * *', intervalSeconds: undefined, suspend: true }
  const [counts] = summaryOf([], judgeSamples([unchanged(spec)], []))
  assert.match(counts ?? '', /^0 slots due, 0 lost/)
})

test('samples: a Job of beat-fast is none of beat', () => {
  const other = { ...created(3), name: created(3).name.replace('beat', 'beat-fast') }
  assert.ok(isAllRight(judgeSamples([unchanged({ suspend: true })], [other])))
})

test('samples: in another namespace than default, what is wrong is told with the namespace', () => {
  const beat = new Sample(resource({ namespace: 'work' }))
  beat.observe(resource({ namespace: 'work' }), at('12:00:10'))
  const records = seconds(0, 10).map((record) => ({ ...record, namespace: 'work' }))
  const { lost } = judgeSamples([beat], records.toSpliced(5, 1))
  assert.deepEqual(lost, [`work/${created(5).name}`])
})
