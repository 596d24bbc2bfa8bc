import { createSign, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { leaseName } from '../../src/api/names.ts'
import type { KubeObject } from './admin.ts'

/** Of the shipped manifests. */
export const account = { namespace: 'myyrakle', name: 'second-cron-job-operator' }
/** Of the Lease by which its operators agree on who leads. */
export const leasePath = `/apis/coordination.k8s.io/v1/namespaces/${account.namespace}/leases/${leaseName}`
export const operatorUser = `system:serviceaccount:${account.namespace}:${account.name}`

/** A token of the operator's service account that is bound to this Pod, as the kubelet asks for it. */
export async function requestToken(plane: ControlPlane, pod: KubeObject, expirationSeconds: number): Promise<string> {
  const { name, uid } = pod.metadata
  const spec = { expirationSeconds, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid } }
  const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
  const { status } = (await plane.admin.request('POST', path, request)) as { status: { token: string } }
  return status.token
}

/** The API server takes a token for so long after its end (the leeway of its JWT library). */
const leewaySeconds = 60

/**
 * The same, taken for `seconds` from now, signed here with the API server's own key: the API server itself gives none
 * that ends in under ten minutes.
 */
export async function shortToken(plane: ControlPlane, pod: KubeObject, seconds: number): Promise<string> {
  const { namespace, name } = account
  const owner = await plane.admin.get(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}`)
  const issuer = 'https://kubernetes.default.svc'
  const now = Math.floor(Date.now() / 1_000)
  const bound = {
    namespace,
    serviceaccount: { name, uid: owner?.metadata['uid'] },
    pod: { name: pod.metadata.name, uid: pod.metadata['uid'] },
  }
  const since = { iat: now - 3_600, nbf: now - 3_600 }
  const claims = { ...since, iss: issuer, aud: [issuer], sub: operatorUser, exp: now + seconds - leewaySeconds }
  const parts = [{ alg: 'RS256' }, { ...claims, jti: randomUUID(), 'kubernetes.io': bound }]
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const key = await readFile(`${plane.folder}/sa.key`, 'utf8')
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`
}
