import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeSecondCronJob } from '../../../src/api/decode.ts'
import { longestRunNowToken } from '../../../src/api/names.ts'
import { held } from '../../support/builders.ts'
import { at } from '../../support/times.ts'

const metadata = {
  uid: 'u',
  namespace: 'default',
  name: 'beat',
  resourceVersion: '7',
  generation: 3,
  creationTimestamp: '2026-01-01T12:00:00Z',
}
const decode = (spec: unknown, more: object = {}) => decodeSecondCronJob({ metadata: { ...metadata, ...more }, spec })

test('the oldest shape: the alias, and a template written out of the shorthand', () => {
  const { spec, createdAt } = decode({ interval_seconds: 20, name: 'hello', image: 'busybox', command: ['date'] })
  assert.equal(createdAt, at('12:00:00'))
  assert.deepEqual(spec, {
    valid: true,
    schedule: { kind: 'interval', intervalSeconds: 20, firstRun: 'AtCreation' },
    suspend: false,
    startingDeadlineSeconds: null,
    concurrencyPolicy: 'Allow',
    activeJobsLimit: 100,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    jobTemplate: held({
      backoffLimit: 3,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'hello', image: 'busybox', command: ['date'] }] },
      },
    }),
  })
})

test('without a name of its own the container has the resource’s', () => {
  const { spec } = decode({ intervalSeconds: 1, image: 'a' })
  assert.ok(spec.valid)
  assert.match(spec.jobTemplate.json ?? '', /"name":"beat"/)
})

test('a jobTemplate stays as it stands, with the fields that nobody here knows', () => {
  const jobSpec = { brandNew: { field: 1 }, template: { spec: { containers: [{ name: 'a', gpu: true }] } } }
  const { spec } = decode({ intervalSeconds: 1, jobTemplate: { metadata: { labels: { team: 'a' } }, spec: jobSpec } })
  assert.ok(spec.valid)
  const labelled = { labels: { team: 'a' }, annotations: {} }
  assert.deepEqual(JSON.parse(spec.jobTemplate.json ?? ''), { metadata: labelled, spec: jobSpec })
})

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) }
}

const good = { intervalSeconds: 1, image: 'a' }
const bad: Record<string, { spec: unknown; more?: object; want: RegExp }> = {
  'interval 0': {
    spec: { ...good, intervalSeconds: 0 },
    want: /^spec\.intervalSeconds: 0 is not possible here; write a whole number of seconds from 1 to 31536000$/,
  },
  'interval -1': { spec: { ...good, intervalSeconds: -1 }, want: /^spec\.intervalSeconds: -1 is not possible here/ },
  'interval 1.5': {
    spec: { ...good, intervalSeconds: 1.5 },
    want: /^spec\.intervalSeconds: 1\.5 is not possible here/,
  },
  'interval "10"': {
    spec: { ...good, intervalSeconds: '10' },
    want: /^spec\.intervalSeconds: "10" is not possible here/,
  },
  'interval 1e12': {
    spec: { ...good, intervalSeconds: 1e12 },
    want: /^spec\.intervalSeconds: 1000000000000 is not possible here/,
  },
  'no schedule': { spec: { image: 'a' }, want: /^spec: no schedule; write intervalSeconds or schedule$/ },
  'two schedules': {
    spec: { ...good, interval_seconds: 2 },
    want: /^spec: more than one schedule; write one of intervalSeconds and schedule$/,
  },
  'an interval and a schedule': { spec: { ...good, schedule: '@daily' }, want: /^spec: more than one schedule/ },
  'a time zone with an interval': {
    spec: { ...good, timeZone: 'Europe/Berlin' },
    want: /^spec\.timeZone: it goes with schedule; remove it$/,
  },
  'nothing to run': { spec: { intervalSeconds: 1 }, want: /^spec: nothing to run; write either jobTemplate or image$/ },
  'no spec at all': { spec: undefined, want: /^spec: no schedule.*;spec: nothing to run/ },
  'a template without containers': {
    spec: { intervalSeconds: 1, jobTemplate: { spec: { template: { spec: {} } } } },
    want: /^spec\.jobTemplate\.spec\.template\.spec\.containers: missing; write a list of containers$/,
  },
  'a container without a name': {
    spec: { intervalSeconds: 1, jobTemplate: { spec: { template: { spec: { containers: [{}] } } } } },
    want: /^spec\.jobTemplate\.spec\.template\.spec\.containers\.0\.name: missing; write a name$/,
  },
  'metadata that is a text': {
    spec: { intervalSeconds: 1, jobTemplate: { metadata: 'x', spec: { template: { spec: { containers: [] } } } } },
    want: /^spec\.jobTemplate\.metadata: "x" is not possible here; write labels and annotations;/,
  },
  'more mistakes than anybody reads': {
    spec: { ...good, args: Array.from({ length: 300 }, () => 1) },
    want: /^(spec\.args\.\d: 1 is not possible here; write a text;){10}spec: 290 more; mend these first$/,
  },
  'a spec of a thousand levels, which the API server lets in and JSON.stringify can’t write at ten thousand': {
    spec: { ...good, image: undefined, jobTemplate: nested(1_000) },
    want: /^spec: nested too deeply; write at most 100 levels$/,
  },
  'a name of 53 characters': {
    spec: good,
    more: { name: 'a'.repeat(53) },
    want: /^metadata\.name: a+ can't be served; create it anew under a name of at most 52/,
  },
  'a name with a dot': { spec: good, more: { name: 'a.b' }, want: /^metadata\.name: a\.b can't be served/ },
}
for (const [name, { spec, more, want }] of Object.entries(bad))
  test(`not accepted: ${name}`, () => {
    const { spec: parsed } = decode(spec, more)
    assert.ok(!parsed.valid)
    assert.match(parsed.problems.join(';'), want)
  })

test('null is nothing, as the API server has it', () => {
  const { spec } = decode({ ...good, startingDeadlineSeconds: null, jobTemplate: null })
  assert.ok(spec.valid)
  assert.equal(spec.startingDeadlineSeconds, null)
  const jobSpec = { suspend: null, template: { spec: { containers: [{ name: 'a' }] } } }
  for (const nothing of [null, { labels: null, annotations: null }]) {
    const { spec: templated } = decode({ intervalSeconds: 1, jobTemplate: { metadata: nothing, spec: jobSpec } })
    assert.ok(templated.valid)
    assert.deepEqual(templated.jobTemplate, held(jobSpec))
  }
})

test('a status of somebody else’s making: what does not parse is absent', () => {
  const status = {
    handledUntil: 'yesterday',
    scheduleSince: 'January 1, 2026',
    missedCount: -1,
    observedGeneration: 2,
    conditions: [{ type: 'Odd' }],
    recent: 'no',
    lastScheduleTime: '2026-01-01T12:00:00Z',
  }
  const decoded = decodeSecondCronJob({ metadata, spec: good, status })
  assert.deepEqual(decoded.status, { observedGeneration: 2, conditions: [], lastScheduleTime: '2026-01-01T12:00:00Z' })
})

test('an object without identity throws', () => {
  for (const raw of [undefined, 'x', { metadata: { ...metadata, uid: undefined } }, { metadata: { name: 'a' } }])
    assert.throws(() => decodeSecondCronJob(raw), TypeError)
})

test('nothing else throws: whatever JSON is there, it is valid or has problems that begin with a field', () => {
  const anything = fc.jsonValue({ maxDepth: 4 })
  const field = fc.oneof(anything, fc.constantFrom(undefined, 1, 'a', 'AtCreation', true, ['date']))
  const spec = fc.oneof(
    anything,
    fc.record({ intervalSeconds: field, image: field, name: field, args: field, firstRun: field }),
    fc.record({ interval_seconds: field, jobTemplate: fc.record({ metadata: field, spec: field }) }),
  )
  fc.assert(
    fc.property(spec, anything, (raw, status) => {
      const { spec: parsed } = decodeSecondCronJob({ metadata, spec: raw, status })
      if (parsed.valid) return
      assert.ok(parsed.problems.length > 0)
      for (const problem of parsed.problems) assert.match(problem, /^(spec|metadata)\S*: (?!Invalid input)/)
    }),
    { numRuns: 1_000 },
  )
})

/** Cut where a character of two units began, such a one was short enough, and ran under the name of its beginning. */
test('a run-now token that is too long stays too long when it is cut, and two of them are not the same', () => {
  const tokens = ['🚀', '🚀 again', 'y', 'z'].map((end) => {
    const annotations = { 'myyrakle.com/run-now': 'x'.repeat(longestRunNowToken) + end }
    return decode({ intervalSeconds: 1, image: 'a' }, { annotations }).runNow ?? ''
  })
  assert.equal(new Set(tokens).size, 4)
  for (const token of tokens) assert.ok(token.length > longestRunNowToken, token)
})
