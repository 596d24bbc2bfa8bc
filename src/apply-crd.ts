import { crdText } from './crd-text.ts'
import { crdPath } from './kube/paths.ts'
import type { Transport } from './kube/transport.ts'

/**
 * Server-side applies the CustomResourceDefinition, and takes over the fields that somebody else has applied: an upgrade
 * replaces what an older release or kubectl put there. Resources are left as they are. Rejects with ApiError.
 */
export async function applyCrd(transport: Transport): Promise<string> {
  await transport.request({
    method: 'PATCH',
    path: `${crdPath}?fieldManager=second-cron-job-operator&force=true`,
    lane: 'control',
    text: crdText,
    contentType: 'application/apply-patch+yaml',
  })
  return `${crdPath.split('/').slice(-2).join('/')} is applied`
}
