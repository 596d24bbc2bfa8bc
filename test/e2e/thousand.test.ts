import assert from 'node:assert/strict'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { describeLateness } from '../support/verdict.ts'
import type { OperatorProcess } from '../support/operator-process.ts'

let cluster: Cluster
let operator: OperatorProcess
before(async () => {
  cluster = await Cluster.start()
  operator = await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

const count = 1_000
const atOnce = 50

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
  await untilTime(until + 5_000)
  const usage = await usageOf(operator.pid)
  const verdict = await cluster.judge(objects.map((object) => expectationOf(object, from, until)))
  const { lost, twice, offGrid, early } = verdict
  t.diagnostic(
    `${verdict.due} slots in 30 s, created over ${(Math.max(...objects.map(createdAt)) - Math.min(...objects.map(createdAt))) / 1_000 + 1} s; ${describeLateness(verdict)}`,
  )
  t.diagnostic(`RSS ${usage.rssMb} MB, ${usage.sockets} sockets`)
  assert.deepEqual({ lost, twice, offGrid, early }, { lost: [], twice: [], offGrid: [], early: [] })
  assert.ok(usage.sockets <= 70, `${usage.sockets} sockets`)
})

async function usageOf(pid = 0): Promise<{ rssMb: number; sockets: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const rssMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024)
  return { rssMb, sockets: await socketsOf(pid) }
}

async function socketsOf(pid: number): Promise<number> {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  return targets.filter((target) => target.startsWith('socket:')).length
}
