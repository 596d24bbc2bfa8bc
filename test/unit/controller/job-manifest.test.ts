import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJob } from '../../../src/api/job.ts'
import { jobManifest } from '../../../src/controller/job-manifest.ts'
import { aSecondCronJob } from '../../support/builders.ts'
import { at } from '../../support/times.ts'

const slot = at('12:00:10')
const pod = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] }

function manifestOf(jobSpec: Record<string, unknown>, metadata = { labels: {}, annotations: {} }) {
  return jobManifest(aSecondCronJob(), { metadata, spec: jobSpec }, slot)
}

test('named by its slot, owned, marked; nothing of the template is lost', () => {
  const template = { metadata: { labels: { app: 'x' }, annotations: { note: 'y' } }, spec: { ...pod, brandNew: true } }
  assert.deepEqual(manifestOf({ parallelism: 2, template }, { labels: { team: 'a' }, annotations: { cost: 'b' } }), {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `beat-${slot / 1_000}`,
      namespace: 'default',
      labels: { team: 'a', 'myyrakle.com/second-cron-job': 'beat' },
      annotations: {
        cost: 'b',
        'myyrakle.com/scheduled-at': '2026-01-01T12:00:10Z',
        'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T12:00:10Z',
      },
      ownerReferences: [
        {
          apiVersion: 'myyrakle.com/v1',
          kind: 'SecondCronJob',
          name: 'beat',
          uid: 'uid-beat',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      parallelism: 2,
      template: {
        metadata: {
          labels: { app: 'x', 'myyrakle.com/second-cron-job': 'beat' },
          annotations: { note: 'y', 'myyrakle.com/scheduled-at': '2026-01-01T12:00:10Z' },
        },
        spec: { ...pod, brandNew: true },
      },
    },
  })
})

test('our own keys win over the template’s', () => {
  const { metadata } = manifestOf(
    { template: { spec: pod } },
    {
      labels: { 'myyrakle.com/second-cron-job': 'other' },
      annotations: {},
    },
  )
  assert.deepEqual(metadata['labels'], { 'myyrakle.com/second-cron-job': 'beat' })
})

const ttls: Record<string, { given: unknown; want: unknown }> = {
  'one that is too short is raised': { given: 5, want: 30 },
  'zero too': { given: 0, want: 30 },
  'a long one stays': { given: 31, want: 31 },
  'none stays none': { given: undefined, want: undefined },
  'a wrong one is the API server’s to refuse': { given: -1, want: -1 },
}
for (const [name, { given, want }] of Object.entries(ttls))
  test(`ttlSecondsAfterFinished: ${name}`, () => {
    assert.equal(
      manifestOf({ ttlSecondsAfterFinished: given, template: { spec: pod } }).spec['ttlSecondsAfterFinished'],
      want,
    )
  })

test('a template of a wrong shape is sent as it is: the API server’s words about it are better', () => {
  assert.equal(manifestOf({ template: 'none' }).spec['template'], 'none')
})

test('what is written is read again: owner, slot, state', () => {
  const manifest = manifestOf({ template: { spec: pod } })
  const identity = { uid: 'j', resourceVersion: '1', creationTimestamp: '2026-01-01T12:00:10Z' }
  const raw = { ...manifest, metadata: { ...manifest.metadata, ...identity } }
  const conditions = [
    { type: 'SuccessCriteriaMet', status: 'True' },
    { type: 'Complete', status: 'True', lastTransitionTime: '2026-01-01T12:00:12Z' },
  ]
  const job = decodeJob({ ...raw, status: { conditions } })
  assert.deepEqual(
    [job.ownerUid, job.slot, job.finished],
    ['uid-beat', slot, { result: 'Complete', at: at('12:00:12') }],
  )
  assert.equal(decodeJob(raw).finished, null)
})

test('a Job with our label and another owner, or a name of another kind, is not taken for a slot of ours', () => {
  const metadata = {
    uid: 'j',
    namespace: 'default',
    name: 'beat-m123456789',
    resourceVersion: '1',
    labels: { 'myyrakle.com/second-cron-job': 'beat' },
  }
  const job = decodeJob({
    metadata: { ...metadata, ownerReferences: [{ kind: 'ReplicaSet', uid: 'r', controller: true }] },
  })
  assert.deepEqual([job.ownerUid, job.slot], [null, null])
})
