import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, expectationOf, untilTime } from '../support/cluster.ts'
import { type Burden, burdenOf } from '../support/isolation.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { operatorUser } from '../support/service-account.ts'
import { usageOf } from '../support/usage.ts'
import { describeLateness, judge, type Verdict } from '../support/verdict.ts'
import { Webhook } from '../support/webhook.ts'

/** The whole of it: ISOLATION_RESOURCES=1000 ISOLATION_BAD=100 ISOLATION_SECONDS=25. */
const count = Number(process.env['ISOLATION_RESOURCES'] ?? 120)
const bad = Number(process.env['ISOLATION_BAD'] ?? 24)
const seconds = Number(process.env['ISOLATION_SECONDS'] ?? 6)
/** Every tenth one is due each second, so that none can be late without losing a run. */
const intervals = [1, 10, 10, 10, 10, 10, 10, 10, 10, 10]
const healthySeconds = 3

let cluster: Cluster
let webhook: Webhook
let operator: OperatorProcess
before(async () => {
  cluster = await Cluster.start()
  webhook = await Webhook.start(cluster.plane)
  operator = await (await cluster.operator()).start()
})
after(async () => {
  await webhook[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

/** Suspended Jobs load the API server with what is tested here, the creates, and not with Pods. */
const pod = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] }
const label = { trouble: 'yes' }
const templateOf = (metadata: object, spec: object) => ({
  metadata,
  spec: { suspend: true, template: { spec: { ...pod, ...spec } } },
})
const specOf = (intervalSeconds: number, jobTemplate: object) => ({
  intervalSeconds,
  activeJobsLimit: 10_000,
  jobTemplate,
})

const quotaPath = (namespace: string) => `/api/v1/namespaces/${namespace}/resourcequotas/jobs`
const setQuota = (namespace: string, most: number) =>
  cluster.admin.patch(quotaPath(namespace), 'merge', { spec: { hard: { 'count/jobs.batch': String(most) } } })

interface Kind {
  readonly name: string
  readonly namespace: string
  /** The resources run before that. */
  readonly begin: (objects: readonly KubeObject[]) => Promise<unknown>
  readonly end: () => Promise<unknown>
}

const kinds: readonly Kind[] = [
  {
    name: 'quota',
    namespace: 'quota',
    begin: async () => {
      await cluster.admin.create({
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'jobs', namespace: 'quota' },
        spec: { hard: { 'count/jobs.batch': '0' } },
      })
    },
    end: () => setQuota('quota', 1_000_000),
  },
  {
    name: 'denied',
    namespace: 'denied',
    begin: () => webhook.guard('denied', 'deny'),
    end: () => webhook.lift('deny'),
  },
  {
    name: 'hanging',
    namespace: 'hanging',
    begin: () => webhook.guard('hanging', 'hang'),
    end: () => webhook.lift('hang'),
  },
  {
    name: 'mixed',
    namespace: 'default',
    begin: () => webhook.guard('default', 'hang', label),
    end: () => webhook.lift('hang'),
  },
  {
    name: 'invalid',
    namespace: 'invalid',
    begin: (objects) =>
      atOnce(objects, ({ metadata }) =>
        cluster.edit(metadata.name, { jobTemplate: templateOf({}, { restartPolicy: 'Always' }) }, 'invalid'),
      ),
    end: async () => undefined,
  },
]

interface Span {
  readonly kind: Kind
  readonly from: number
  readonly until: number
}

test('a part of the resources turns bad at once, of each kind in turn: the others lose nothing', async (t) => {
  for (const { namespace } of kinds) if (namespace !== 'default') await cluster.createNamespace(namespace)
  const good = await createGood()
  const spans: Span[] = []
  for (const kind of kinds) spans.push(await suffer(kind))
  await untilTime(Date.now() + 3_000)
  const { rssMb, sockets } = await usageOf(operator.pid)
  t.diagnostic(`at the end RSS ${rssMb} MB, ${sockets} sockets`)
  const records = await cluster.audit()
  const told = spans.map((span) => ({
    span,
    burden: burdenOf(records, `${span.kind.name}-`, span.from, span.until + 15_000),
    verdict: judge(
      good.map((object) => expectationOf(object, span.from, span.until)),
      records,
      operatorUser,
    ),
  }))
  for (const { span, burden, verdict } of told) describe(t, span, burden, verdict)
  for (const { span, burden, verdict } of told) check(span, burden, verdict)
})

/** One tenth of them each second, so that some are due in every second. */
async function createGood(): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = []
  const share = Math.ceil((count - bad) / intervals.length)
  for (let tenth = 0; tenth < intervals.length; tenth += 1) {
    const indexes = Array.from({ length: share }, (_, n) => tenth * share + n)
    objects.push(
      ...(await atOnce(indexes, (n) =>
        cluster.create(`good-${n}`, specOf(intervals[n % 10] ?? 10, templateOf({}, {}))),
      )),
    )
    await untilTime(Math.ceil(Date.now() / 1_000) * 1_000 + 50)
  }
  return objects
}

/** The resources run for a moment, turn bad, and are suspended when it has been seen what they do to the others. */
async function suffer(kind: Kind): Promise<Span> {
  const { name, namespace, begin, end } = kind
  const indexes = Array.from({ length: bad }, (_, n) => n)
  const objects = await atOnce(indexes, (n) =>
    cluster.create(`${name}-${n}`, specOf(1, templateOf({ labels: label }, {})), namespace),
  )
  await waitFor('all of them to run', 20_000, async () => {
    const found = await cluster.admin.list(`/apis/myyrakle.com/v1/namespaces/${namespace}/secondcronjobs`)
    const those = found.filter(({ metadata }) => metadata.name.startsWith(`${name}-`))
    return those.every((item) => (item['status'] as { lastScheduleTime?: string } | undefined)?.lastScheduleTime)
  })
  await untilTime(Date.now() + healthySeconds * 1_000)
  // In the middle of a second: the next one finds all of them bad.
  await untilTime(Math.ceil(Date.now() / 1_000) * 1_000 + 400)
  const from = Date.now()
  await begin(objects)
  await untilTime(from + seconds * 1_000)
  const until = Date.now()
  await atOnce(objects, ({ metadata }) => cluster.edit(metadata.name, { suspend: true }, namespace))
  await end()
  return { kind, from, until }
}

async function atOnce<From, To>(items: readonly From[], act: (item: From) => Promise<To>): Promise<readonly To[]> {
  const done: To[] = []
  for (let at = 0; at < items.length; at += 50) done.push(...(await Promise.all(items.slice(at, at + 50).map(act))))
  return done
}

function describe(t: TestContext, { kind }: Span, burden: Burden, verdict: Verdict): void {
  const { resources, creates, mostAtOnce, mostKnownAtOnce, findingOutMs, mostInTenSeconds } = burden
  t.diagnostic(
    `${kind.name}: ${creates} creates of ${resources} bad ones, at once at most ${mostAtOnce}, of known ones ${mostKnownAtOnce}; ` +
      `all known after ${findingOutMs.toFixed(0)} ms; at most ${mostInTenSeconds} of one in ten seconds, ${burden.hasty.length} hasty`,
  )
  t.diagnostic(
    `${kind.name}: the others: ${verdict.due} due, ${verdict.lost.length} lost; ${describeLateness(verdict)}`,
  )
}

function check({ kind, from }: Span, burden: Burden, verdict: Verdict): void {
  const { lost, twice, early } = verdict
  assert.deepEqual({ kind: kind.name, lost, twice, early }, { kind: kind.name, lost: [], twice: [], early: [] })
  assert.ok(burden.mostKnownAtOnce <= 4, `${kind.name}: ${burden.mostKnownAtOnce} creates of known bad ones at once`)
  assert.deepEqual(burden.hasty, [], kind.name)
  assert.ok(burden.mostInTenSeconds <= 11, `${kind.name}: ${burden.mostInTenSeconds} creates of one in ten seconds`)
  assert.ok(from > 0)
}
