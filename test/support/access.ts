import type { Admin } from './admin.ts'

/** Who asks: the name and the groups that the API server would give him. */
export interface Subject {
  readonly user: string
  readonly groups: readonly string[]
}

export function userNamed(user: string): Subject {
  return { user, groups: ['system:authenticated'] }
}

export function serviceAccount(namespace: string, name: string): Subject {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  return { user: `system:serviceaccount:${namespace}:${name}`, groups }
}

/**
 * Is it allowed? `resource` as kubectl has it: `jobs.batch`, `pods/exec`, `secondcronjobs.myyrakle.com/status`;
 * in all namespaces when none is given, of every name when none is given.
 */
export async function mayDo(
  admin: Admin,
  subject: Subject,
  [verb, resource, objectName = '']: readonly [verb: string, resource: string, objectName?: string],
  namespace = '',
): Promise<boolean> {
  const [whole = '', subresource = ''] = resource.split('/')
  const [name = '', ...group] = whole.split('.')
  const of = { resource: name, subresource, group: group.join('.') }
  const resourceAttributes = { verb, ...of, namespace, name: objectName }
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { ...subject, resourceAttributes },
  }
  const answer = await admin.request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review)
  return (answer as { status: { allowed: boolean } }).status.allowed
}
