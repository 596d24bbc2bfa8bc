import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aJob } from '../kinds.ts'
import { group } from '../row.ts'
import type { World } from '../world.ts'
import { conditionsOf, finished, runningJob, statusOf, templateThat, typesOf } from './job-stories.ts'

async function podsOf(world: World, job: string): Promise<readonly KubeObject[]> {
  return world.list('pods', `labelSelector=batch.kubernetes.io/job-name%3D${job}`)
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

export const jobs = group('jobs', {
  'a Job gets its defaults, a selector by its uid, and labels on its Pods': async (world) => {
    const { spec, metadata } = await world.create(aJob({ name: 'a' }))
    const uid = String(metadata['uid'])
    assert.partialDeepStrictEqual(spec, {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: true,
      podReplacementPolicy: 'TerminatingOrFailed',
      manualSelector: false,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
    })
    const { template } = spec as { template: { metadata: { labels: Record<string, string> } } }
    assert.partialDeepStrictEqual(template.metadata.labels, {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'a',
      'controller-uid': uid,
      'job-name': 'a',
    })
    assert.deepEqual(metadata['labels'], template.metadata.labels)
  },
  'its Pod template gets the defaults of Pods': async (world) => {
    const { spec } = await world.create(aJob({ name: 'a' }))
    const { template } = spec as { template: { spec: Record<string, unknown> } }
    assert.partialDeepStrictEqual(template.spec, {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      containers: [{ name: 'a', image: 'busybox', imagePullPolicy: 'Always' }],
    })
  },
  'while it runs: one Pod, active, a time of start': async (world) => {
    await runningJob(world, { outcome: 'never' })
    const status = statusOf(await world.found('jobs', 'a'))
    assert.partialDeepStrictEqual(status, { active: 1, terminating: 0, uncountedTerminatedPods: {} })
    assert.match(String(status.startTime), time)
    assert.deepEqual(typesOf(await world.found('jobs', 'a')), [])
    const [pod, ...others] = await podsOf(world, 'a')
    assert.deepEqual(others, [])
    assert.match(String(pod?.metadata.name), /^a-[a-z0-9]{5}$/)
    const owners = pod?.metadata['ownerReferences'] as Record<string, unknown>[]
    const { apiVersion, kind, name, controller, blockOwnerDeletion } = owners[0] ?? {}
    assert.deepEqual([apiVersion, kind, name, controller, blockOwnerDeletion], ['batch/v1', 'Job', 'a', true, true])
  },
  'Complete: SuccessCriteriaMet before it, one succeeded, a time of completion': async (world) => {
    const job = await finished(world, {})
    assert.deepEqual(typesOf(job), ['SuccessCriteriaMet=True', 'Complete=True'])
    const [, complete] = conditionsOf(job)
    assert.deepEqual(
      [complete?.reason, complete?.message],
      ['CompletionsReached', 'Reached expected number of succeeded pods'],
    )
    assert.match(String(complete?.lastTransitionTime), time)
    const { succeeded, active, failed, completionTime } = statusOf(job)
    assert.deepEqual([succeeded, active, failed], [1, undefined, undefined])
    assert.match(String(completionTime), time)
    const [pod] = await podsOf(world, 'a')
    assert.partialDeepStrictEqual(pod?.['status'], { phase: 'Succeeded' })
  },
  'Failed at once with backoffLimit 0: FailureTarget before it, BackoffLimitExceeded': async (world) => {
    const job = await finished(world, { outcome: 'fail', spec: { backoffLimit: 0 } })
    assert.deepEqual(typesOf(job), ['FailureTarget=True', 'Failed=True'])
    const [, failed] = conditionsOf(job)
    assert.deepEqual(
      [failed?.reason, failed?.message],
      ['BackoffLimitExceeded', 'Job has reached the specified backoff limit'],
    )
    const status = statusOf(job)
    assert.deepEqual([status.failed, status.succeeded, status.completionTime], [1, undefined, undefined])
  },
  'with backoffLimit 1 a second Pod is tried, some ten seconds later': async (world) => {
    const job = await finished(world, { outcome: 'fail', spec: { backoffLimit: 1 }, withinMs: 40_000 })
    assert.deepEqual([typesOf(job), statusOf(job).failed], [['FailureTarget=True', 'Failed=True'], 2])
    const pods = await podsOf(world, 'a')
    const [first = 0, second = 0] = pods
      .map(({ metadata }) => Date.parse(String(metadata['creationTimestamp'])))
      .toSorted((one, other) => one - other)
    assert.equal(pods.length, 2)
    assert.ok(second - first >= 9_000 && second - first <= 25_000, `${second - first} ms apart`)
  },
  'three completions, two at once: never more than two Pods, and three have succeeded': async (world) => {
    const most = { count: 0 }
    await world.create(aJob({ name: 'a' }, { suspend: false, completions: 3, parallelism: 2 }))
    const job = await world.until('it to be Complete', 30_000, async () => {
      const found = await world.found('jobs', 'a')
      most.count = Math.max(most.count, statusOf(found).active ?? 0)
      return typesOf(found).includes('Complete=True') && found
    })
    assert.deepEqual([most.count, statusOf(job).succeeded, (await podsOf(world, 'a')).length], [2, 3, 3])
  },
  'activeDeadlineSeconds: its Pod is ended, and it has Failed with DeadlineExceeded': async (world) => {
    const job = await finished(world, { outcome: 'never', spec: { activeDeadlineSeconds: 2 } })
    assert.deepEqual(typesOf(job), ['FailureTarget=True', 'Failed=True'])
    const [, failed] = conditionsOf(job)
    assert.deepEqual(
      [failed?.reason, failed?.message],
      ['DeadlineExceeded', 'Job was active longer than specified deadline'],
    )
    assert.deepEqual([statusOf(job).failed, statusOf(job).active], [1, undefined])
    const { startTime } = statusOf(job)
    const lasted = Date.parse(String(failed?.lastTransitionTime)) - Date.parse(String(startTime))
    assert.ok(lasted >= 2_000, `ended after ${lasted} ms`)
    await world.until('the Pod to be gone', 10_000, async () => (await podsOf(world, 'a')).length === 0)
  },
  'activeDeadlineSeconds written while it runs: it ends at that time': async (world) => {
    await runningJob(world, { outcome: 'never' })
    await world.merge('jobs', 'a', { spec: { activeDeadlineSeconds: 3 } })
    await world.until('it to have Failed', 15_000, async () => {
      return typesOf(await world.found('jobs', 'a')).includes('Failed=True')
    })
  },
  'parallelism made smaller while they run: the Pods that are too many are taken away': async (world) => {
    const spec = { suspend: false, parallelism: 3, completions: 3, template: templateThat('never') }
    await world.create(aJob({ name: 'a' }, spec))
    const areActive = (count: number) => async () => {
      const pods = (await podsOf(world, 'a')).filter(({ metadata }) => metadata['deletionTimestamp'] === undefined)
      return statusOf(await world.found('jobs', 'a')).active === count && pods.length === count
    }
    await world.until('three Pods', 15_000, areActive(3))
    await world.merge('jobs', 'a', { spec: { parallelism: 1 } })
    await world.until('one Pod', 15_000, areActive(1))
  },
  'suspended: no Pod, a condition that says so; resumed: it runs, and the condition is False': async (world) => {
    await world.create(aJob({ name: 'a' }))
    const suspended = await world.until('it to be Suspended', 10_000, async () => {
      const job = await world.found('jobs', 'a')
      return typesOf(job).length > 0 && job
    })
    assert.deepEqual(typesOf(suspended), ['Suspended=True'])
    assert.deepEqual(
      [conditionsOf(suspended)[0]?.reason, conditionsOf(suspended)[0]?.message, statusOf(suspended).startTime],
      ['JobSuspended', 'Job suspended', undefined],
    )
    assert.deepEqual(await podsOf(world, 'a'), [])
    await world.merge('jobs', 'a', { spec: { suspend: false } })
    const done = await world.until('it to be Complete', 20_000, async () => {
      const job = await world.found('jobs', 'a')
      return typesOf(job).includes('Complete=True') && job
    })
    assert.deepEqual(typesOf(done), ['Suspended=False', 'SuccessCriteriaMet=True', 'Complete=True'])
    assert.deepEqual([conditionsOf(done)[0]?.reason, conditionsOf(done)[0]?.message], ['JobResumed', 'Job resumed'])
  },
  'suspended while it runs: its Pod is taken away, and the time of start with it': async (world) => {
    await runningJob(world, { outcome: 'never' })
    await world.merge('jobs', 'a', { spec: { suspend: true } })
    await world.until('its Pod to be gone', 10_000, async () => (await podsOf(world, 'a')).length === 0)
    const job = await world.until('it to be Suspended', 10_000, async () => {
      const found = await world.found('jobs', 'a')
      return statusOf(found).active === undefined && typesOf(found).includes('Suspended=True') && found
    })
    assert.equal(statusOf(job).startTime, undefined)
  },
  'ttlSecondsAfterFinished: gone so long after its end, with its Pods': async (world) => {
    await finished(world, { spec: { ttlSecondsAfterFinished: 3 } })
    const at = world.now()
    await world.isGone('jobs', 'a', 15_000)
    assert.ok(world.now() - at >= 1_500, `gone after ${world.now() - at} ms`)
    await world.until('its Pods to be gone', 10_000, async () => (await podsOf(world, 'a')).length === 0)
  },
  'a TTL of 0: gone as soon as it ends': async (world) => {
    await world.create(aJob({ name: 'a' }, { suspend: false, ttlSecondsAfterFinished: 0 }))
    await world.isGone('jobs', 'a', 15_000)
  },
  'deleted in the background while its Pod runs: both are gone': async (world) => {
    await runningJob(world, { outcome: 'never' })
    await world.delete('jobs', 'a', { propagationPolicy: 'Background' })
    await world.isGone('jobs', 'a')
    await world.until('its Pods to be gone', 15_000, async () => (await podsOf(world, 'a')).length === 0)
  },
})
