import assert from 'node:assert/strict'
import { runMsAnnotation } from '../../../sandbox/server/pod-runner.ts'
import type { KubeObject } from '../../support/admin.ts'
import { createdAt } from '../../support/expectations.ts'
import { aResource, podSpec } from '../kinds.ts'
import { group } from '../row.ts'
import type { World } from '../world.ts'
import { typesOf } from './job-stories.ts'
import { keeps } from './leaving.ts'
import { hasRun, jobsOf, jobsThat, lasting, secondsOf, since, statusOf } from './stories.ts'

interface Started {
  readonly object: KubeObject
  readonly job: KubeObject
  readonly pod: KubeObject
}

/** Creates the resource, and waits for its first Job and that one's Pod. */
async function started(world: World, name: string, spec: Record<string, unknown> = {}): Promise<Started> {
  await world.operator()
  const object = await world.create(aResource({ name }, { intervalSeconds: 60, ...spec }))
  await hasRun(world, name)
  const [job] = await jobsOf(world, name)
  assert.ok(job !== undefined)
  const pod = await world.until('its Pod', 15_000, async () => (await podsOf(world, job))[0])
  return { object, job, pod }
}

function podsOf(world: World, { metadata }: KubeObject): Promise<readonly KubeObject[]> {
  return world.list('pods', `labelSelector=${encodeURIComponent(`job-name=${metadata.name}`)}`)
}

function textsOf({ metadata }: KubeObject, field: 'labels' | 'annotations'): Readonly<Record<string, string>> {
  return metadata[field] as Readonly<Record<string, string>>
}

function ownersOf({ metadata }: KubeObject): readonly string[] {
  return (metadata['ownerReferences'] as { kind: string; name: string }[]).map(({ kind, name }) => `${kind} ${name}`)
}

const fullSpec = {
  parallelism: 2,
  completions: 4,
  backoffLimit: 5,
  activeDeadlineSeconds: 600,
  template: {
    metadata: { labels: { tier: 'batch' }, annotations: { note: 'of the Pod' } },
    spec: {
      restartPolicy: 'OnFailure',
      terminationGracePeriodSeconds: 5,
      initContainers: [{ name: 'first', image: 'busybox' }],
      containers: [{ name: 'main', image: 'busybox', env: [{ name: 'A', value: 'b' }], workingDir: '/work' }],
      volumes: [{ name: 'scratch', emptyDir: {} }],
    },
  },
}

/** What the documentation of CronJob says about its Jobs: docs/cronjob.md has all of it. */
export const likeCronJob = group('like a CronJob', {
  'the name may have 52 characters, since 11 more make the 63 of a Job’s name': async (world) => {
    const name = `a${'-b'.repeat(25)}c`
    const { object, job } = await started(world, name)
    assert.deepEqual([name.length, job.metadata.name.length], [52, 63])
    assert.equal(job.metadata.name, `${name}-${createdAt(object) / 1_000}`)
  },
  'the name of the resource begins the names of its Jobs and their Pods': async (world) => {
    const { job, pod } = await started(world, 'hello')
    for (const { metadata } of [job, pod]) assert.match(metadata.name, /^hello-/)
  },
  'a Pod has another name than its Job, and is found by the label job-name': async (world) => {
    const { job, pod } = await started(world, 'hello')
    assert.notEqual(pod.metadata.name, job.metadata.name)
    assert.equal(textsOf(pod, 'labels')['job-name'], job.metadata.name)
  },
  'the resource is responsible for its Jobs only, and each of them for its Pods': async (world) => {
    const { job, pod } = await started(world, 'hello')
    assert.deepEqual(ownersOf(job), ['SecondCronJob hello'])
    assert.deepEqual(ownersOf(pod), [`Job ${job.metadata.name}`])
  },
  'the template has the schema of a Job: what stands in it reaches the Job as it is': async (world) => {
    const { job, pod } = await started(world, 'full', { jobTemplate: { spec: fullSpec } })
    assert.partialDeepStrictEqual(job['spec'], fullSpec)
    assert.equal(textsOf(pod, 'labels')['tier'], 'batch')
  },
  'the template may give its Jobs labels and annotations': async (world) => {
    const given = { labels: { team: 'a' }, annotations: { 'example.com/note': 'of the Job' } }
    const { job, pod } = await started(world, 'marked', { jobTemplate: { metadata: given, spec: fullSpec } })
    assert.partialDeepStrictEqual(job.metadata, given)
    assert.equal(textsOf(pod, 'labels')['team'], undefined)
  },
  'each Job carries its time in the annotation batch.kubernetes.io/cronjob-scheduled-timestamp, as RFC 3339': async (
    world,
  ) => {
    const { object, job } = await started(world, 'hello')
    const text = textsOf(job, 'annotations')['batch.kubernetes.io/cronjob-scheduled-timestamp'] ?? ''
    assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.equal(Date.parse(text), createdAt(object))
  },
  'status.active points to the Jobs that run': async (world) => {
    const { job } = await started(world, 'runs', jobsThat('never'))
    const active = await world.until('the Job in the status', 10_000, async () => {
      const list = (await statusOf(world, 'runs'))['active'] as readonly object[] | undefined
      return list?.length === 1 && list
    })
    const { name, namespace, uid } = job.metadata
    assert.deepEqual(active, [{ kind: 'Job', namespace, name, uid }])
  },
  'Jobs and Pods that have begun go on without the change that an edit makes': async (world) => {
    const { object, job, pod } = await started(world, 'edited', lasting(4_000))
    const template = {
      metadata: { annotations: { [runMsAnnotation]: '4000' } },
      spec: { ...podSpec, terminationGracePeriodSeconds: 7 },
    }
    await world.merge('secondcronjobs', 'edited', { spec: { jobTemplate: { spec: { template } } } })
    const ended = await world.until('the end of the Job', 20_000, async () => {
      const found = await world.found('jobs', job.metadata.name)
      return typesOf(found).includes('Complete=True') && found
    })
    assert.deepEqual([ended.metadata['uid'], ended['spec']], [job.metadata['uid'], job['spec']])
    assert.deepEqual(
      (await podsOf(world, job)).map(({ metadata }) => metadata['uid']),
      [pod.metadata['uid']],
    )
    assert.deepEqual(await secondsOf(world, object), [0])
  },
  'the policy looks at the Jobs of its own resource: those of two that forbid run side by side': async (world) => {
    await world.operator()
    const spec = { intervalSeconds: 2, concurrencyPolicy: 'Forbid', ...jobsThat('never') }
    const made = [
      await world.create(aResource({ name: 'one' }, spec)),
      await world.create(aResource({ name: 'other' }, spec)),
    ]
    for (const { metadata } of made) await hasRun(world, metadata.name)
    for (const object of made) await since(world, object, 4_500)
    for (const object of made) assert.deepEqual(await secondsOf(world, object), [0])
  },
  'what is not written is as if these were: not suspended, Allow, 3 completed and 1 failed Job are kept': async (
    world,
  ) => {
    const { spec } = (await world.create(aResource({ name: 'plain' }))) as unknown as { spec: Record<string, unknown> }
    assert.partialDeepStrictEqual(spec, {
      suspend: false,
      concurrencyPolicy: 'Allow',
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    })
  },
  'the newest 3 completed Jobs are kept unless another number is written': keeps({}, 3),
  'failedJobsHistoryLimit: 0 keeps no failed Job': keeps({ failedJobsHistoryLimit: 0, ...jobsThat('fail') }, 0),
})
