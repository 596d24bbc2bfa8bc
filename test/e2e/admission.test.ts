import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { Deployment, Thing } from '../manifests/objects.ts'
import { type Change, one, podSecurity, security } from '../manifests/parts.ts'
import { AdminError, type KubeObject } from '../support/admin.ts'
import { objectPath } from '../support/object-path.ts'
import { skipWithoutKubectl } from '../support/kubectl.ts'
import { startDeployed } from '../support/applied.ts'

const namespace = 'myyrakle'

/** A Pod as the Deployment would make it. */
function podOf({ spec: { template } }: Deployment, name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', ...template, metadata: { ...template.metadata, name, namespace } }
}

describe('the Pod of the operator in its namespace', { skip: skipWithoutKubectl }, () => {
  let plane: ControlPlane
  let shipped: Thing[]
  before(async () => {
    ;({ plane, objects: shipped } = await startDeployed())
  })
  after(() => plane.stop())

  /** The Deployment after the change, which is not kept. */
  function changed(change: Change): Deployment {
    const copy = structuredClone(shipped)
    change(copy)
    return one('Deployment', copy)
  }

  test('the operator’s Pod is admitted under "restricted", with the one token that it mounts itself, without a warning', async () => {
    const pod = await plane.admin.create(podOf(one('Deployment', shipped), 'admitted'))
    const { volumes, priority } = pod['spec'] as { volumes: { name: string }[]; priority: number }
    assert.deepEqual(
      volumes.map(({ name }) => name),
      ['token'],
    )
    assert.equal(priority, 1_000_000)
    assert.deepEqual(plane.admin.warnings, [])
  })

  const needed: Readonly<Record<string, readonly [Change, RegExp]>> = {
    runAsNonRoot: [
      podSecurity((context) => delete context.runAsNonRoot),
      /must set securityContext\.runAsNonRoot=true/,
    ],
    seccompProfile: [
      podSecurity((context) => delete context.seccompProfile),
      /must set securityContext\.seccompProfile/,
    ],
    'capabilities.drop': [
      security((context) => delete context.capabilities),
      /must set securityContext\.capabilities\.drop/,
    ],
    allowPrivilegeEscalation: [
      security((context) => delete context.allowPrivilegeEscalation),
      /must set securityContext\.allowPrivilegeEscalation=false/,
    ],
  }
  for (const [name, [change, message]] of Object.entries(needed)) {
    test(`without ${name} it is refused, and the Deployment is warned of`, async () => {
      const worse = changed(change)
      await assert.rejects(plane.admin.create(podOf(worse, 'refused')), (error) => {
        assert.ok(error instanceof AdminError)
        assert.equal(error.code, 403)
        assert.match(error.message, message)
        return true
      })
      const seen = plane.admin.warnings.length
      const path = `${objectPath({ ...worse })}?fieldManager=test&force=true&dryRun=All`
      await plane.admin.request('PATCH', path, worse, 'application/apply-patch+yaml')
      assert.match(plane.admin.warnings.slice(seen).join('\n'), message)
    })
  }
})
