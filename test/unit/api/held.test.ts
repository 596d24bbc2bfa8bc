import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSecondCronJob } from '../../../src/api/decode.ts'
import { isAbridged } from '../../../src/api/held-finalizers.ts'
import { finalizer } from '../../../src/api/names.ts'
import { heldTemplate } from '../../../src/api/template.ts'
import { held } from '../../support/builders.ts'

const long = 'x'.repeat(1_000_000)
const identity = { uid: 'u', namespace: 'default', name: 'beat', resourceVersion: '7' }
const good = { intervalSeconds: 1, image: 'a' }
/** What is held of a resource, at most, in characters: less than twice what one with a template of 8 kB takes. */
const most = 16_000

function weightOf(raw: object): number {
  return JSON.stringify(decodeSecondCronJob(raw)).length
}

const condition = {
  status: 'True',
  reason: 'Accepted',
  message: long.slice(0, 4_096),
  observedGeneration: 1,
  lastTransitionTime: '2026-01-01T12:00:00Z',
}
const conditions = ['Accepted', 'Ready', 'Failing'].flatMap((type) =>
  Array.from({ length: 5 }, () => ({ type, ...condition })),
)
const recent = Array.from({ length: 1_000 }, () => ({
  slot: '2026-01-01T12:00:00Z',
  outcome: 'Missed',
  reason: 'Overloaded',
}))
const template = { template: { spec: { containers: [{ name: 'a', args: [long] }] } } }
const tenThousand = Array.from({ length: 10_000 }, (_, n) => `${n}`)

const heavy: Record<string, object> = {
  'a large template': { metadata: identity, spec: { intervalSeconds: 1, jobTemplate: { spec: template } } },
  'many arguments': { metadata: identity, spec: { ...good, args: Array(512).fill(long.slice(0, 4_096)) } },
  'labels of the Jobs': {
    metadata: identity,
    spec: {
      intervalSeconds: 1,
      jobTemplate: {
        metadata: { labels: Object.fromEntries(tenThousand.slice(0, 250).map((key) => [key, long.slice(0, 4_000)])) },
        spec: { template: { spec: { containers: [{ name: 'a' }] } } },
      },
    },
  },
  'annotations and labels': {
    metadata: { ...identity, annotations: { 'myyrakle.com/run-now': long, a: long }, labels: { a: long } },
    spec: good,
  },
  finalizers: { metadata: { ...identity, finalizers: tenThousand.map((n) => `a.b/${n}`) }, spec: good },
  'a status': {
    metadata: identity,
    spec: good,
    status: { observedSchedule: long, lastManualRun: long, recent, conditions, active: tenThousand },
  },
  'everything wrong': {
    metadata: identity,
    spec: {
      ...good,
      intervalSeconds: long,
      jobTemplate: { metadata: { labels: { [long]: 1, a: 2 } } },
      args: tenThousand.map(Number),
    },
  },
}

heavy['all that can be held, and more'] = {
  metadata: { ...identity, annotations: { 'myyrakle.com/run-now': long }, finalizers: [long.slice(0, 2_000)] },
  spec: { intervalSeconds: 1, image: 'a', args: [long.slice(0, 4_000), long.slice(0, 3_900)] },
  status: { observedSchedule: long, lastManualRun: long, recent, conditions, active: tenThousand },
}

for (const [what, raw] of Object.entries(heavy))
  test(`what is held of a resource does not grow with it: ${what}`, () => {
    assert.ok(JSON.stringify(raw).length > 60_000)
    assert.ok(weightOf(raw) < most, `${weightOf(raw)} characters`)
  })

test('a template is held up to 8 kB of memory, and a character beyond Latin 1 counts for all', () => {
  assert.notEqual(held({ a: 'x'.repeat(8_000) }).json, null)
  assert.equal(held({ a: 'x'.repeat(8_200) }).json, null)
  assert.notEqual(held({ a: 'ä'.repeat(8_000) }).json, null)
  assert.equal(held({ a: `${'x'.repeat(5_000)}→` }).json, null)
})

test('what decides about a large one is held', () => {
  const metadata = { labels: {}, annotations: {} }
  const found = heldTemplate({ metadata, spec: { ...template, ttlSecondsAfterFinished: 5 } })
  assert.deepEqual(found, { json: null, ttlSecondsAfterFinished: 5 })
})

test('of too many finalizers those are held that say something to us', () => {
  const others = tenThousand.map((n) => `a.b/${n}`)
  const { finalizers } = decodeSecondCronJob({
    metadata: { ...identity, finalizers: [...others, finalizer] },
    spec: good,
  })
  assert.ok(isAbridged(finalizers) && finalizers.includes(finalizer) && !finalizers.includes('orphan'))
  assert.ok(!isAbridged([finalizer]))
})
