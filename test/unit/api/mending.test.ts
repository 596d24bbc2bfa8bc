import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mendingOf } from '../../../src/api/mending.ts'

const stored = (spec: object) => ({
  metadata: { uid: 'u', namespace: 'team', name: 'text', resourceVersion: '1' },
  spec,
})

const cases: Record<string, { spec: object; want: RegExp }> = {
  'a number as a text: the very command': {
    spec: { intervalSeconds: '10', image: 'a' },
    want: /^spec\.intervalSeconds: .*; mend it, as with kubectl -n team patch secondcronjob text --type merge -p '\{"spec":\{"intervalSeconds":10\}\}', then try again$/,
  },
  'a text that only the user understands': {
    spec: { intervalSeconds: 'ten', image: 'a' },
    want: / -p '\{"spec":\{"intervalSeconds":VALUE\}\}', then try again$/,
  },
  'a field inside of another': {
    spec: { intervalSeconds: 10, jobTemplate: { spec: 5 } },
    want: / -p '\{"spec":\{"jobTemplate":\{"spec":VALUE\}\}\}', then try again$/,
  },
  'a place in a list, which no merge patch reaches': {
    spec: { intervalSeconds: 10, image: 'a', args: [5] },
    want: /^spec\.args\.0: .* kubectl -n team edit secondcronjob text, then try again$/,
  },
  "a name of the user's making never gets into the line of shell": {
    spec: { intervalSeconds: 10, jobTemplate: { metadata: { labels: { "a'; b": 5 } }, spec: { template: {} } } },
    want: / kubectl -n team edit secondcronjob text, then try again$/,
  },
  'no field alone is wrong': {
    spec: { image: 'a' },
    want: /^spec: no schedule; .* kubectl -n team edit secondcronjob text, then try again$/,
  },
  'nothing is wrong with it': { spec: { intervalSeconds: 10, image: 'a' }, want: /^$/ },
}
for (const [name, { spec, want }] of Object.entries(cases))
  test(`mending: ${name}`, () => assert.match(mendingOf(stored(spec)), want))
