import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { finalizer } from '../../src/api/names.ts'
import { aResource } from '../contract/kinds.ts'
import { type KubeObject, waitFor } from '../support/admin.ts'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { said, skipWithoutKubectl } from '../support/kubectl.ts'

/** Two people, or a person and a program, apply to one resource; and the operator writes its own into it. */

let cluster: Cluster
let folder: string

/** What kubectl says; `file` is what it applies. */
async function kubectl(words: string, file: object): Promise<string> {
  const path = `${folder}/manifest.yaml`
  await writeFile(path, stringify(file))
  const access = [`--kubeconfig=${cluster.plane.kubeconfig}`, `--cache-dir=${folder}`]
  return said([...words.split(' '), '-f', path, ...access])
}

const asOther = 'apply --server-side --field-manager=other'

function partOf(name: string, spec: object): KubeObject {
  return { ...aResource({ name, namespace: 'default' }), spec }
}

async function found(name: string): Promise<KubeObject> {
  const object = await cluster.get(name)
  assert.ok(object !== null)
  return object
}

/** The first one's resource, with the operator's finalizer and status, which it does not write again by itself. */
async function settled(name: string): Promise<KubeObject> {
  const manifest = aResource({ name, namespace: 'default', labels: { team: 'a' } }, { intervalSeconds: 3_600 })
  assert.match(await kubectl('apply', manifest), / created$/)
  await cluster.hasRun(name)
  await waitFor(`the end of ${name}'s first Job in the status`, 20_000, async () => {
    const { status } = (await found(name)) as KubeObject & { status?: Record<string, unknown> }
    return status?.['lastSuccessfulTime'] !== undefined && status['activeCount'] === 0
  })
  return manifest
}

interface Managed {
  readonly manager: string
  readonly subresource?: string
  readonly fieldsV1: Record<string, unknown>
}

function managersOf({ metadata }: KubeObject): readonly Managed[] {
  return metadata['managedFields'] as readonly Managed[]
}

/** Who has the field of the spec. */
function ownersOf(object: KubeObject, field: string): readonly string[] {
  const owners = managersOf(object).filter(({ fieldsV1 }) => {
    return (fieldsV1['f:spec'] as Record<string, unknown> | undefined)?.[`f:${field}`] !== undefined
  })
  return owners.map(({ manager }) => manager)
}

function observedOf(object: KubeObject): unknown {
  return (object['status'] as { observedSchedule?: string } | undefined)?.observedSchedule
}

describe('kubectl apply by two managers', { skip: skipWithoutKubectl }, () => {
  before(async () => {
    folder = await mkdtemp(`${tmpdir()}/apply-`)
    cluster = await Cluster.start({ runMs: 1_000 })
    await (await cluster.operator()).start()
  })
  after(async () => {
    await cluster[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  test('client-side, and another whole manifest server-side: a conflict that names the fields and whose they are; forced, it is served from then on', async () => {
    const mine = await settled('taken')
    const stored = await found('taken')
    const theirs = partOf('taken', { intervalSeconds: 2, image: 'busybox', failedJobsHistoryLimit: 0 })
    const words = await kubectl(asOther, theirs)
    assert.match(words, /^failed: error: Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply"/)
    // What nobody has written, a default, is of whoever created the resource.
    for (const field of ['.spec.failedJobsHistoryLimit', '.spec.intervalSeconds'])
      assert.ok(words.includes(`- ${field}\n`), words)
    assert.deepEqual(await found('taken'), stored)

    assert.match(await kubectl(`${asOther} --force-conflicts`, theirs), /serverside-applied$/)
    const forcedAt = Date.now()
    assert.deepEqual(ownersOf(await found('taken'), 'intervalSeconds'), ['other'])
    await untilTime(forcedAt + 5_000)
    const launches = (await cluster.launchesOf('taken')).slice(1)
    assert.ok(launches.length >= 2, String(launches.length))
    assert.ok(launches.every(({ slot }) => slot > forcedAt - 1_000 && (slot - createdAt(stored)) % 2_000 === 0))

    assert.match(await kubectl('apply', mine), / configured$/)
    await waitFor('the first one’s interval', 5_000, async () => observedOf(await found('taken')) === 'every 3600s')
  })

  test('client-side, and a part of the spec server-side: kubectl hands all fields to the second, whose next part is refused with a sentence', async () => {
    await settled('part')
    const theirs = partOf('part', { startingDeadlineSeconds: 30 })
    assert.match(
      await kubectl(asOther, theirs),
      /Server-Side Apply migration\. This is non-fatal[^]* serverside-applied$/,
    )
    const stored = await found('part')
    assert.partialDeepStrictEqual(stored['spec'], {
      startingDeadlineSeconds: 30,
      intervalSeconds: 3_600,
      image: 'busybox',
    })
    assert.deepEqual(ownersOf(stored, 'intervalSeconds'), ['other'])
    const words = await kubectl(asOther, partOf('part', { startingDeadlineSeconds: 40 }))
    assert.match(words, /^failed: The SecondCronJob "part" is invalid: /)
    for (const sentence of [
      /write exactly one of intervalSeconds and schedule/,
      /write exactly one of jobTemplate and image/,
    ])
      assert.match(words, sentence)
    assert.deepEqual((await found('part'))['spec'], stored['spec'])
  })

  test('both server-side: each has its own fields, a conflict names one, and no run is lost', async () => {
    const mine = partOf('shared', { intervalSeconds: 1, image: 'busybox' })
    assert.match(await kubectl('apply --server-side --field-manager=one', mine), /serverside-applied$/)
    await cluster.hasRun('shared', 2)
    const object = await found('shared')
    const own = { startingDeadlineSeconds: 30, successfulJobsHistoryLimit: 2 }
    assert.match(await kubectl(asOther, partOf('shared', own)), /^secondcronjob\S+ serverside-applied$/)
    const both = await found('shared')
    assert.partialDeepStrictEqual(both['spec'], { ...own, intervalSeconds: 1, image: 'busybox' })
    assert.deepEqual(ownersOf(both, 'intervalSeconds'), ['one'])
    assert.deepEqual(ownersOf(both, 'startingDeadlineSeconds'), ['other'])
    const words = await kubectl(asOther, partOf('shared', { ...own, intervalSeconds: 5 }))
    assert.match(words, /^failed: error: Apply failed with 1 conflict: conflict with "one": \.spec\.intervalSeconds$/m)
    const from = createdAt(object) + 1_000
    await untilTime(from + 8_500)
    const { lost, twice, offGrid } = await cluster.judge([expectationOf(object, from, from + 8_000)])
    assert.deepEqual({ lost, twice, offGrid }, { lost: [], twice: [], offGrid: [] })
  })

  for (const [how, words, answer] of [
    ['client-side', 'apply', /^secondcronjob\S+ unchanged$/],
    ['server-side', asOther, /^secondcronjob\S+ serverside-applied$/],
  ] as const)
    test(`${how}, the same once more: no generation, no version, no Job`, async () => {
      const name = `again-${how}`
      const manifest = await settled(name)
      // A server-side apply is the first of its kind here: after it the fields have their owner.
      await kubectl(words, manifest)
      const stored = await found(name)
      for (let times = 0; times < 3; times += 1) assert.match(await kubectl(words, manifest), answer)
      await untilTime(Date.now() + 2_000)
      assert.deepEqual(await found(name), stored)
      assert.deepEqual(
        (await cluster.launchesOf(name)).map(({ slot }) => slot),
        [createdAt(stored)],
      )
    })

  test('neither kind of apply takes the finalizer or the status away; a replace does, and the operator puts it back', async () => {
    const manifest = await settled('kept')
    const other = { ...manifest, spec: { intervalSeconds: 3_600, image: 'busybox:2' } }
    for (const words of ['apply', 'apply --server-side --force-conflicts']) {
      await kubectl(words, other)
      const { metadata, status } = (await found('kept')) as KubeObject & { status: Record<string, unknown> }
      assert.deepEqual(metadata['finalizers'], [finalizer])
      assert.notEqual(status['lastScheduleTime'], undefined)
    }
    assert.match(await kubectl('replace', manifest), / replaced$/)
    await waitFor('the finalizer', 5_000, async () => {
      return JSON.stringify((await found('kept')).metadata['finalizers']) === JSON.stringify([finalizer])
    })
    assert.equal((await cluster.launchesOf('kept')).length, 1)
  })

  test('of all these, the operator has its finalizer and the status, and no field of a user’s', async () => {
    const all = await cluster.admin.list('/apis/myyrakle.com/v1/namespaces/default/secondcronjobs')
    assert.ok(all.length >= 6, String(all.length))
    for (const object of all) {
      const own = managersOf(object).filter(({ manager }) => manager === 'second-cron-job-operator')
      assert.deepEqual(own.map(({ subresource }) => subresource ?? '').toSorted(), ['', 'status'])
      for (const { subresource, fieldsV1 } of own) {
        const expected = subresource === 'status' ? ['f:status'] : ['f:metadata']
        assert.deepEqual(Object.keys(fieldsV1), expected)
        assert.deepEqual(Object.keys(fieldsV1['f:metadata'] ?? { 'f:finalizers': 0 }), ['f:finalizers'])
      }
    }
  })
})
