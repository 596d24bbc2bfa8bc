import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { LaunchResult, Tally } from './controller/ports.ts'

/** What is asked for when somebody scrapes. */
export interface MetricSources {
  readonly version: string
  readonly leads: () => boolean
  /** Of the term, since its last renewal was sent; 0 without one. */
  readonly leaseAgeMs: () => number
  readonly clockOffsetMs: () => number
  readonly inFlight: () => number
  readonly backlog: () => number
  readonly resources: () => number
  /** By kind. */
  readonly repairs: () => Readonly<Record<string, number>>
  /** Since the last byte of each watch, by kind. */
  readonly silentMs: () => Readonly<Record<string, number>>
}

/** From a millisecond, as no metric of Kubernetes' own has it, to a minute. */
const latenessBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Base units, no names of objects, and the names of Go operators where there are any, so that their dashboards work. */
export class Metrics implements Tally {
  readonly #registry = new Registry()
  readonly #lateness: Histogram
  readonly #launches: Counter<'result'>
  readonly #missed: Counter<'reason'>
  readonly #skipped: Counter<'reason'>
  readonly #unknown: Counter

  constructor(sources: MetricSources) {
    const registers = [this.#registry]
    this.#lateness = new Histogram({
      name: 'secondcronjob_launch_lateness_seconds',
      help: 'From the second that a Job was due until its create was written to the connection.',
      buckets: latenessBuckets,
      registers,
    })
    this.#launches = new Counter({
      name: 'secondcronjob_launches_total',
      help: 'Creates of Jobs by what came of them.',
      labelNames: ['result'],
      registers,
    })
    this.#missed = new Counter({
      name: 'secondcronjob_slots_missed_total',
      help: 'Due seconds without a Job, by why.',
      labelNames: ['reason'],
      registers,
    })
    this.#skipped = new Counter({
      name: 'secondcronjob_slots_skipped_total',
      help: 'Due seconds that were deliberately not launched, by why.',
      labelNames: ['reason'],
      registers,
    })
    this.#unknown = new Counter({
      name: 'secondcronjob_creates_unknown_total',
      help: 'Creates without a clear answer, which were looked up by name.',
      registers,
    })
    this.#gauges(sources)
    collectDefaultMetrics({ register: this.#registry })
  }

  wrote(latenessMs: number): void {
    this.#lateness.observe(Math.max(0, latenessMs) / 1_000)
  }

  answered(result: LaunchResult): void {
    this.#launches.inc({ result })
    if (result === 'unknown') this.#unknown.inc()
  }

  missed(reason: string, count: number): void {
    this.#missed.inc({ reason }, count)
  }

  skipped(reason: string): void {
    this.#skipped.inc({ reason })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** In Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #gauges(sources: MetricSources): void {
    this.#gauge('leader_election_master_status', 'Whether this process leads.', () => ({
      labels: { name: 'second-cron-job-operator' },
      value: Number(sources.leads()),
    }))
    this.#gauge('secondcronjob_build_info', 'The version that runs.', () => ({
      labels: { version: sources.version },
      value: 1,
    }))
    const seconds = { lease_age: sources.leaseAgeMs, clock_offset: sources.clockOffsetMs }
    for (const [what, ask] of Object.entries(seconds))
      this.#gauge(`secondcronjob_${what}_seconds`, helps[what] ?? '', () => ({ labels: {}, value: ask() / 1_000 }))
    const counts = { in_flight_creates: sources.inFlight, due_backlog: sources.backlog, resources: sources.resources }
    for (const [what, ask] of Object.entries(counts))
      this.#gauge(`secondcronjob_${what}`, helps[what] ?? '', () => ({ labels: {}, value: ask() }))
    this.#countRepairs(sources.repairs)
    this.#gauge('secondcronjob_watch_silent_seconds', helps['silent'] ?? '', () => byKind(sources.silentMs(), 1_000))
  }

  /** Counted elsewhere, so it is set to what was counted at each scrape. */
  #countRepairs(ask: MetricSources['repairs']): void {
    const counter: Counter<'resource'> = new Counter({
      name: 'secondcronjob_scan_repairs_total',
      help: 'What the full scan found that a watch had lost; should stay 0.',
      labelNames: ['resource'],
      registers: [this.#registry],
      collect: () => {
        counter.reset()
        for (const { labels, value } of byKind(ask())) counter.inc(labels, value)
      },
    })
  }

  #gauge(name: string, help: string, ask: () => Sample | readonly Sample[]): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['name', 'version', 'resource'],
      registers: [this.#registry],
      collect: () => {
        for (const { labels, value } of [ask()].flat()) gauge.set(labels, value)
      },
    })
  }
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

function byKind(values: Readonly<Record<string, number>>, unit = 1): readonly Sample[] {
  return Object.entries(values).map(([resource, value]) => ({ labels: { resource }, value: value / unit }))
}

const helps: Readonly<Record<string, string>> = {
  lease_age: 'Since the last successful renewal was sent; 0 for a standby.',
  clock_offset: 'The API server’s clock minus ours, known to half a second.',
  in_flight_creates: 'Creates on their way.',
  due_backlog: 'Creates that wait for a connection.',
  resources: 'SecondCronJobs that are known.',
  silent: 'Since the last byte of a watch.',
}
