import assert from 'node:assert/strict'
import { manifests } from '../../support/manifests.ts'
import { aResource, podSpec } from '../kinds.ts'
import { group, type Row } from '../row.ts'
import type { World } from '../world.ts'

const templateOf = (pod: object) => ({ spec: { template: { spec: pod } } })
const goodTemplate = templateOf(podSpec)

interface Case {
  readonly name?: string
  /** The whole of it. */
  readonly spec: Record<string, unknown>
  readonly sentence: RegExp
}

const oneSchedule = /write exactly one of intervalSeconds and schedule/
const oneThing = /write exactly one of jobTemplate and image/
const shortName = /metadata\.name must be at most 52 lower case letters, digits and -/

/** What is wrong, as a user writes it, and what he reads then. */
const cases: Readonly<Record<string, Case>> = {
  'interval 0': {
    spec: { intervalSeconds: 0, image: 'a' },
    sentence: /spec\.intervalSeconds: Invalid value: 0: .*greater than or equal to 1/,
  },
  'interval -1': {
    spec: { intervalSeconds: -1, image: 'a' },
    sentence: /spec\.intervalSeconds: Invalid value: -1: .*greater than or equal to 1/,
  },
  'interval 1.5': {
    spec: { intervalSeconds: 1.5, image: 'a' },
    sentence: /spec\.intervalSeconds: Invalid value: .*must be of type integer/,
  },
  'interval "10"': {
    spec: { intervalSeconds: '10', image: 'a' },
    sentence: /spec\.intervalSeconds: Invalid value: "string": .*must be of type integer/,
  },
  'interval 1e12': {
    spec: { intervalSeconds: 1e12, image: 'a' },
    sentence: /spec\.intervalSeconds: Invalid value: .*less than or equal to 31536000/,
  },
  'the older spelling, 0': {
    spec: { interval_seconds: 0, image: 'a' },
    sentence: /spec\.interval_seconds: Invalid value: 0/,
  },
  'a name of 53 characters': { name: 'a'.repeat(53), spec: { intervalSeconds: 1, image: 'a' }, sentence: shortName },
  'a name of 63 characters': { name: 'a'.repeat(63), spec: { intervalSeconds: 1, image: 'a' }, sentence: shortName },
  'a name with capitals': {
    name: 'Beat',
    spec: { intervalSeconds: 1, image: 'a' },
    sentence:
      /metadata\.name: Invalid value: "Beat": a lowercase RFC 1123 subdomain must consist of .*at most 52 lower/,
  },
  'a name with a dot': { name: 'a.b', spec: { intervalSeconds: 1, image: 'a' }, sentence: shortName },
  'no schedule': { spec: { image: 'a' }, sentence: oneSchedule },
  'two schedules': { spec: { intervalSeconds: 1, interval_seconds: 1, image: 'a' }, sentence: oneSchedule },
  'nothing to run': { spec: { intervalSeconds: 1 }, sentence: oneThing },
  'two things to run': { spec: { intervalSeconds: 1, image: 'a', jobTemplate: goodTemplate }, sentence: oneThing },
  'command without image': {
    spec: { intervalSeconds: 1, command: ['a'], jobTemplate: goodTemplate },
    sentence: /name, command and args go with image/,
  },
  'a template without containers': {
    spec: { intervalSeconds: 1, jobTemplate: templateOf({ restartPolicy: 'Never' }) },
    sentence: /spec\.jobTemplate\.spec\.template\.spec\.containers: Required value/,
  },
  'an empty list of containers': {
    spec: { intervalSeconds: 1, jobTemplate: templateOf({ containers: [] }) },
    sentence: /containers in body should have at least 1 items/,
  },
  'a misspelt field': {
    spec: { intervalSeconds: 1, image: 'a', suspendd: true },
    sentence: /unknown field "spec\.suspendd"/,
  },
  'startingDeadlineSeconds 0': {
    spec: { intervalSeconds: 1, image: 'a', startingDeadlineSeconds: 0 },
    sentence: /spec\.startingDeadlineSeconds: Invalid value: 0/,
  },
  'startingDeadlineSeconds 1.5': {
    spec: { intervalSeconds: 1, image: 'a', startingDeadlineSeconds: 1.5 },
    sentence: /spec\.startingDeadlineSeconds: Invalid value: .*must be of type integer/,
  },
  'successfulJobsHistoryLimit -1': {
    spec: { intervalSeconds: 1, image: 'a', successfulJobsHistoryLimit: -1 },
    sentence: /spec\.successfulJobsHistoryLimit: Invalid value: -1: .*greater than or equal to 0/,
  },
  'failedJobsHistoryLimit -1': {
    spec: { intervalSeconds: 1, image: 'a', failedJobsHistoryLimit: -1 },
    sentence: /spec\.failedJobsHistoryLimit: Invalid value: -1: .*greater than or equal to 0/,
  },
  'a policy that is none of the three': {
    spec: { intervalSeconds: 1, image: 'a', concurrencyPolicy: 'Queue' },
    sentence: /spec\.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"/,
  },
  'TZ= in the schedule': {
    spec: { schedule: 'TZ=UTC 0 0 * * *', image: 'a' },
    sentence: /schedule: write the time zone into timeZone, not into the schedule/,
  },
  'CRON_TZ= in the schedule': {
    spec: { schedule: 'CRON_TZ=UTC 0 0 * * *', image: 'a' },
    sentence: /schedule: write the time zone into timeZone, not into the schedule/,
  },
  '@every in the schedule': {
    spec: { schedule: '@every 5s', image: 'a' },
    sentence: /is invalid: spec: Invalid value: schedule: @every has no fixed times; write intervalSeconds in [a-z ]+$/,
  },
  'a schedule of one field': {
    spec: { schedule: '7', image: 'a' },
    sentence: /schedule: write 6 fields \(seconds first\), 5 fields \(minutes first\), or one of @hourly/,
  },
  'an offset as a time zone': {
    spec: { schedule: '@daily', timeZone: '+02:00', image: 'a' },
    sentence: /timeZone: write the name of a time zone, such as Europe\/Berlin/,
  },
  'tz= in the schedule': {
    spec: { schedule: 'tz=UTC 0 0 * * *', image: 'a' },
    sentence: /schedule: write the time zone into timeZone, not into the schedule/,
  },
  'apiVersion and kind in the template': {
    spec: { intervalSeconds: 1, jobTemplate: { apiVersion: 'batch/v1', kind: 'Job', ...goodTemplate } },
    sentence: /unknown field "spec\.jobTemplate\.apiVersion", unknown field "spec\.jobTemplate\.kind"/,
  },
  'more than labels and annotations in the metadata of the template': {
    spec: { intervalSeconds: 1, jobTemplate: { metadata: { finalizers: ['a.b/c'] }, ...goodTemplate } },
    sentence: /unknown field "spec\.jobTemplate\.metadata\.finalizers"/,
  },
}

/** As `kubectl apply` and `kubectl create` ask for it. */
function create(world: World, body: object): Promise<string> {
  return world.verdict(`${world.path('secondcronjobs')}?fieldValidation=Strict`, { method: 'POST', body })
}

function isRefused({ name = 'bad', spec, sentence }: Case): Row['run'] {
  return async (world) => {
    assert.match(await create(world, { ...aResource({ name }), spec }), sentence)
    assert.equal(await world.get('secondcronjobs', name), null)
  }
}

const refusals = Object.entries(cases).map(([what, each]) => [`${what}: refused, with a sentence`, isRefused(each)])

export const refusing = group('refusing', {
  ...(Object.fromEntries(refusals) as Record<string, Row['run']>),
  'no spec at all: refused, with a sentence': async (world) => {
    const { spec: _, ...body } = aResource({ name: 'bad' })
    assert.match(
      await create(world, body),
      /write a spec: when to run \(intervalSeconds or schedule\) and what \(image or jobTemplate\)/,
    )
  },
  'the shipped example that is refused on purpose': async (world) => {
    const [manifest = {}] = await manifests('deploy/examples/refused.yaml')
    assert.match(await create(world, manifest), /^422 Invalid: .*spec\.intervalSeconds: Invalid value: 0/)
  },
  'the other shipped examples are taken': async (world) => {
    for (const file of ['job-template', 'oldest-shape']) {
      const [manifest = {}] = await manifests(`deploy/examples/${file}.yaml`)
      assert.equal(await create(world, manifest), '201')
    }
  },
  'an edit to two schedules is refused as well, and one that leaves the schedule alone is not': async (world) => {
    await world.create(aResource({ name: 'a' }))
    const edit = (spec: object) =>
      world.verdict(world.path('secondcronjobs', 'a'), { method: 'PATCH', type: 'merge-patch+json', body: { spec } })
    assert.match(await edit({ interval_seconds: 5 }), oneSchedule)
    assert.equal(await edit({ image: 'b' }), '200')
  },
})
