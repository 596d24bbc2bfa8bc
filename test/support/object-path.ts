import type { KubeObject } from './admin.ts'

const plurals: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  ResourceQuota: 'resourcequotas',
  NetworkPolicy: 'networkpolicies',
  PriorityClass: 'priorityclasses',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
}
const clusterScoped = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'ValidatingWebhookConfiguration',
  'PriorityClass',
  'FlowSchema',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
])

/** Of all of its kind in its namespace. */
export function collectionPath({ apiVersion, kind, metadata }: KubeObject): string {
  const version = String(apiVersion)
  const prefix = version.includes('/') ? `/apis/${version}` : `/api/${version}`
  const plural = plurals[String(kind)] ?? `${String(kind).toLowerCase()}s`
  return clusterScoped.has(String(kind))
    ? `${prefix}/${plural}`
    : `${prefix}/namespaces/${metadata.namespace ?? 'default'}/${plural}`
}

export function objectPath(object: KubeObject): string {
  return `${collectionPath(object)}/${object.metadata.name}`
}
