import assert from 'node:assert/strict'
import { conditionOf, type KubeObject } from '../../support/admin.ts'
import { createdAt } from '../../support/expectations.ts'
import { manifests } from '../../support/manifests.ts'
import { aJob, aResource } from '../kinds.ts'
import { group } from '../row.ts'
import { condition, hasRun, jobsOf, jobsThat, judged, launchesOf, since } from './stories.ts'

const none = { lost: [], twice: [], offGrid: [], early: [] }

export const launching = group('launching', {
  'every second: 60 Jobs in 60 seconds, each named by its slot, none early': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'beat' }, { intervalSeconds: 1 }))
    const from = createdAt(object) + 2_000
    await world.passUntil(from + 60_500)
    const { launched, lost, twice, offGrid, early } = await judged(world, object, from, from + 60_000)
    assert.deepEqual({ launched, lost, twice, offGrid, early }, { launched: 60, ...none })
  },
  'the oldest shape of manifest, unchanged: a Job at its creation, then on its grid': async (world) => {
    await world.operator()
    const [manifest] = await manifests('deploy/examples/oldest-shape.yaml')
    assert.ok(manifest !== undefined)
    const object = await world.create(manifest)
    await since(world, object, 40_900)
    const { launched, ...verdict } = await judged(world, object, createdAt(object), createdAt(object) + 40_900)
    assert.partialDeepStrictEqual(verdict, none)
    assert.equal(launched, 3)
    const [job] = await jobsOf(world, 'oldest')
    assert.partialDeepStrictEqual(job?.['spec'], {
      backoffLimit: 3,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'hello', image: 'busybox' }] },
      },
    })
  },
  'the status tells what is true': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'told' }, { intervalSeconds: 20 }))
    const found = await world.until('its Job to be finished', 10_000, async () => {
      const { status } = (await world.found('secondcronjobs', 'told')) as KubeObject & {
        status?: Record<string, unknown>
      }
      return status?.['activeCount'] === 0 && status['lastSuccessfulTime'] !== undefined && status
    })
    const time = (ms: number) => new Date(createdAt(object) + ms).toISOString().replace('.000', '')
    const { observedSchedule, observedGeneration, missedCount, lastScheduleTime, handledUntil, nextScheduleTime } =
      found
    assert.deepEqual([observedSchedule, observedGeneration, missedCount], ['every 20s', 1, 0])
    assert.deepEqual([lastScheduleTime, handledUntil, nextScheduleTime], [time(0), time(0), time(20_000)])
    const told = await world.found('secondcronjobs', 'told')
    const conditions = ['Accepted', 'Ready', 'Failing'].map((type) => `${type}=${conditionOf(told, type)?.status}`)
    assert.deepEqual(conditions, ['Accepted=True', 'Ready=True', 'Failing=False'])
  },
  'a Job says whose it is, and for which second': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'beat' }, { intervalSeconds: 30 }))
    await hasRun(world, 'beat')
    const [job] = await jobsOf(world, 'beat')
    assert.equal(job?.metadata.name, `beat-${createdAt(object) / 1_000}`)
    assert.partialDeepStrictEqual(job?.metadata, {
      labels: { 'myyrakle.com/second-cron-job': 'beat' },
      ownerReferences: [
        {
          apiVersion: 'myyrakle.com/v1',
          kind: 'SecondCronJob',
          name: 'beat',
          uid: object.metadata['uid'],
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    })
    const annotations = job?.metadata['annotations'] as Record<string, string>
    assert.equal(Date.parse(annotations['myyrakle.com/scheduled-at'] ?? ''), createdAt(object))
  },
  'AfterInterval: nothing at its creation': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'later' }, { intervalSeconds: 5, firstRun: 'AfterInterval' }))
    await since(world, object, 11_000)
    const slots = (await launchesOf(world, 'later')).map(({ slot }) => slot - createdAt(object))
    assert.deepEqual(slots, [5_000, 10_000])
  },
  'a Job that sits on the name of a slot: a Warning, it is left alone, and later slots run': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 5, firstRun: 'AfterInterval' }
    const object = await world.create(aResource({ name: 'foreign' }, spec))
    const second = createdAt(object) / 1_000 + 5
    const taken = await world.create(aJob({ name: `foreign-${second}` }))
    await world.passUntil((second + 11) * 1_000)
    const events = await world.list('events')
    const warning = events.find((event) => event['reason'] === 'UnexpectedJob')
    assert.equal(warning?.['type'], 'Warning')
    assert.match(
      String(warning?.['note']),
      new RegExp(`foreign-${second} exists and is not controlled by this resource`),
    )
    const found = await world.found('jobs', `foreign-${second}`)
    assert.deepEqual([found.metadata['uid'], found.metadata['ownerReferences']], [taken.metadata['uid'], undefined])
    const { lost } = await judged(world, object, (second + 5) * 1_000, (second + 10.5) * 1_000)
    assert.deepEqual(lost, [])
  },
  'its first launch is told as an Event on the resource': async (world) => {
    await world.operator()
    const object = await world.create(aResource({ name: 'told' }, { intervalSeconds: 30 }))
    const event = await world.until('the Event', 10_000, async () => {
      const fields = encodeURIComponent('involvedObject.name=told,reason=SuccessfulCreate')
      return (await world.list('core events', `fieldSelector=${fields}`))[0]
    })
    assert.equal(event['type'], 'Normal')
    assert.partialDeepStrictEqual(event['involvedObject'], { kind: 'SecondCronJob', uid: object.metadata['uid'] })
  },
  'two resources of one second do not disturb each other': async (world) => {
    await world.operator()
    const made = [
      await world.create(aResource({ name: 'one' }, { intervalSeconds: 1 })),
      await world.create(aResource({ name: 'other' }, { intervalSeconds: 2, ...jobsThat('never') })),
    ]
    const from = Math.max(...made.map(createdAt)) + 2_000
    await world.passUntil(from + 8_500)
    for (const object of made) assert.partialDeepStrictEqual(await judged(world, object, from, from + 8_000), none)
  },
  'a misspelt field in the template: it runs, and Accepted says what the API server warned of': async (world) => {
    await world.operator()
    const containers = [{ name: 'a', image: 'a', imagee: 'b' }]
    const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers } } } }
    await world.create(aResource({ name: 'typo' }, { intervalSeconds: 5, jobTemplate }))
    const { message } = await condition(world, 'typo', 'Accepted', 'True')
    assert.match(message, /unknown field "spec\.template\.spec\.containers\[0\]\.imagee"/)
    await hasRun(world, 'typo')
  },
  'a template that the API server refuses: Accepted=False within a second, in its words; mended, it runs': async (
    world,
  ) => {
    await world.operator()
    const container = { name: 'a', image: 'a' }
    const templateOf = (restartPolicy: string) => ({
      spec: { template: { spec: { restartPolicy, containers: [container] } } },
    })
    await world.create(aResource({ name: 'bad' }, { intervalSeconds: 1, jobTemplate: templateOf('Always') }))
    const applied = world.now()
    const { reason, message } = await condition(world, 'bad', 'Accepted', 'False')
    assert.ok(world.now() - applied < 1_500, `after ${world.now() - applied} ms`)
    assert.equal(reason, 'InvalidTemplate')
    assert.match(message, /spec\.template\.spec\.restartPolicy: .*"Never"/)
    assert.deepEqual(await jobsOf(world, 'bad'), [])
    await world.merge('secondcronjobs', 'bad', { spec: { jobTemplate: templateOf('Never') } })
    await hasRun(world, 'bad')
  },
})
