import { type Admin, AdminError, waitFor } from './admin.ts'
import { manifests } from './manifests.ts'
import { operatorUser } from './service-account.ts'

/** Applies deploy-fence, and waits until the API server heeds it: it learns of policies by a watch. Somebody leads already. */
export async function fenceByPolicy(admin: Admin): Promise<void> {
  for (const object of await manifests('deploy-fence/admission-policy.yaml')) await admin.apply(object)
  const operator = admin.as(operatorUser)
  await waitFor('the policy to refuse a Job of an older leadership', 15_000, () => isRefused(operator))
  await operator.close()
}

async function isRefused(operator: Admin): Promise<boolean> {
  const container = { name: 'main', image: 'busybox' }
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'probe', annotations: { 'myyrakle.com/lease-transitions': '-1' } },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  }
  try {
    await operator.request('POST', '/apis/batch/v1/namespaces/default/jobs?dryRun=All', job)
    return false
  } catch (thrown) {
    if (thrown instanceof AdminError && thrown.code === 422) return true
    throw thrown
  }
}
