import assert from 'node:assert/strict'
import type { Answer } from '../client.ts'
import { aResource, podSpec } from '../kinds.ts'
import { group } from '../row.ts'
import type { World } from '../world.ts'

function tryToCreate(world: World, spec: Record<string, unknown>, query = ''): Promise<string> {
  const body = aResource({ name: 'a' }, spec)
  return world.verdict(`${world.path('secondcronjobs')}?${query}`, { method: 'POST', body })
}

function warningsOf({ headers }: Answer): readonly string[] {
  return [headers['warning'] ?? []].flat()
}

const start = '^422 Invalid: SecondCronJob\\.myyrakle\\.com "a" is invalid: '
const template = { spec: { template: { spec: podSpec } } }

/** The spec, and what the API server says of it. */
const refused: Readonly<Record<string, readonly [Record<string, unknown>, string]>> = {
  'a number below its range': [
    { intervalSeconds: 0 },
    'spec\\.intervalSeconds: Invalid value: 0: spec\\.intervalSeconds in body should be greater than or equal to 1$',
  ],
  'a number above its range': [
    { intervalSeconds: 31_536_001 },
    'spec\\.intervalSeconds: Invalid value: 31536001: spec\\.intervalSeconds in body should be less than or equal to 31536000$',
  ],
  'a text for a number': [
    { intervalSeconds: '10' },
    '.*spec\\.intervalSeconds: Invalid value: "string": spec\\.intervalSeconds in body must be of type integer: "string"',
  ],
  'a fraction for a whole number': [
    { intervalSeconds: 1.5 },
    '.*spec\\.intervalSeconds: Invalid value: "(float64|number)": spec\\.intervalSeconds in body must be of type int',
  ],
  'a number for a text': [
    { image: 5 },
    '.*spec\\.image: Invalid value: "integer": spec\\.image in body must be of type string: "integer"',
  ],
  'a text for a yes or no': [
    { suspend: 'yes' },
    '.*spec\\.suspend: Invalid value: "string": spec\\.suspend in body must be of type boolean: "string"',
  ],
  'a text for a list': [
    { args: 'x' },
    '.*spec\\.args: Invalid value: "string": spec\\.args in body must be of type array: "string"',
  ],
  'a number in a list of texts': [
    { args: ['a', 7] },
    '.*spec\\.args\\[1\\]: Invalid value: "integer": spec\\.args\\[1\\] in body must be of type string: "integer"',
  ],
  'a value that is not among those listed': [
    { firstRun: 'Never' },
    '.*spec\\.firstRun: Unsupported value: "Never": supported values: "AtCreation", "AfterInterval"',
  ],
  'a text that is too short': [
    { image: '' },
    '.*spec\\.image: Invalid value: "": spec\\.image in body should be at least 1 chars long',
  ],
  'a text that is too long': [
    { image: 'x'.repeat(4_097) },
    '.*spec\\.image: Too long: may not be more than 4096 bytes',
  ],
  'a text that does not fit its pattern': [
    { name: 'A' },
    'spec\\.name: Invalid value: "A": spec\\.name in body should match \'\\^\\[a-z0-9\\]',
  ],
  'a list that is too long': [
    { args: Array.from({ length: 513 }, () => 'x') },
    '.*spec\\.args: Too many: 513: must have at most 512 items',
  ],
  'a required field that is missing': [
    { jobTemplate: { metadata: {} } },
    '.*spec\\.jobTemplate\\.spec: Required value',
  ],
  'a required field that is missing in a list': [
    { jobTemplate: { spec: { template: { spec: { containers: [{ image: 'x' }] } } } } },
    '.*spec\\.jobTemplate\\.spec\\.template\\.spec\\.containers\\[0\\]\\.name: Required value',
  ],
  'a list that is too short': [
    { jobTemplate: { spec: { template: { spec: { containers: [] } } } } },
    '.*spec\\.jobTemplate\\.spec\\.template\\.spec\\.containers: Invalid value: 0: spec\\.jobTemplate\\.spec\\.template\\.spec\\.containers in body should have at least 1 items',
  ],
  'a map with a number in it': [
    { jobTemplate: { ...template, metadata: { labels: { a: 1 } } } },
    '.*spec\\.jobTemplate\\.metadata\\.labels\\.a: Invalid value: "integer": spec\\.jobTemplate\\.metadata\\.labels\\.a in body must be of type string: "integer"',
  ],
}

const refusals = Object.fromEntries(
  Object.entries(refused).map(([what, [spec, words]]) => [
    `${what}: 422 in the words of the API server`,
    async (world: World) => assert.match(await tryToCreate(world, spec), new RegExp(start + words)),
  ]),
)

export const schemas = group('schemas', {
  ...refusals,
  'two mistakes: both are named, with a cause for each': async (world) => {
    const body = aResource({ name: 'a' }, { intervalSeconds: 0, successfulJobsHistoryLimit: -1 })
    const answer = await world.send(world.path('secondcronjobs'), { method: 'POST', body })
    const { details, message } = answer.body as {
      message: string
      details: { causes: { reason: string; field: string }[] } & object
    }
    assert.match(message, /is invalid: \[.*, .*\]$/)
    assert.deepEqual(details.causes.map(({ reason, field }) => `${reason} ${field}`).sort(), [
      'FieldValueInvalid spec.intervalSeconds',
      'FieldValueInvalid spec.successfulJobsHistoryLimit',
    ])
    assert.partialDeepStrictEqual(details, { name: 'a', group: 'myyrakle.com', kind: 'SecondCronJob' })
  },
  'defaults are filled in, also when an edit takes the field away': async (world) => {
    const defaults = {
      suspend: false,
      concurrencyPolicy: 'Allow',
      activeJobsLimit: 100,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }
    const { spec } = await world.create(aResource({ name: 'a' }))
    assert.deepEqual(spec, { intervalSeconds: 10, image: 'busybox', ...defaults })
    const edited = await world.merge('secondcronjobs', 'a', { spec: { suspend: null } })
    assert.equal((edited['spec'] as { suspend: boolean }).suspend, false)
    assert.equal(edited.metadata['generation'], 1)
  },
  'a null for a field with a default is the default': async (world) => {
    const { spec } = await world.create(aResource({ name: 'a' }, { suspend: null }))
    assert.equal((spec as { suspend: unknown }).suspend, false)
  },
  'a field that nobody knows is dropped; below the template it stays': async (world) => {
    const deep = { ...podSpec, containers: [{ name: 'a', image: 'a', imagee: 'b' }], unheard: { of: 1 } }
    const jobTemplate = { spec: { template: { spec: deep }, unheard: 1 }, dropped: 1 }
    const { spec } = await world.create({ ...aResource({ name: 'a' }, { jobTemplate, suspendd: true }), extra: 1 })
    const kept = spec as { jobTemplate: Record<string, unknown> }
    assert.deepEqual(kept.jobTemplate, { spec: { template: { spec: deep }, unheard: 1 } })
    assert.equal(Object.hasOwn(kept, 'suspendd'), false)
  },
  'fieldValidation=Strict: an unknown field is 400': async (world) => {
    assert.equal(
      await tryToCreate(world, { suspendd: true }, 'fieldValidation=Strict'),
      '400 BadRequest: SecondCronJob in version "v1" cannot be handled as a SecondCronJob: strict decoding error: unknown field "spec.suspendd"',
    )
  },
  'fieldValidation=Warn: a warning in a header for each': async (world) => {
    const body = aResource({ name: 'a' }, { suspendd: true, imagee: 'a' })
    const answer = await world.send(`${world.path('secondcronjobs')}?fieldValidation=Warn`, { method: 'POST', body })
    assert.equal(answer.code, 201)
    assert.deepEqual(warningsOf(answer).toSorted(), [
      '299 - "unknown field \\"spec.imagee\\""',
      '299 - "unknown field \\"spec.suspendd\\""',
    ])
  },
  'fieldValidation=Ignore: not a word': async (world) => {
    const body = aResource({ name: 'a' }, { suspendd: true })
    const answer = await world.send(`${world.path('secondcronjobs')}?fieldValidation=Ignore`, { method: 'POST', body })
    assert.deepEqual([answer.code, warningsOf(answer)], [201, []])
  },
  'a status is checked as well': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const body = { status: { missedCount: -1, recent: [{ slot: 'x' }] } }
    const path = world.path('secondcronjobs', 'a', 'status')
    const verdict = await world.verdict(path, { method: 'PATCH', type: 'merge-patch+json', body })
    assert.match(
      verdict,
      /^422 Invalid: .*status\.missedCount: Invalid value: -1: (status\.)?missedCount in body should be greater than or equal to 0/,
    )
    assert.match(verdict, /status\.recent\[0\]\.outcome: Required value/)
  },
  'an edit is checked as a create is': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const path = world.path('secondcronjobs', 'a')
    const body = { spec: { intervalSeconds: 0 } }
    assert.match(
      await world.verdict(path, { method: 'PATCH', type: 'merge-patch+json', body }),
      /^422 Invalid: SecondCronJob\.myyrakle\.com "a" is invalid: spec\.intervalSeconds: Invalid value: 0: /,
    )
  },
  'a body that is no JSON: 400': async (world) => {
    assert.match(await world.verdict(world.path('jobs'), { method: 'POST', text: '{' }), /^400 BadRequest: /)
  },
  'another kind or version than the path’s is refused': async (world) => {
    for (const change of [{ kind: 'Job' }, { apiVersion: 'myyrakle.com/v9' }]) {
      const body = { ...aResource({ name: 'a' }), ...change }
      assert.match(
        await world.verdict(world.path('secondcronjobs'), { method: 'POST', body }),
        /^4(00|22) .*(SecondCronJob|v9)/,
      )
    }
  },
})
