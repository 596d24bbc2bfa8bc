import { group, ownerLabel, plural, version } from '../api/names.ts'

/** Where things are at the API server. Names are DNS labels or subdomains, so they need no escaping; selectors do. */

export const secondCronJobsPath = `/apis/${group}/${version}/${plural}`
export const jobsPath = '/apis/batch/v1/jobs'

export function secondCronJobPath(namespace: string, name: string): string {
  return `/apis/${group}/${version}/namespaces/${namespace}/${plural}/${name}`
}

export function jobsOfNamespacePath(namespace: string): string {
  return `/apis/batch/v1/namespaces/${namespace}/jobs`
}

export function jobPath(namespace: string, name: string): string {
  return `${jobsOfNamespacePath(namespace)}/${name}`
}

/** Selects the Jobs of one resource, or of all. */
export function ownerSelector(owner?: string): string {
  return owner === undefined ? ownerLabel : `${ownerLabel}=${owner}`
}
