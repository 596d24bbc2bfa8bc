import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { skipUncontained } from '../support/container.ts'
import { crd, Deployed } from '../support/deployed.ts'
import { root } from '../support/shipped.ts'
import { describeLateness } from '../support/verdict.ts'

let deployed: Deployed

before(async () => {
  if (skipUncontained === false) deployed = await Deployed.start()
})
after(() => deployed?.[Symbol.asyncDispose]())

/** The kustomization of another release. */
async function otherRelease(version: string): Promise<string> {
  const folder = `${deployed.cluster.plane.folder}/deploy-${version}`
  await cp(`${root}deploy`, folder, { recursive: true })
  const path = `${folder}/kustomization.yaml`
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('0.1.0', version))
  return folder
}

const jobs = () => deployed.cluster.admin.list('/apis/batch/v1/namespaces/default/jobs')
const resources = () => deployed.cluster.admin.list('/apis/myyrakle.com/v1/secondcronjobs')
const uids = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => String(metadata['uid'])).toSorted()

describe('install, upgrade, uninstall', { skip: skipUncontained }, () => {
  test('install: one apply, and it is ready', async (t) => {
    const startedAt = performance.now()
    const pod = await deployed.install()
    t.diagnostic(`rolled out ${Math.round(performance.now() - startedAt)} ms after the apply began`)
    assert.equal(pod.image, 'second-cron-job-operator:0.1.0')
    await deployed.cluster.create('ten', { intervalSeconds: 10 })
    await deployed.cluster.create('twelve', { intervalSeconds: 12 })
    await deployed.cluster.create('two', { intervalSeconds: 2 })
    await deployed.cluster.hasRun('two', 3)
  })

  test('applied again without a change: the operator goes on', async () => {
    const running = deployed.node.pods.map(({ uid }) => uid)
    await deployed.install()
    assert.deepEqual(
      deployed.node.pods.map(({ uid }) => uid),
      running,
    )
  })

  test('upgrade with resources present: the same resources, nothing lost at 10 s and above, nothing twice', async (t) => {
    const objects = await resources()
    const from = Math.max(...objects.map(createdAt)) + 3_000
    await untilTime(from + 9_000)
    const pod = await deployed.install(await otherRelease('0.1.1'))
    assert.equal(pod.image, 'second-cron-job-operator:0.1.1')
    const end = Date.now()
    await untilTime(end + 14_000)
    assert.deepEqual(uids(await resources()), uids(objects))
    const slow = objects.filter(({ metadata }) => metadata.name !== 'two')
    const expected = slow.map((object) => expectationOf(object, from, end + 13_000))
    const { lost, twice, early, offGrid } = await deployed.cluster.judge(expected)
    assert.deepEqual({ lost, twice, early, offGrid }, { lost: [], twice: [], early: [], offGrid: [] })
    const all = await deployed.cluster.judge(objects.map((object) => expectationOf(object, from, end + 13_000)))
    assert.deepEqual(all.twice, [])
    t.diagnostic(`${all.lost.length} slots of 2 s passed while no operator ran; ${describeLateness(all)}`)
  })

  test('uninstall: the resources first, then the rest; nothing is left', async () => {
    await deployed.sh('kubectl delete secondcronjobs --all --all-namespaces --timeout=60s')
    assert.deepEqual(await jobs(), [])
    await deployed.sh('kubectl delete -k deploy --timeout=60s', 70_000)
    await deployed.isUninstalled()
  })
})

describe('uninstalled in another order', { skip: skipUncontained }, () => {
  test('the CRD first: resources and Jobs go with it, the operator waits, and serves the next CRD', async () => {
    const pod = await deployed.install()
    const running = deployed.node.pods.map(({ uid }) => uid)
    await deployed.cluster.create('crd-first', { intervalSeconds: 1 })
    await deployed.cluster.hasRun('crd-first', 2)
    await deployed.sh('kubectl delete crd secondcronjobs.myyrakle.com --timeout=30s')
    await waitFor('the Jobs to be gone', 10_000, async () => (await jobs()).length === 0)
    await waitFor('/readyz to say no', 10_000, async () => (await probe(pod.port, '/readyz')) === 503)
    assert.equal(await probe(pod.port, '/healthz'), 200)
    await deployed.install()
    await waitFor('/readyz to say yes', 10_000, async () => (await probe(pod.port, '/readyz')) === 200)
    await deployed.cluster.create('crd-again', { intervalSeconds: 1 })
    await deployed.cluster.hasRun('crd-again', 2)
    assert.deepEqual(
      deployed.node.pods.map(({ uid }) => uid),
      running,
    )
  })

  test('uninstall while the operator runs: it says so, and nothing is harmed', async () => {
    await assert.rejects(
      deployed.command('uninstall', '--yes'),
      ({ code, stdout }: { code: number; stdout: string }) => {
        assert.equal(code, 1)
        assert.match(stdout, /an operator is still running and has put it back \(default\/crd-again\)/)
        return true
      },
    )
    const launched = (await deployed.cluster.launchesOf('crd-again')).length
    await waitFor('further runs', 10_000, async () => {
      return (await deployed.cluster.launchesOf('crd-again')).length > launched + 1
    })
  })

  test('the operator first: a delete waits, until uninstall has taken the finalizers off', async () => {
    await deployed.sh('kubectl -n myyrakle delete deployment second-cron-job-operator --timeout=30s')
    await waitFor('the operator to have ended', 20_000, async () => deployed.node.pods.length === 0)
    await assert.rejects(deployed.sh('kubectl delete secondcronjob crd-again --timeout=3s'))
    await assert.rejects(deployed.command('uninstall'), ({ code, stderr }: { code: number; stderr: string }) => {
      assert.equal(code, 2)
      assert.match(stderr, /^take the finalizer off 1 SecondCronJobs in 1 namespaces\? nobody is there .*--yes\n$/)
      return true
    })
    assert.match(await deployed.command('uninstall', '--yes'), /is taken off 1 SecondCronJobs/)
    await deployed.cluster.isGone('crd-again', 5_000)
    // The garbage collector learns of a new kind every 30 s only.
    await waitFor('the Jobs to be collected', 60_000, async () => (await jobs()).length === 0)
    assert.match(await deployed.command('uninstall', '--yes'), /nothing is to be done/)
  })

  test("the operator's namespace first: the resources stay, and are served and deleted by the next installation", async () => {
    await deployed.install()
    const object = await deployed.cluster.create('stays', { intervalSeconds: 1 })
    await deployed.cluster.hasRun('stays', 2)
    await deployed.sh('kubectl delete namespace myyrakle --timeout=60s', 70_000)
    await waitFor('the operator to have ended', 20_000, async () => deployed.node.pods.length === 0)
    await assert.rejects(deployed.sh('kubectl delete secondcronjob stays --timeout=3s'))
    assert.deepEqual(uids(await resources()), [object.metadata['uid']])
    await deployed.install()
    await deployed.cluster.isGone('stays', 15_000)
    await waitFor('the Jobs to be gone', 10_000, async () => (await jobs()).length === 0)
  })

  test('all at once, with resources present: what hangs is freed by uninstall', async () => {
    for (let n = 0; n < 50; n += 1) await deployed.cluster.create(`all-${n}`, { intervalSeconds: 5 })
    await deployed.cluster.hasRun('all-49')
    await deployed.sh('kubectl delete -k deploy --wait=false', 70_000)
    await waitFor('the operator to have ended', 30_000, async () => deployed.node.pods.length === 0)
    const left = (await deployed.cluster.admin.get(crd)) === null ? [] : await resources()
    const said = await deployed.command('uninstall', '--yes')
    assert.match(said, left.length === 0 ? /nothing is to be done/ : new RegExp(`taken off ${left.length} `))
    await deployed.isUninstalled()
  })
})

async function probe(port: number, path: string): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).status
}
