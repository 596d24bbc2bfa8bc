import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { kustomized, skipWithoutKubectl } from '../support/kubectl.ts'
import { measuredMb } from '../support/pod-spec.ts'
import type { Container, Probe, Thing } from './objects.ts'
import { type Change, container, deployment, pod, resources } from './parts.ts'
import { runningChecks } from './running.ts'

type Name = 'startupProbe' | 'livenessProbe' | 'readinessProbe'

function asks(name: Name, change: (get: NonNullable<Probe['httpGet']>, probe: Probe) => void): Change {
  return container((operator) => {
    const probe: Probe = operator[name] ?? {}
    if (probe.httpGet !== undefined) change(probe.httpGet, probe)
  })
}

const path = (name: Name, to: string) => asks(name, (get) => void (get.path = to))
const port = (name: Name, to: string | number) => asks(name, (get) => void (get.port = to))
const limit = (to: string) => resources(({ limits }) => void (limits['memory'] = to))
const mounts = (change: (mounts: NonNullable<Container['volumeMounts']>) => void) =>
  container(({ volumeMounts = [] }) => change(volumeMounts))
const version = 'app.kubernetes.io/version'
const probes = 'liveness port readiness startup'

/** All of them were green: no linter looks at them, and the node of the end-to-end tests went by its own constants. */
const breakages: Readonly<Record<string, readonly [change: Change, checks: string]>> = {
  'the token is mounted at another path': [
    mounts(([token]) => {
      if (token !== undefined) token.mountPath = '/var/run/secrets/token'
    }),
    'token-mount',
  ],
  'the token is not mounted': [mounts((all) => void all.pop()), 'token-mount'],
  'the token is not among the volumes': [pod((spec) => void (spec.volumes = [])), 'token-mount'],
  'another port': [
    container(({ ports: [http] = [] }) => {
      if (http !== undefined) http.containerPort = 44_445
    }),
    probes,
  ],
  'the operator listens at another port': [
    container(({ env }) => void env?.push({ name: 'PORT', value: '8080' })),
    probes,
  ],
  'no port': [container((operator) => delete operator.ports), probes],
  'liveness asks for /readyz: a restart whenever the API server is away': [
    path('livenessProbe', '/readyz'),
    'liveness',
  ],
  'readiness asks for /healthz: ready before anything is known': [path('readinessProbe', '/healthz'), 'readiness'],
  'startup asks for /readyz: no start while the API server is away': [path('startupProbe', '/readyz'), 'startup'],
  'liveness asks at another port': [port('livenessProbe', 44_445), 'liveness'],
  'readiness asks at a port that is not there': [port('readinessProbe', 'web'), 'readiness'],
  'startup asks nothing': [asks('startupProbe', (_, probe) => delete probe.httpGet), 'startup'],
  'less memory than was measured': [limit('64Mi'), 'memory'],
  'memory of an unknown unit': [limit('1Zi'), 'memory'],
  'killed while it stops': [pod((spec) => void (spec.terminationGracePeriodSeconds = 1)), 'grace'],
  'killed in the second in which it stops': [pod((spec) => void (spec.terminationGracePeriodSeconds = 10)), 'grace'],
  'the image of another release': [
    container((operator) => void (operator.image = 'second-cron-job-operator:0.0.9')),
    'image-version',
  ],
  'the Deployment is labelled as another release': [
    deployment(({ metadata: { labels = {} } }) => void (labels[version] = '0.0.9')),
    'version-labels',
  ],
  'the Pods are labelled as another release': [
    deployment(({ spec }) => delete spec.template.metadata.labels?.[version]),
    'version-labels',
  ],
}

function speaking(objects: readonly Thing[]): string[] {
  return Object.entries(runningChecks).flatMap(([name, check]) => (check(objects).length > 0 ? [name] : []))
}

describe('what kubectl apply -k deploy starts is the operator, as it is', { skip: skipWithoutKubectl }, () => {
  let shipped: readonly Thing[]
  before(async () => {
    shipped = (await kustomized()) as Thing[]
  })

  for (const [name, check] of Object.entries(runningChecks)) test(name, () => assert.deepEqual(check(shipped), []))

  for (const [name, [change, expected]] of Object.entries(breakages)) {
    test(`it would be seen: ${name}`, () => {
      const copy = structuredClone([...shipped])
      change(copy)
      assert.deepEqual(speaking(copy).sort(), expected.split(' '))
    })
  }

  test('the same holds of deploy-namespaces', async () => {
    assert.deepEqual(speaking((await kustomized('deploy-namespaces')) as Thing[]), [])
  })
})

test('each check is heard', () => {
  const heard = new Set(Object.values(breakages).flatMap(([, names]) => names.split(' ')))
  assert.deepEqual([...heard].sort(), Object.keys(runningChecks).sort())
})

test('the manifest tells what was measured', async () => {
  const text = await readFile(new URL('../../deploy/deployment.yaml', import.meta.url), 'utf8')
  assert.ok(text.includes(`and ${measuredMb} MB at 100 launches a second`))
})
