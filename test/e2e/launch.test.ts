import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { conditionOf, waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, manifests, untilTime } from '../support/cluster.ts'
import { describeLateness } from '../support/verdict.ts'

let cluster: Cluster

before(async () => {
  cluster = await Cluster.start()
  await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

const none = { lost: [], twice: [], offGrid: [], early: [] }

describe('on time', { concurrency: true }, () => {
  test('a resource of one second: 60 Jobs in 60 seconds, each named by its slot, none early', async (t) => {
    const object = await cluster.create('every-second', { intervalSeconds: 1 })
    const from = createdAt(object) + 2_000
    await untilTime(from + 60_500)
    const verdict = await cluster.judge([expectationOf(object, from, from + 60_000)])
    const { lost, twice, offGrid, early } = verdict
    assert.deepEqual({ lost, twice, offGrid, early }, none)
    assert.equal(verdict.launched, 60)
    t.diagnostic(describeLateness(verdict))
    await cluster.admin.delete('/apis/myyrakle.com/v1/namespaces/default/secondcronjobs/every-second')
  })

  test('the oldest shape of manifest, unchanged: a Job at its creation, then on its grid', async () => {
    const [manifest] = await manifests('deploy/examples/oldest-shape.yaml')
    assert.ok(manifest !== undefined)
    const object = await cluster.admin.apply(manifest)
    const from = createdAt(object)
    await untilTime(from + 40_900)
    const verdict = await cluster.judge([expectationOf(object, from, from + 41_000)])
    const { lost, twice, offGrid, early } = verdict
    assert.deepEqual({ lost, twice, offGrid, early }, none)
    assert.equal(verdict.launched, 3)
    const jobs = await cluster.jobsOf('oldest')
    assert.ok(jobs[0] !== undefined)
    const { backoffLimit, template } = jobs[0]['spec'] as {
      backoffLimit: number
      template: { spec: { restartPolicy: string; containers: { name: string; image: string }[] } }
    }
    assert.deepEqual(
      [
        backoffLimit,
        template.spec.restartPolicy,
        template.spec.containers[0]?.name,
        template.spec.containers[0]?.image,
      ],
      [3, 'Never', 'hello', 'busybox'],
    )
  })
})

test('the status tells what is true', async () => {
  const object = await waitFor('the status', 10_000, async () => {
    const found = await cluster.admin.get('/apis/myyrakle.com/v1/namespaces/default/secondcronjobs/oldest')
    return found !== null && (found['status'] as { activeCount?: number }).activeCount === 0 ? found : null
  })
  const status = object['status'] as Record<string, unknown>
  assert.equal(status['observedSchedule'], 'every 20s')
  assert.equal(status['missedCount'], 0)
  assert.equal(status['lastScheduleTime'], status['handledUntil'])
  assert.equal(conditionOf(object, 'Accepted')?.status, 'True')
  assert.equal(conditionOf(object, 'Ready')?.status, 'True')
  assert.equal(conditionOf(object, 'Failing')?.status, 'False')
})
