import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { kubeconfigText } from '../control-plane/files.ts'
import { waitFor } from '../support/admin.ts'
import { objectPath } from '../support/object-path.ts'
import { Cluster, manifests } from '../support/cluster.ts'
import { crd } from '../support/deployed.ts'
import type { OperatorProcess } from '../support/operator-process.ts'
import { ProbeWatch } from '../support/probe-watch.ts'
import { Proxy } from '../support/proxy.ts'

/** How a fault begins and how it ends; what is asked meanwhile. */
interface Fault {
  readonly name: string
  readonly operator: OperatorProcess
  readonly begin: () => unknown
  readonly mend: () => unknown
  /** How long it takes at most until `/readyz` is no longer 200, and until it is again. */
  readonly limits: readonly [noMs: number, yesMs: number]
  readonly healthz: 'stays' | 'no answer'
}

let cluster: Cluster
before(async () => {
  cluster = await Cluster.start()
})
after(() => cluster[Symbol.asyncDispose]())

/** An operator of the admin's, behind a proxy: what happens to the shipped account does not touch it. */
async function behind(proxy: Proxy, name: string): Promise<OperatorProcess> {
  const path = `${cluster.plane.folder}/${name}.kubeconfig`
  const { token } = cluster.admin
  await writeFile(path, kubeconfigText({ server: proxy.url, ca: await cluster.plane.ca(), token }))
  return (await cluster.operator({ kubeconfig: path })).start('standby')
}

/** A row of the table: what was seen, in seconds. */
async function row({ name, operator, begin, mend, limits, healthz }: Fault): Promise<string> {
  await using watch = new ProbeWatch(operator)
  await waitFor('both probes to say yes', 15_000, async () => {
    return watch.status('/healthz') === 200 && watch.status('/readyz') === 200
  })
  const begun = performance.now()
  await begin()
  await waitFor(`/readyz to say no: ${name}`, limits[0], async () => watch.status('/readyz') !== 200)
  await mend()
  const mended = performance.now()
  await waitFor(`/readyz to say yes: ${name}`, limits[1], async () => watch.status('/readyz') === 200)
  await waitFor(`/healthz to say yes: ${name}`, limits[1], async () => watch.status('/healthz') === 200)
  const [deadAfter, aliveAfter] = watch.after('/healthz', begun, mended)
  assert.equal(deadAfter === null ? 'stays' : 'no answer', healthz, name)
  const [noAfter, yesAfter] = watch.after('/readyz', begun, mended)
  return `| ${name} | ${told(deadAfter, aliveAfter)} | ${told(noAfter, yesAfter)} |`
}

function told(noAfter: number | null, yesAfter: number | null): string {
  if (noAfter === null) return 'stays 200'
  const back = yesAfter === null ? 'by itself' : `${Math.max(0, yesAfter).toFixed(1)} s`
  return `no after ${noAfter.toFixed(1)} s, yes again after ${back}`
}

describe('what the probes say under each fault', () => {
  test('faults of one connection, or of one process', async (t) => {
    await using silent = await Proxy.start(cluster.plane)
    await using hanging = await Proxy.start(cluster.plane)
    const shipped = await (await cluster.operator()).start('standby')
    const stopped = await behind(silent, 'stopped')
    const rbac = (await manifests('deploy/rbac.yaml')).find(({ kind }) => kind === 'ClusterRoleBinding')
    assert.ok(rbac !== undefined)
    const faults: readonly Fault[] = [
      {
        name: 'the watches are open and silent for ever',
        operator: await behind(silent, 'silent'),
        begin: () => silent.silenceWatches(),
        mend: () => undefined,
        limits: [60_000, 15_000],
        healthz: 'stays',
      },
      {
        name: 'the API server takes requests and answers none',
        operator: await behind(hanging, 'hanging'),
        begin: () => hanging.freeze(),
        mend: () => hanging.thaw(),
        limits: [60_000, 30_000],
        healthz: 'stays',
      },
      {
        name: 'the rights are taken away',
        operator: shipped,
        begin: () => cluster.admin.delete(objectPath(rbac)),
        mend: () => cluster.admin.create(rbac),
        limits: [60_000, 15_000],
        healthz: 'stays',
      },
      {
        name: 'the process does not run',
        operator: stopped,
        begin: () => stopped.signal('SIGSTOP'),
        mend: () => stopped.signal('SIGCONT'),
        limits: [5_000, 10_000],
        healthz: 'no answer',
      },
    ]
    for (const line of await Promise.all(faults.map(row))) t.diagnostic(line)
    await Promise.all(faults.map(({ operator }) => operator.kill()))
  })

  test('faults of the whole API server', async (t) => {
    const operator = await (await cluster.operator()).start()
    const away = await row({
      name: 'the API server is killed',
      operator,
      begin: () => cluster.plane.killApiServer(),
      mend: () => cluster.plane.startApiServer(),
      limits: [10_000, 15_000],
      healthz: 'stays',
    })
    const gone = await row({
      name: 'the CRD is deleted',
      operator,
      begin: () => cluster.admin.delete(crd),
      mend: async () => {
        for (const object of await manifests('deploy/crd.yaml')) await cluster.admin.apply(object)
        await cluster.admin.establishedCrds()
      },
      limits: [15_000, 15_000],
      healthz: 'stays',
    })
    for (const line of [away, gone]) t.diagnostic(line)
    await operator.kill()
  })

  test('started while the API server is away: it waits, and is ready when the API server is', async (t) => {
    const operator = await cluster.operator()
    await cluster.plane.killApiServer()
    const startedAt = performance.now()
    operator.begin()
    await waitFor('/healthz to say yes', 10_000, async () => (await operator.probe('/healthz')) === 200)
    const alive = (performance.now() - startedAt) / 1_000
    assert.equal(await operator.probe('/readyz'), 503)
    await cluster.plane.startApiServer()
    const backAt = performance.now()
    await waitFor('/readyz to say yes', 15_000, async () => (await operator.probe('/readyz')) === 200)
    const ready = (performance.now() - backAt) / 1_000
    t.diagnostic(
      `| started while the API server is away | 200 after ${alive.toFixed(1)} s | no, yes ${ready.toFixed(1)} s after the API server |`,
    )
  })
})
