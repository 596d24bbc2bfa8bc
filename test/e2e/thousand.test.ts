import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { usageOf } from '../support/usage.ts'
import { describeLateness } from '../support/verdict.ts'

let cluster: Cluster
let operator: OperatorProcess
before(async () => {
  cluster = await Cluster.start()
  operator = await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

const count = 1_000
const atOnce = 50

test('idle: ready within seconds, on less memory than the Deployment asks for', async (t) => {
  const { rssMb, anonymousMb, sockets } = await usageOf(operator.pid)
  t.diagnostic(
    `ready after ${operator.readyAfterMs} ms; RSS ${rssMb} MB (anonymous ${anonymousMb}), ${sockets} sockets`,
  )
  assert.ok(operator.readyAfterMs < 10_000)
  assert.ok(rssMb <= 128, `${rssMb} MB`)
})

test('1,000 resources of 10 seconds created at once: every slot of every one has its Job', async (t) => {
  // Suspended Jobs load the API server with what is tested here, the creates, and not with Pods.
  const pod = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] }
  const spec = { intervalSeconds: 10, jobTemplate: { spec: { suspend: true, template: { spec: pod } } } }
  const objects = []
  for (let at = 0; at < count; at += atOnce)
    objects.push(...(await Promise.all(Array.from({ length: atOnce }, (_, n) => cluster.create(`t${at + n}`, spec)))))
  await waitFor('all of them to be served', 60_000, async () => {
    const items = await cluster.admin.list('/apis/myyrakle.com/v1/secondcronjobs')
    return items.every(
      (item) => (item['status'] as { lastScheduleTime?: string } | undefined)?.lastScheduleTime !== undefined,
    )
  })
  const from = Date.now() + 1_000
  const until = from + 30_000
  const { cpuSeconds } = await usageOf(operator.pid)
  const since = performance.now()
  await untilTime(until + 5_000)
  const usage = await usageOf(operator.pid)
  const cores = (usage.cpuSeconds - cpuSeconds) / ((performance.now() - since) / 1_000)
  const verdict = await cluster.judge(objects.map((object) => expectationOf(object, from, until)))
  const { lost, twice, offGrid, early } = verdict
  t.diagnostic(
    `${verdict.due} slots in 30 s, created over ${(Math.max(...objects.map(createdAt)) - Math.min(...objects.map(createdAt))) / 1_000 + 1} s; ${describeLateness(verdict)}`,
  )
  t.diagnostic(
    `RSS ${usage.rssMb} MB (anonymous ${usage.anonymousMb}), ${usage.sockets} sockets, ${cores.toFixed(2)} cores`,
  )
  assert.ok(usage.rssMb <= 384, 'more than the Deployment allows')
  assert.deepEqual({ lost, twice, offGrid, early }, { lost: [], twice: [], offGrid: [], early: [] })
  assert.ok(usage.sockets <= 70, `${usage.sockets} sockets`)
})
