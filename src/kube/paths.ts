import { group, ownerLabel, plural, version } from '../api/names.ts'

/** Where things are at the API server. Names are DNS labels or subdomains, so they need no escaping; selectors do. */

/** Of one namespace, or of all. */
export function secondCronJobsPath(namespace?: string): string {
  return `/apis/${group}/${version}${scope(namespace)}/${plural}`
}

/** Of one namespace, or of all. */
export function jobsPath(namespace?: string): string {
  return `/apis/batch/v1${scope(namespace)}/jobs`
}

export function secondCronJobPath(namespace: string, name: string): string {
  return `${secondCronJobsPath(namespace)}/${name}`
}

export function jobPath(namespace: string, name: string): string {
  return `${jobsPath(namespace)}/${name}`
}

function scope(namespace: string | undefined): string {
  return namespace === undefined ? '' : `/namespaces/${namespace}`
}

/** Selects the Jobs of one resource, or of all. */
export function ownerSelector(owner?: string): string {
  return owner === undefined ? ownerLabel : `${ownerLabel}=${owner}`
}

export function leasesPath(namespace: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`
}

export function leasePath(namespace: string, name: string): string {
  return `${leasesPath(namespace)}/${name}`
}

export const crdPath = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`
