import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MetricSources, Metrics } from '../../src/metrics.ts'

const sources: MetricSources = {
  version: '1.2.3',
  leads: () => true,
  leaseAgeMs: () => 1_500,
  clockOffsetMs: () => -250,
  inFlight: () => 3,
  backlog: () => 7,
  resources: () => 42,
  repairs: () => ({ secondcronjobs: 0, jobs: 2 }),
  silentMs: () => ({ secondcronjobs: 500, jobs: 12_000 }),
}

test('metrics: what was counted, and what is asked for at the scrape, in base units', async () => {
  const metrics = new Metrics(sources)
  for (const latenessMs of [2, 30, -1]) metrics.wrote(latenessMs)
  for (const result of ['created', 'created', 'unknown'] as const) metrics.answered(result)
  metrics.missed('Downtime', 5)
  metrics.skipped('JobAlreadyActive')
  const lines = (await metrics.text()).split('\n')
  for (const line of [
    'secondcronjob_launch_lateness_seconds_bucket{le="0.001"} 1',
    'secondcronjob_launch_lateness_seconds_bucket{le="0.0025"} 2',
    'secondcronjob_launch_lateness_seconds_bucket{le="0.05"} 3',
    'secondcronjob_launches_total{result="created"} 2',
    'secondcronjob_launches_total{result="unknown"} 1',
    'secondcronjob_creates_unknown_total 1',
    'secondcronjob_slots_missed_total{reason="Downtime"} 5',
    'secondcronjob_slots_skipped_total{reason="JobAlreadyActive"} 1',
    'leader_election_master_status{name="second-cron-job-operator"} 1',
    'secondcronjob_build_info{version="1.2.3"} 1',
    'secondcronjob_lease_age_seconds 1.5',
    'secondcronjob_clock_offset_seconds -0.25',
    'secondcronjob_in_flight_creates 3',
    'secondcronjob_due_backlog 7',
    'secondcronjob_resources 42',
    'secondcronjob_scan_repairs_total{resource="jobs"} 2',
    'secondcronjob_watch_silent_seconds{resource="jobs"} 12',
  ])
    assert.ok(lines.includes(line), line)
  assert.ok(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds ')))
})
