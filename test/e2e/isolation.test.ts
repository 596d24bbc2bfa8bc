import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, expectationOf, untilTime } from '../support/cluster.ts'
import { type Burden, burdenOf, ranBefore, recoveredMs } from '../support/isolation.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { operatorUser } from '../support/service-account.ts'
import { atOnce, specOf, templateOf, type Trouble, troubleLabels, troublesOf } from '../support/troubles.ts'
import { usageOf } from '../support/usage.ts'
import { describeLateness, judge, type Verdict } from '../support/verdict.ts'
import { Webhook } from '../support/webhook.ts'

/** The whole of it: ISOLATION_RESOURCES=1000 ISOLATION_BAD=100 ISOLATION_SECONDS=15 ISOLATION_RECOVERY=12 ISOLATION_INTERVAL=5. */
const count = Number(process.env['ISOLATION_RESOURCES'] ?? 124)
const bad = Number(process.env['ISOLATION_BAD'] ?? 34)
const seconds = Number(process.env['ISOLATION_SECONDS'] ?? 4)
/** How long they run before. */
const healthySeconds = 3
/** How long they are looked at when their trouble is over. */
const recoverySeconds = Number(process.env['ISOLATION_RECOVERY'] ?? 0)
/** Of the resources in trouble, which are all due in the same second. */
const intervalSeconds = Number(process.env['ISOLATION_INTERVAL'] ?? 1)
/** Of the others some are due each second: they lose a run when it is a second late. */
const intervalOf = (n: number) => (n % 30 === 0 ? 1 : 30)
const only = process.env['ISOLATION_KINDS']?.split(',')
/** Before it is known of all of them: those of the first moment, the suspects for a second each, those that are known. */
const mostBadAtOnce = 28 + 2 * 16 + 4
/** The latest that a run of theirs may come; in a namespace where others hang, and in all others. */
const latestMs = { mixed: 1_000 + 35 * bad, others: 1_000 }

let cluster: Cluster
let webhook: Webhook
let operator: OperatorProcess
let kinds: readonly Trouble[]
before(async () => {
  cluster = await Cluster.start()
  webhook = await Webhook.start(cluster.plane)
  kinds = troublesOf(cluster, webhook).filter(({ name }) => only?.includes(name) ?? true)
  operator = await (await cluster.operator()).start()
})
after(async () => {
  await webhook[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

interface Span {
  readonly kind: Trouble
  readonly from: number
  readonly until: number
  readonly sockets: number
}

test('a part of the resources turns bad at once, of each kind in turn: the others lose nothing', async (t) => {
  for (const { namespace } of kinds) if (namespace !== 'default') await cluster.createNamespace(namespace)
  const good = await createGood()
  const spans: Span[] = []
  for (const kind of kinds) spans.push(await suffer(kind))
  await untilTime(Date.now() + 3_000)
  const { rssMb } = await usageOf(operator.pid)
  t.diagnostic(`at the end RSS ${rssMb} MB`)
  const records = await cluster.audit()
  const told = spans.map((span) => ({
    span,
    ran: ranBefore(records, `${span.kind.name}-`, span.from),
    recoveredMs: recoveredMs(records, `${span.kind.name}-`, span.until),
    burden: burdenOf(records, `${span.kind.name}-`, span.from, span.until),
    verdict: judge(
      good.map((object) => expectationOf(object, span.from, span.until)),
      records,
      operatorUser,
    ),
  }))
  for (const one of told) describe(t, one)
  for (const one of told) check(one)
})

/** One tenth of them each second, so that some are due in every second. */
async function createGood(): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = []
  const parts = Math.min(10, Math.ceil((count - bad) / 90))
  const share = Math.ceil((count - bad) / parts)
  for (let tenth = 0; tenth < parts; tenth += 1) {
    const indexes = Array.from({ length: share }, (_, n) => tenth * share + n)
    objects.push(
      ...(await atOnce(indexes, (n) => cluster.create(`good-${n}`, specOf(intervalOf(n), templateOf({}, {}))))),
    )
    await untilTime(Math.ceil(Date.now() / 1_000) * 1_000 + 50)
  }
  await waitFor('all of them to be served', 150_000, async () => {
    const items = await cluster.admin.list('/apis/myyrakle.com/v1/secondcronjobs')
    return items.every((item) => (item['status'] as { lastScheduleTime?: string } | undefined)?.lastScheduleTime)
  })
  return objects
}

/** The resources run for a moment, turn bad, and are suspended when it has been seen what they do to the others. */
async function suffer(kind: Trouble): Promise<Span> {
  const { name, namespace, begin, end } = kind
  const indexes = Array.from({ length: bad }, (_, n) => n)
  const objects = await atOnce(indexes, (n) =>
    cluster.create(`${name}-${n}`, specOf(intervalSeconds, templateOf({ labels: troubleLabels }, {})), namespace),
  )
  // In the middle of a second: the next one finds all of them bad.
  await untilTime(Math.ceil(Date.now() / 1_000) * 1_000 + (healthySeconds - 1) * 1_000 + 400)
  const from = Date.now()
  await begin(objects)
  await untilTime(from + seconds * 1_000)
  const until = Date.now()
  const { sockets } = await usageOf(operator.pid)
  await end(objects)
  await untilTime(until + recoverySeconds * 1_000)
  await atOnce(objects, ({ metadata }) => cluster.edit(metadata.name, { suspend: true }, namespace))
  return { kind, from, until, sockets }
}

interface Told {
  readonly span: Span
  /** How many of those in trouble had run before. */
  readonly ran: number
  readonly burden: Burden
  readonly verdict: Verdict
  readonly recoveredMs: number
}

function describe(t: TestContext, { span, burden, verdict, recoveredMs: recovered }: Told): void {
  const { resources, creates, mostAtOnce, mostKnownAtOnce, findingOutMs, mostInTenSeconds } = burden
  const { name } = span.kind
  t.diagnostic(
    `${name}: ${creates} creates of ${resources} bad ones, at once at most ${mostAtOnce}, of known ones ${mostKnownAtOnce}; ` +
      `all known after ${findingOutMs.toFixed(0)} ms; at most ${mostInTenSeconds} of one in ten seconds, ${burden.hasty.length} hasty`,
  )
  t.diagnostic(`${name}: the others: ${verdict.due} due, ${verdict.lost.length} lost; ${describeLateness(verdict)}`)
  const again = recoverySeconds === 0 ? '' : `; all run again after ${recovered.toFixed(0)} ms`
  t.diagnostic(`${name}: ${span.sockets} sockets${again}`)
}

function check({ span, ran, burden, verdict, recoveredMs: recovered }: Told): void {
  const { name: kind } = span.kind
  const { lost, twice, early, lateness } = verdict
  assert.equal(ran, bad, `${kind}: ${ran} of ${bad} had run before`)
  assert.deepEqual({ kind, lost, twice, early }, { kind, lost: [], twice: [], early: [] })
  const latest = latestMs[kind === 'mixed' ? kind : 'others']
  assert.ok((lateness.at(-1) ?? Infinity) <= latest, `${kind}: ${lateness.at(-1)} ms late`)
  assert.ok(burden.mostKnownAtOnce <= 4, `${kind}: ${burden.mostKnownAtOnce} creates of known bad ones at once`)
  assert.ok(burden.mostAtOnce <= mostBadAtOnce, `${kind}: ${burden.mostAtOnce} creates of bad ones at once`)
  assert.deepEqual(burden.hasty, [], kind)
  assert.ok(
    recovered <= recoverySeconds * 1_000 || recoverySeconds === 0,
    `${kind}: all run again after ${recovered} ms`,
  )
  assert.ok(burden.mostInTenSeconds <= 11, `${kind}: ${burden.mostInTenSeconds} creates of one in ten seconds`)
  if (kind === 'quota' || kind === 'denied') assert.ok(span.sockets <= 70, `${kind}: ${span.sockets} sockets`)
}
