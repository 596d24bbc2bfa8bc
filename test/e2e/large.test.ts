import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, expectationOf, untilTime } from '../support/cluster.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { bundle, imageEnv, nodeFlags } from '../support/shipped.ts'
import { usageOf } from '../support/usage.ts'
import { describeLateness } from '../support/verdict.ts'

/**
 * Whoever may edit resources in one namespace could end the operator for all others: two hundred suspended resources of a
 * megabyte were held whole, in a heap of 192 MB, and listed five hundred at a time.
 */

let cluster: Cluster
let operator: OperatorProcess
before(async () => {
  cluster = await Cluster.start()
  operator = await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

const count = 250
const atOnce = 5
/** What the Deployment lets the Pod have. */
const limitMb = 384

function jobTemplate(characters: number, image = 'busybox') {
  const env = [{ name: 'X', value: 'x'.repeat(characters) }]
  const pod = { restartPolicy: 'Never', containers: [{ name: 'a', image, env }] }
  return { spec: { suspend: true, template: { spec: pod } } }
}

function imageOf(job: KubeObject): unknown {
  const { template } = job['spec'] as { template: { spec: { containers: readonly { image: string }[] } } }
  return template.spec.containers[0]?.image
}

async function usage(when: string): Promise<string> {
  const { rssMb, peakRssMb } = await usageOf(operator.pid)
  assert.ok(peakRssMb < limitMb, `${when}: ${peakRssMb} MB`)
  return `${when}: RSS ${rssMb} MB, at most ${peakRssMb} MB`
}

test('250 suspended resources of a megabyte: nobody else loses a run, and they are served', async (t) => {
  const healthy = await cluster.create('healthy', { intervalSeconds: 1 })
  await cluster.hasRun('healthy', 2)
  const from = Date.now()
  const spec = { intervalSeconds: 3_600, suspend: true, jobTemplate: jobTemplate(1_000_000) }
  for (let at = 0; at < count; at += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, n) => cluster.create(`big-${at + n}`, spec)))
  for (let n = 0; n < count; n += 1) await cluster.condition(`big-${n}`, ['Accepted', 'True'])
  const verdict = await cluster.judge([expectationOf(healthy, from, Date.now() - 1_000)])
  t.diagnostic(`${await usage('250 created')}; beside it ${verdict.due} runs, ${describeLateness(verdict)}`)
  assert.deepEqual([verdict.lost, verdict.twice], [[], []])
})

test('a template of 900 kB runs as it is now, on its schedule and by run-now', async (t) => {
  await cluster.create('heavy', { intervalSeconds: 3_600, jobTemplate: jobTemplate(900_000) })
  await cluster.hasRun('heavy')
  assert.match(JSON.stringify(await cluster.jobsOf('heavy')), /x{900000}/)
  await cluster.edit('heavy', { suspend: true, jobTemplate: jobTemplate(900_000, 'alpine') })
  await cluster.annotate('heavy', { 'myyrakle.com/run-now': 'again' })
  const manual = await waitFor('the Job that run-now asks for', 10_000, async () => {
    const jobs = await cluster.jobsOf('heavy')
    return jobs.find(({ metadata }) => metadata.name.startsWith('heavy-m')) ?? null
  })
  assert.equal(imageOf(manual), 'alpine')
  t.diagnostic(await usage('launched'))
})

test('a template of 20 kB, read for each launch, beside one that is held', async (t) => {
  const read = await cluster.create('read', { intervalSeconds: 1, jobTemplate: jobTemplate(20_000) })
  const held = await cluster.create('held', { intervalSeconds: 1, jobTemplate: jobTemplate(2_000) })
  await cluster.hasRun('read', 2)
  const from = Date.now()
  await untilTime(from + 15_000)
  for (const [what, object] of Object.entries({ read, held })) {
    const { lost, ...verdict } = await cluster.judge([expectationOf(object, from, from + 13_000)])
    t.diagnostic(`${what}: ${describeLateness({ lost, ...verdict })}`)
    assert.deepEqual(lost, [])
  }
})

test('a restart reads all of them, and is ready', async (t) => {
  await operator.kill()
  const since = Date.now()
  await operator.start()
  await waitFor('a run after the restart', 10_000, async () =>
    (await cluster.launchesOf('healthy')).some(({ slot }) => slot > since),
  )
  t.diagnostic(`ready after ${operator.readyAfterMs} ms; ${await usage('restarted')}`)
})

test('uninstall takes the finalizer off every one', async () => {
  await operator.kill()
  const command = [...nodeFlags, bundle, 'uninstall', '--yes']
  const env = { ...process.env, ...imageEnv, KUBECONFIG: cluster.plane.kubeconfig }
  const { stdout } = await promisify(execFile)(process.execPath, command, { env, timeout: 60_000 })
  assert.match(stdout, new RegExp(`is taken off ${count + 4} SecondCronJobs`))
})
