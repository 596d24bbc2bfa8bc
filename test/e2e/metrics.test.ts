import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { waitFor } from '../support/admin.ts'
import { Cluster, manifests, untilTime } from '../support/cluster.ts'
import { Fleet } from '../support/fleet.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { Proxy } from '../support/proxy.ts'
import { samplesOf } from '../support/samples.ts'
import { leasePath } from '../support/service-account.ts'
import { createsOf } from '../support/pair.ts'

/** What `/metrics` says, beside what the API server has recorded. */

const leads = 'leader_election_master_status{name="second-cron-job-operator"}'
const count = 10

let cluster: Cluster
let proxy: Proxy
/** The first to lead, behind the proxy. */
let leader: OperatorProcess
let standby: OperatorProcess
let fleet: Fleet

before(async () => {
  cluster = await Cluster.start()
  proxy = await Proxy.start(cluster.plane)
  for (const object of await manifests('deploy-flowschema/flow-schema.yaml')) await cluster.admin.apply(object)
  leader = await (await cluster.operator({ server: proxy.url })).start()
  standby = await (await cluster.operator()).start('standby')
  fleet = await Fleet.create(cluster, count, 3)
})
after(async () => {
  await cluster[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

/** Half a second after one: what was due has been answered by then. */
async function quiet(afterMs = 0): Promise<void> {
  await untilTime((Math.floor((Date.now() + afterMs) / 1_000) + 1) * 1_000 + 500)
}

/** Whatever labels it has. */
function sum(metrics: ReadonlyMap<string, number>, name: string): number {
  const values = [...metrics].flatMap(([sample, value]) => (sample.split('{')[0] === name ? [value] : []))
  return values.reduce((total, value) => total + value, 0)
}

test('the leader: launches, lateness, lease, clock, watches', async (t) => {
  await quiet(5_000)
  const metrics = await leader.metrics()
  const creates = createsOf(leader, await cluster.audit())
  assert.ok(creates.length > count)
  assert.equal(metrics.get('secondcronjob_launches_total{result="created"}'), creates.length)
  assert.equal(sum(metrics, 'secondcronjob_launches_total'), creates.length)
  assert.equal(metrics.get('secondcronjob_launch_lateness_seconds_count'), creates.length)
  // The first of each is late by nature: its second has begun before it was created.
  const seconds = metrics.get('secondcronjob_launch_lateness_seconds_sum') ?? Number.NaN
  const received = creates.reduce(
    (total, { name, received: at }) => total + at - Number(name.split('-').at(-1)) * 1_000,
    0,
  )
  t.diagnostic(
    `lateness in all: ${(seconds * 1_000).toFixed(0)} ms when written, ${received.toFixed(0)} ms when received`,
  )
  assert.ok(seconds * 1_000 <= received && seconds * 1_000 > received - creates.length * 50)
  const lease = (await cluster.admin.request('GET', leasePath)) as { spec: { holderIdentity: string } }
  assert.match(lease.spec.holderIdentity, new RegExp(`^${leader.name}_`))
  assert.equal(metrics.get(leads), 1)
  const age = metrics.get('secondcronjob_lease_age_seconds') ?? Number.NaN
  assert.ok(age > 0 && age < 1.5, `${age} s`)
  assertSound(metrics)
})

test('the standby: it knows as much, and has launched nothing', async () => {
  const metrics = await standby.metrics()
  assert.equal(createsOf(standby, await cluster.audit()).length, 0)
  assert.equal(sum(metrics, 'secondcronjob_launches_total'), 0)
  assert.equal(metrics.get('secondcronjob_launch_lateness_seconds_count'), 0)
  assert.deepEqual([metrics.get(leads), metrics.get('secondcronjob_lease_age_seconds')], [0, 0])
  assertSound(metrics)
})

test('answers are lost after the commit: each such create is counted as unknown, and its Job is there once', async () => {
  const earlier = await leader.metrics()
  const from = Date.now()
  let lost = 0
  proxy.loseCreates(() => {
    lost += 1
  })
  await quiet(2_000)
  proxy.keepCreates()
  await quiet()
  const later = await leader.metrics()
  const grown = (name: string) => (later.get(name) ?? 0) - (earlier.get(name) ?? 0)
  assert.ok(lost >= count)
  assert.equal(grown('secondcronjob_creates_unknown_total'), lost)
  assert.equal(grown('secondcronjob_launches_total{result="unknown"}'), lost)
  const committed = createsOf(leader, await cluster.audit()).filter(
    ({ code, received }) => code === 201 && received >= from,
  )
  assert.equal(grown('secondcronjob_launches_total{result="created"}'), committed.length - lost)
  assert.equal(sum(later, 'secondcronjob_slots_missed_total'), 0)
  await fleet.judged(from + 1_000, [])
})

test('the leader is killed: the other one says so, and counts what was missed as the statuses do', async (t) => {
  await leader.kill()
  await waitFor('the standby to lead', 12_000, () => standby.leads())
  await quiet(6_000)
  const metrics = await standby.metrics()
  const counts = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const status = (await cluster.get(`f${index}`))?.['status'] as { missedCount: number }
      return status.missedCount
    }),
  )
  const missed = counts.reduce((total, each) => total + each, 0)
  t.diagnostic(`${missed} missed`)
  assert.ok(missed > 0)
  assert.equal(metrics.get('secondcronjob_slots_missed_total{reason="Downtime"}'), missed)
  assert.equal(metrics.get(leads), 1)
  assert.equal(
    metrics.get('secondcronjob_launches_total{result="created"}'),
    createsOf(standby, await cluster.audit()).filter(({ code }) => code === 201).length,
  )
})

test('with deploy-flowschema the requests for the Lease, and no others, have the seats of leader election', async () => {
  const samples = samplesOf(String(await cluster.admin.request('GET', '/metrics')))
  const ours = [...samples].filter(
    ([name]) =>
      name.startsWith('apiserver_flowcontrol_dispatched_requests_total') &&
      name.includes('flow_schema="second-cron-job-operator-lease"'),
  )
  assert.deepEqual(
    ours.map(([name]) => /priority_level="([^"]+)"/.exec(name)?.[1]),
    ['leader-election'],
  )
  const asked = (await cluster.audit()).filter(
    ({ resource, userAgent }) => resource === 'leases' && userAgent.includes('(operator-'),
  )
  const dispatched = ours[0]?.[1] ?? 0
  // The audit log has what is complete, and a watch is not.
  assert.ok(dispatched >= asked.length && dispatched <= asked.length + 8, `${dispatched} of ${asked.length}`)
})

function assertSound(metrics: ReadonlyMap<string, number>): void {
  assert.equal(metrics.get('secondcronjob_resources'), count)
  assert.ok(Math.abs(metrics.get('secondcronjob_clock_offset_seconds') ?? Number.NaN) <= 0.6)
  for (const resource of ['secondcronjobs', 'jobs']) {
    assert.equal(metrics.get(`secondcronjob_scan_repairs_total{resource="${resource}"}`), 0)
    const silent = metrics.get(`secondcronjob_watch_silent_seconds{resource="${resource}"}`) ?? Number.NaN
    assert.ok(silent >= 0 && silent < 60, `${silent} s`)
  }
  assert.deepEqual([metrics.get('secondcronjob_in_flight_creates'), metrics.get('secondcronjob_due_backlog')], [0, 0])
  assert.equal(metrics.get('secondcronjob_build_info{version="0.1.0"}'), 1)
}
